import Security

/// Reads CBOR (RFC 8949) of definite lengths, within limits. The shortest form is not demanded; a key that comes twice is refused.
struct CBORReader {
    static let depthMax = 8
    /// Values in one text, those inside others counted.
    static let valuesMax = 500

    private let bytes: [UInt8]
    private(set) var position: Int
    private var values = 0

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// The next value. Throws `malformed`.
    mutating func value() throws(SecurityError) -> CBORValue { try value(depth: 1) }

    private mutating func value(depth: Int) throws(SecurityError) -> CBORValue {
        values += 1
        guard depth <= Self.depthMax, values <= Self.valuesMax else { throw .malformed("CBOR: too deep or too many") }
        guard let head = take(1).first else { throw Self.cutOff }
        let argument = try self.argument(head & 0x1f)
        switch head >> 5 {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(Array(try content(argument)))
        case 3:
            guard let text = String(validating: try content(argument), as: UTF8.self) else {
                throw .malformed("CBOR: a text that is not UTF-8")
            }
            return .text(text)
        case 4: return .array(try array(argument, depth: depth))
        case 5: return .map(try map(argument, depth: depth))
        case 7 where head == 0xf4 || head == 0xf5: return .flag(head == 0xf5)
        case 7 where head == 0xf6: return .null
        default: throw .malformed("CBOR: a value of a kind that no authenticator writes")
        }
    }

    private mutating func array(_ count: UInt64, depth: Int) throws(SecurityError) -> [CBORValue] {
        try check(count)
        var items: [CBORValue] = []
        for _ in 0..<count { items.append(try value(depth: depth + 1)) }
        return items
    }

    private mutating func map(_ count: UInt64, depth: Int) throws(SecurityError) -> [CBORValue: CBORValue] {
        try check(count)
        var members: [CBORValue: CBORValue] = [:]
        for _ in 0..<count {
            let key = try value(depth: depth + 1)
            guard members.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                throw .malformed("CBOR: a key comes twice")
            }
        }
        return members
    }

    /// Each value takes a byte at least.
    private func check(_ count: UInt64) throws(SecurityError) {
        guard count <= UInt64(bytes.count - position) else { throw Self.cutOff }
    }

    /// The number in a head: itself, or in the next bytes (RFC 8949 section 3). Without a definite length there is none.
    private mutating func argument(_ low: UInt8) throws(SecurityError) -> UInt64 {
        guard low >= 24 else { return UInt64(low) }
        guard low <= 27 else { throw .malformed("CBOR: no definite length") }
        let count = 1 << Int(low - 24)
        let number = take(count)
        guard number.count == count else { throw Self.cutOff }
        return number.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func content(_ count: UInt64) throws(SecurityError) -> ArraySlice<UInt8> {
        try check(count)
        return take(Int(count))
    }

    /// The next bytes; fewer at the end.
    private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let taken = bytes[min(position, bytes.count)...].prefix(count)
        position += taken.count
        return taken
    }

    private static let cutOff = SecurityError.malformed("CBOR: cut off")
}
