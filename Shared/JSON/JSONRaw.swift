/// A valid JSON text that is carried as it is: decoding captures the bytes of a value, encoding copies them. Line breaks between
/// tokens become spaces when they are captured, so that a text stays one line. For this module's coders only.
public struct JSONRaw: Hashable, Sendable {
    /// The text, without white space around it and without line breaks.
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

    /// A text that was one of these before and cannot have changed since: it was sealed, say. Nothing is checked.
    public init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// One array with the elements of several, in their order; `nil` when one of them is no array.
    public init?(joining arrays: [JSONRaw]) {
        var joined = [UInt8(ascii: "[")]
        joined.reserveCapacity(arrays.reduce(2) { $0 + $1.bytes.count })
        for array in arrays {
            guard array.bytes.first == UInt8(ascii: "["), array.bytes.last == UInt8(ascii: "]") else { return nil }
            let elements = array.bytes.dropFirst().dropLast()
            guard !elements.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { continue }
            if joined.count > 1 { joined.append(UInt8(ascii: ",")) }
            joined += elements
        }
        bytes = joined + [UInt8(ascii: "]")]
    }

    /// Of a valid text: in one, line breaks stand between tokens only.
    init(trusted bytes: [UInt8]) {
        self.bytes = bytes.contains(where: Self.isLineBreak) ? bytes.map { Self.isLineBreak($0) ? 0x20 : $0 } : bytes
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }
}

extension JSONRaw: Codable {
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? TapeDecoder else { throw ForeignCoder.decoding(decoder) }
        self = decoder.tape.raw(at: decoder.index)
    }

    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? SlotEncoder else { throw ForeignCoder.encoding(self, encoder) }
        try encoder.claim()
        JSONWriter.raw(bytes, into: &encoder.output.bytes)
    }
}
