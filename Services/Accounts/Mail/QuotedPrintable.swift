/// Text as it travels in mail (RFC 2045 section 6.7): UTF-8, lines of at most 76 characters that end with CR LF.
enum QuotedPrintable {
    private static let lineMax = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        for line in text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false) {
            encode(line: line.last == 0x0d ? line.dropLast() : line, into: &output)
            output += [0x0d, 0x0a]
        }
        return output
    }

    private static func encode(line: Substring.UTF8View, into output: inout [UInt8]) {
        var column = 0
        var index = line.startIndex
        while index < line.endIndex {
            let byte = line[index]
            index = line.index(after: index)
            let isLast = index == line.endIndex
            // A blank at the end of a line would be lost on the way.
            let isPlain =
                (byte >= 33 && byte <= 126 && byte != UInt8(ascii: "=")) || ((byte == 0x20 || byte == 0x09) && !isLast)
            let width = isPlain ? 1 : 3
            // One place is kept for the = of a soft line break.
            if column + width > (isLast ? lineMax : lineMax - 1) {
                output += [UInt8(ascii: "="), 0x0d, 0x0a]
                column = 0
            }
            if isPlain {
                output.append(byte)
            } else {
                output += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
            column += width
        }
    }
}
