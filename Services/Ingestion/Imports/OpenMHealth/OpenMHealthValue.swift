import JSON

/// A value in a parsed object.
struct OpenMHealthValue {
    let scanner: JSONScanner
    let value: JSONScanner.Value

    subscript(name: String) -> OpenMHealthValue? {
        scanner.member(name, of: value).map { OpenMHealthValue(scanner: scanner, value: $0) }
    }

    var isArray: Bool { scanner.isArray(value) }

    /// Of an array; else empty.
    var elements: [OpenMHealthValue] {
        scanner.elements(of: value).map { OpenMHealthValue(scanner: scanner, value: $0) }
    }

    /// `nil` when it is no string, or no number, or null.
    var text: String? { decoded() }
    var number: Double? { decoded() }

    private func decoded<Value: Decodable>() -> Value? {
        do throws(JSONError) { return try scanner.decode(Value?.self, from: value) } catch { return nil }
    }

    /// A number, or an object of `value` and `unit`.
    var quantity: (value: Double, unit: String?)? {
        if let number { return (number, nil) }
        guard let value = self["value"]?.number else { return nil }
        return (value, self["unit"]?.text)
    }

    static func time(_ text: String) -> ImportText.Time? {
        Array(text.utf8.prefix(64)).withUnsafeBufferPointer(ImportText.time)
    }
}
