import JSON

/// What decodes must encode to a text that decodes to the same value.
enum JSONTarget {
    static func run(_ input: [UInt8]) -> Int32 {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: input) else { return 0 }
        guard let text = try? JSONEncoder().encode(value) else {
            preconditionFailure("a decoded value does not encode")
        }
        let again = try? JSONDecoder().decode(JSONValue.self, from: text)
        precondition(again == value, "a value changes on its way through text")
        return 0
    }
}
