public import JSON

/// What tests look for in an answer.
extension JSONValue {
    public var text: String? { if case .string(let text) = self { text } else { nil } }
    public var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// Any number.
    public var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// None when it is no array.
    public var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
}
