import Glibc

/// A 128-bit identifier (RFC 9562), stored as two big-endian words.
public struct UUID: Hashable, Comparable, Sendable, CustomStringConvertible, LosslessStringConvertible, Codable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 16 bytes in network order; `nil` for any other count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        self.init(high: high, low: low)
    }

    /// The 16 bytes in network order.
    public var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, initialized in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            initialized = 16
        }
    }

    /// The 36-character form, in either case; anything else is `nil`.
    public init?(_ description: String) {
        var text = description
        let words = text.withUTF8 { utf8 -> (UInt64, UInt64)? in
            guard utf8.count == 36 else { return nil }
            var (high, low): (UInt64, UInt64) = (0, 0)
            for index in 0..<36 {
                if index == 8 || index == 13 || index == 18 || index == 23 {
                    guard utf8[index] == UInt8(ascii: "-") else { return nil }
                    continue
                }
                guard let digit = hexValue(utf8[index]) else { return nil }
                if index < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            }
            return (high, low)
        }
        guard let words else { return nil }
        self.init(high: words.0, low: words.1)
    }

    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                let word = index < 16 ? high : low
                buffer[position] = hexDigit(UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(index % 16))) & 15)
                position += 1
            }
            return 36
        }
    }

    /// A random identifier (version 4).
    public static func random() -> UUID {
        var generator = MachineRandom()
        return UUID(
            high: generator.next() & 0xffff_ffff_ffff_0fff | 0x4000,
            low: generator.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }

    /// An identifier that sorts by `time` (version 7), to the millisecond: kind to B-tree indexes.
    public static func timeOrdered(at time: Timestamp) -> UUID {
        var generator = SystemRandomNumberGenerator()
        let milliseconds = UInt64(clamping: time.microseconds / 1000) & 0xffff_ffff_ffff
        return UUID(
            high: milliseconds << 16 | 0x7000 | generator.next() & 0x0fff,
            low: generator.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }

    public static func < (left: UUID, right: UUID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = UUID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
