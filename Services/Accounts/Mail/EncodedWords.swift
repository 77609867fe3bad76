import Primitives

/// Header text beyond ASCII (RFC 2047): encoded words in base64, at most 75 characters each, one per line.
enum EncodedWords {
    /// Bytes of text in one word: with `=?utf-8?B?` and `?=` 72 characters, and whole groups of three.
    private static let bytesMax = 45
    /// Characters after `Subject: `, so that a line has at most 78.
    private static let plainMax = 69

    static func subject(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f } && text.utf8.count <= plainMax
        // A text that looks like an encoded word would be decoded as one.
        if isPlain, !text.contains("=?") { return text }
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > bytesMax { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Base64.standard.encode($0))?=" }.joined(separator: "\r\n ")
    }
}
