/// Text in HTML.
public enum HTMLText {
    /// With the five characters escaped that have a meaning in text and in quoted attributes.
    public static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        append(text, to: &escaped)
        return String(decoding: escaped, as: UTF8.self)
    }

    static func append(_ text: String, to output: inout [UInt8]) {
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): output.append(contentsOf: "&#39;".utf8)
            default: output.append(octet)
            }
        }
    }
}
