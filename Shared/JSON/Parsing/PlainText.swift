/// Finds, eight bytes at a time, where the plain ASCII at the start of some bytes ends.
enum PlainText {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The first position from `start` with a quotation mark, a backslash, a control character or (`asciiOnly`) a byte
    /// over 0x7f; `end` if there is none.
    @inline(__always)
    static func end(in bytes: UnsafePointer<UInt8>, from start: Int, to end: Int, asciiOnly: Bool) -> Int {
        var position = start
        while position &+ 8 <= end {
            let word = UInt64(littleEndian: UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self))
            // "Determine if a word has a byte less than n", Anderson, Bit Twiddling Hacks: the lowest hit is exact.
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5c)
            var hits = ((word &- ones &* 0x20) & ~word) | ((quotes &- ones) & ~quotes) | ((slashes &- ones) & ~slashes)
            if asciiOnly { hits |= word }
            hits &= highs
            if hits != 0 { return position &+ hits.trailingZeroBitCount >> 3 }
            position &+= 8
        }
        while position < end {
            let byte = bytes[position]
            if byte < 0x20 || byte == 0x22 || byte == 0x5c || (asciiOnly && byte >= 0x80) { return position }
            position &+= 1
        }
        return end
    }
}
