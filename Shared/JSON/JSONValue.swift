/// Any JSON value. Read and written by this module's coders only.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without a fraction and an exponent that fits.
    case integer(Int64)
    /// Any other number, rounded to the nearest double.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// A member's value, if this is an object that has it.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Of members with the same key the last value stays, in the first one's place.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.reduce(into: JSONObject()) { $0[$1.0] = $1.1 })
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? TapeDecoder else { throw ForeignCoder.decoding(decoder) }
        self = try decoder.tape.value(at: decoder.index)
    }

    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? SlotEncoder else { throw ForeignCoder.encoding(self, encoder) }
        try encoder.claim()
        try write(to: encoder.output, depth: encoder.level)
    }

    private func write(to output: EncodingOutput, depth: Int) throws(JSONError) {
        guard depth <= JSONLimits.depthCeiling else {
            throw JSONError(kind: .limit, message: "the value is nested more than \(JSONLimits.depthCeiling) deep")
        }
        switch self {
        case .null: JSONWriter.null(into: &output.bytes)
        case .bool(let value): JSONWriter.bool(value, into: &output.bytes)
        case .integer(let value): JSONWriter.integer(value, into: &output.bytes)
        case .number(let value): try JSONWriter.number(value, into: &output.bytes)
        case .string(let value): JSONWriter.string(value, into: &output.bytes)
        case .array(let elements):
            JSONWriter.beginArray(into: &output.bytes)
            for element in elements { try element.write(to: output, depth: depth + 1) }
            JSONWriter.endArray(into: &output.bytes)
        case .object(let object):
            JSONWriter.beginObject(into: &output.bytes)
            for member in object.members {
                JSONWriter.key(member.key, into: &output.bytes)
                try member.value.write(to: output, depth: depth + 1)
            }
            JSONWriter.endObject(into: &output.bytes)
        }
    }
}

/// What is thrown when another codec meets `JSONValue` or `JSONRaw`.
enum ForeignCoder {
    private static let message = "JSONValue and JSONRaw are for JSONDecoder and JSONEncoder of this module"

    static func decoding(_ decoder: any Decoder) -> any Error {
        DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
    }

    static func encoding(_ value: Any, _ encoder: any Encoder) -> any Error {
        EncodingError.invalidValue(value, .init(codingPath: encoder.codingPath, debugDescription: message))
    }
}
