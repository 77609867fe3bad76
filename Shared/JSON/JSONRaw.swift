/// A valid JSON text that is carried as it is: decoding captures the bytes of a value, encoding copies them, except that
/// line breaks between tokens become spaces, so that a text stays one line. For this module's coders only.
public struct JSONRaw: Hashable, Sendable {
    /// The text, without white space around it.
    public let bytes: [UInt8]

    /// Checks `bytes` as `JSONDecoder` would.
    public init(validating bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
        self = try bytes.withBytes { (source) throws(JSONError) in
            try Parser.parse(source, limits: limits, borrowing: true).raw(at: 0)
        }
    }

    /// The text of `value`.
    public init(encoding value: some Encodable) throws(JSONError) {
        bytes = try JSONEncoder().encode(value)
    }

    init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension JSONRaw: Codable {
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? TapeDecoder else { throw ForeignCoder.decoding(decoder) }
        self = decoder.tape.raw(at: decoder.index)
    }

    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? SlotEncoder else { throw ForeignCoder.encoding(self, encoder) }
        try encoder.claim()
        // In a valid text these bytes stand between tokens only.
        if bytes.contains(where: { $0 == 0x0a || $0 == 0x0d }) {
            JSONWriter.raw(bytes.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }, into: &encoder.output.bytes)
        } else {
            JSONWriter.raw(bytes, into: &encoder.output.bytes)
        }
    }
}
