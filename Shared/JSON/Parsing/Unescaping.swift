/// Escapes of RFC 8259 section 7, in strings that the parser has already checked.
enum Unescaping {
    /// Writes the plain text of an escaped string, never longer than it, and returns its length.
    static func plainText(of source: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutablePointer<UInt8>) -> Int
    {
        var read = 0
        var written = 0
        while read < count {
            let byte = source[read]
            guard byte == UInt8(ascii: "\\") else {
                target[written] = byte
                read += 1
                written += 1
                continue
            }
            let letter = source[read + 1]
            guard letter == UInt8(ascii: "u") else {
                target[written] = character(after: letter) ?? letter
                read += 2
                written += 1
                continue
            }
            var scalar = hexadecimal(source + read + 2) ?? 0
            read += 6
            if scalar & 0xfc00 == 0xd800 {
                scalar = 0x10000 + (scalar & 0x3ff) << 10 + ((hexadecimal(source + read + 2) ?? 0) & 0x3ff)
                read += 6
            }
            written += encode(scalar, into: target + written)
        }
        return written
    }

    /// What `\` and a letter other than `u` stand for; `nil` when they stand for nothing.
    static func character(after letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Four hexadecimal digits.
    static func hexadecimal(_ digits: UnsafePointer<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        for index in 0..<4 {
            let digit = digits[index]
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(digit - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(digit - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return value
    }

    private static func encode(_ scalar: UInt32, into target: UnsafeMutablePointer<UInt8>) -> Int {
        func continuation(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3f) }
        switch scalar {
        case 0..<0x80:
            target[0] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case 0x80..<0x800:
            target[0] = 0xc0 | UInt8(truncatingIfNeeded: scalar >> 6)
            target[1] = continuation(0)
            return 2
        case 0x800..<0x10000:
            target[0] = 0xe0 | UInt8(truncatingIfNeeded: scalar >> 12)
            target[1] = continuation(6)
            target[2] = continuation(0)
            return 3
        default:
            target[0] = 0xf0 | UInt8(truncatingIfNeeded: scalar >> 18)
            target[1] = continuation(12)
            target[2] = continuation(6)
            target[3] = continuation(0)
            return 4
        }
    }
}
