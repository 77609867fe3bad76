/// Well-formed UTF-8 byte sequences (Unicode, table 3-7).
enum UTF8Sequence {
    /// Bytes of the multi-byte sequence at the start of `bytes`; 0 when it is not well formed.
    static func length(_ bytes: UnsafePointer<UInt8>, count: Int) -> Int {
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[0] {
        case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
        case 0xe0: (length, second) = (3, 0xa0...0xbf)
        case 0xed: (length, second) = (3, 0x80...0x9f)
        case 0xe1...0xef: (length, second) = (3, 0x80...0xbf)
        case 0xf0: (length, second) = (4, 0x90...0xbf)
        case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
        case 0xf4: (length, second) = (4, 0x80...0x8f)
        default: return 0
        }
        guard length <= count, second.contains(bytes[1]) else { return 0 }
        for index in 2..<max(2, length) where bytes[index] & 0xc0 != 0x80 { return 0 }
        return length
    }
}
