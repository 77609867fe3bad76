/// The chance of a bit, learnt from the bits before. All bits of it are 0 at the beginning, so that thousands of them are
/// made by clearing memory.
struct AdaptiveBit {
    /// The chance of 0, in 1/65,536, from a half; from bit 16 on how many bits were seen.
    private var packed: UInt32 = 0

    /// Bits after which a new one no longer counts more than 1/2^rateMax.
    private static let rateMax = 6
    private static let half: UInt32 = 1 << 15

    @inline(__always)
    private var zero: UInt32 { packed & 0xFFFF ^ Self.half }

    /// The part of the range that stands for 0: neither nothing nor all, of a range of at least 2^24.
    @inline(__always)
    fileprivate func bound(_ range: UInt32) -> UInt32 { (range >> 16) &* zero }

    /// The first bits count more: the n-th moves the chance by about 1/(n + 1).
    @inline(__always)
    fileprivate mutating func learn(isOne: Bool) {
        var (zero, seen) = (zero, packed >> 16)
        let rate = UInt32(truncatingIfNeeded: UInt32.bitWidth - 1 - (seen &+ 2).leadingZeroBitCount)
        zero = isOne ? zero &- zero &>> rate : zero &+ (0xFFFF &- zero) &>> rate
        zero = max(zero, 32)
        if rate < Self.rateMax { seen &+= 1 }
        packed = seen << 16 | zero ^ Self.half
    }
}

/// Writes bits in as many bytes as their chances allow: a binary range coder with carry (Martin 1979; the variant of LZMA,
/// without its first byte).
struct RangeEncoder {
    private var low: UInt64 = 0
    private var range = UInt32.max
    /// The last byte, which a carry may still change, and how many of 0xFF follow it.
    private var last: UInt8?
    private var pending = 0
    private let header: Int
    private var bytes: [UInt8]

    /// Bytes behind the end that the decoder takes as 0.
    static let implied = 4

    /// Behind the bytes of a header.
    init(_ header: [UInt8] = []) {
        self.header = header.count
        bytes = header
    }

    mutating func encode(_ isOne: Bool, _ bit: inout AdaptiveBit) {
        let bound = bit.bound(range)
        if isOne {
            low += UInt64(bound)
            range -= bound
        } else {
            range = bound
        }
        bit.learn(isOne: isOne)
        while range < 1 << 24 { shift() }
    }

    /// The lowest `count` bits of a number, each 0 or 1 with the same chance.
    mutating func encode(raw number: UInt64, count: Int) {
        var left = count
        while left > 0 {
            let part = min(left, 16)
            left -= part
            range >>= UInt32(part)
            low += UInt64(range) * (number >> UInt64(left) & (1 << UInt64(part) - 1))
            while range < 1 << 24 { shift() }
        }
    }

    private mutating func shift() {
        range <<= 8
        if low < 0xFF00_0000 || low >= 1 << 32 {
            let carry = UInt8(truncatingIfNeeded: low >> 32)
            if let last { bytes.append(last &+ carry) }
            for _ in 0..<pending { bytes.append(0xFF &+ carry) }
            pending = 0
            last = UInt8(truncatingIfNeeded: low >> 24)
        } else {
            pending += 1
        }
        low = low << 8 & 0xFFFF_FFFF
    }

    /// The bytes that stand for what was encoded, without up to `implied` zeros at the end.
    consuming func finish() -> [UInt8] {
        let end = low + UInt64(range)
        for zeros in stride(from: UInt64(24), through: 0, by: -8) {
            let candidate = ((low + (1 << zeros - 1)) >> zeros) << zeros
            if candidate < end {
                low = candidate
                break
            }
        }
        for _ in 0..<5 { shift() }
        for _ in 0..<Self.implied where bytes.count > header && bytes.last == 0 { bytes.removeLast() }
        return bytes
    }
}

/// Reads what `RangeEncoder` wrote. Any bytes are safe: they are read as some bits.
struct RangeDecoder {
    private let bytes: UnsafeRawBufferPointer
    private var position: Int
    private var range = UInt32.max
    private var code: UInt32 = 0

    /// The bytes must outlive the decoder, which begins at `position`.
    init(_ bytes: UnsafeRawBufferPointer, from position: Int = 0) {
        self.bytes = bytes
        self.position = position
        for _ in 0..<4 { code = code << 8 | UInt32(next()) }
    }

    @inline(__always)
    private mutating func next() -> UInt8 {
        defer { position += 1 }
        return position < bytes.count ? bytes[position] : 0
    }

    /// Fewer bytes are there than were read: they end before what they are to hold.
    var isTruncated: Bool { position > bytes.count + RangeEncoder.implied }
    /// All bytes were read.
    var isAtEnd: Bool { position >= bytes.count }

    @inline(__always)
    mutating func decode(_ bit: inout AdaptiveBit) -> Bool {
        let bound = bit.bound(range)
        let isOne = code >= bound
        if isOne {
            code -= bound
            range -= bound
        } else {
            range = bound
        }
        bit.learn(isOne: isOne)
        while range < 1 << 24 {
            range <<= 8
            code = code << 8 | UInt32(next())
        }
        return isOne
    }

    @inline(__always)
    mutating func decode(raw count: Int) -> UInt64 {
        var (left, number) = (count, UInt64(0))
        while left > 0 {
            let part = min(left, 16)
            left -= part
            range >>= UInt32(part)
            // Of bytes that no encoder wrote the quotient may be too large.
            let found = min(code / range, 1 << UInt32(part) - 1)
            code &-= found &* range
            number = number << UInt64(part) | UInt64(found)
            while range < 1 << 24 {
                range <<= 8
                code = code << 8 | UInt32(next())
            }
        }
        return number
    }
}
