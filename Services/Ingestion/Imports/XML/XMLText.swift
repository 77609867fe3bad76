/// Values as XML writes them.
enum XMLText {
    /// With the predefined and the numeric references resolved. Others are left as they are written.
    static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "&"),
                let end = bytes[position...].prefix(referenceBytesMax).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(UnsafeBufferPointer(rebasing: bytes[position + 1..<end]))
            else {
                result.append(bytes[position])
                position += 1
                continue
            }
            result.append(contentsOf: String(Character(scalar)).utf8)
            position = end + 1
        }
        return result
    }

    static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        bytes.contains(UInt8(ascii: "&"))
            ? String(decoding: decoded(bytes), as: UTF8.self) : String(decoding: bytes, as: UTF8.self)
    }

    private static let referenceBytesMax = 12

    private static func scalar(_ name: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
        switch String(decoding: name, as: UTF8.self) {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case let text where text.hasPrefix("#x"):
            return UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
        case let text where text.hasPrefix("#"): return UInt32(text.dropFirst()).flatMap(Unicode.Scalar.init)
        default: return nil
        }
    }
}
