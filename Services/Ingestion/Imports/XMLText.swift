import Glibc
import Primitives

/// Values as XML Schema writes them.
enum XMLText {
    private static let numberBytesMax = 63

    /// `xsd:double` without INF and NaN; blanks around it are dropped.
    static func number(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        let bytes = trimmed(text)
        guard !bytes.isEmpty, bytes.count <= numberBytesMax, bytes.allSatisfy(isPartOfNumber) else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: numberBytesMax + 1) { buffer in
            for (index, byte) in bytes.enumerated() { buffer[index] = CChar(bitPattern: byte) }
            buffer[bytes.count] = 0
            guard let start = buffer.baseAddress else { return nil }
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(start, &end)
            return end == start + bytes.count && value.isFinite ? value : nil
        }
    }

    /// `xsd:dateTime`; without a time zone it is UTC, as GPX and TCX mean it.
    static func time(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        let bytes = trimmed(text)
        guard bytes.count <= 40 else { return nil }
        let string = String(decoding: bytes, as: UTF8.self)
        return Timestamp(string) ?? Timestamp(string + "Z")
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var (start, end) = (0, text.count)
        while start < end, text[start] <= 0x20 { start += 1 }
        while end > start, text[end - 1] <= 0x20 { end -= 1 }
        return UnsafeBufferPointer(rebasing: text[start..<end])
    }
}
