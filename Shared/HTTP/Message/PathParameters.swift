/// The decoded values of a route's `:name` segments.
public struct PathParameters: Sendable {
    let names: [String]
    let values: [String]

    static let none = PathParameters(names: [], values: [])

    public subscript(name: String) -> String? {
        guard let index = names.firstIndex(of: name), index < values.count else { return nil }
        return values[index]
    }
}
