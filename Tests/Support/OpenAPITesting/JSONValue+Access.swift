import JSON

extension JSONValue {
    /// The members of an object, in their order; empty for another kind of value.
    var members: [(name: String, value: JSONValue)] {
        guard case .object(let object) = self else { return [] }
        return object.members.map { ($0.key, $0.value) }
    }

    /// The elements of an array; empty for another kind of value.
    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    var flag: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// In this document, `value` itself or what its `$ref` leads to; `nil` when that is nothing.
    func resolved(_ value: JSONValue) -> JSONValue? {
        var value = value
        for _ in 0..<16 {
            guard let reference = value["$ref"]?.text else { return value }
            guard reference.hasPrefix("#/") else { return nil }
            let steps = reference.dropFirst(2).split(separator: "/").map(String.init).map {
                $0.replacing("~1", with: "/").replacing("~0", with: "~")
            }
            guard let target = steps.reduce(self, { $0?[$1] }) else { return nil }
            value = target
        }
        return nil
    }
}
