import HTTP

/// A parameter that comes more than once, which it must not (RFC 6749 sections 3.1 and 3.2).
struct RepeatedParameter: Error, CustomStringConvertible {
    let name: String

    var description: String { "\(name) comes more than once" }
}

extension QueryItems {
    /// The value of a parameter of OAuth 2.0; an empty one counts as absent.
    func single(_ name: String) throws(RepeatedParameter) -> String? {
        let values = all(name)
        guard values.count <= 1 else { throw RepeatedParameter(name: name) }
        return values.first.flatMap { $0.isEmpty ? nil : $0 }
    }
}
