/// Appends pieces of compact JSON to a byte array. Commas are put where the last byte tells that one is due, so a fresh
/// text may follow a newline; that the pieces form a value is the caller's business.
public enum JSONWriter {
    @inline(__always) static func separate(_ bytes: inout [UInt8]) {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: "\n"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    public static func beginObject(into bytes: inout [UInt8]) {
        separate(&bytes)
        bytes.append(UInt8(ascii: "{"))
    }
    public static func endObject(into bytes: inout [UInt8]) { bytes.append(UInt8(ascii: "}")) }

    public static func beginArray(into bytes: inout [UInt8]) {
        separate(&bytes)
        bytes.append(UInt8(ascii: "["))
    }
    public static func endArray(into bytes: inout [UInt8]) { bytes.append(UInt8(ascii: "]")) }

    /// A member's name; its value comes next.
    @inline(__always) public static func key(_ name: String, into bytes: inout [UInt8]) {
        separate(&bytes)
        quoted(name, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// A member's name as `MemberName` translates it.
    @inline(__always) static func key(_ name: String, translates: Bool, into bytes: inout [UInt8]) {
        guard translates else { return key(name, into: &bytes) }
        separate(&bytes)
        var name = name
        let isWritten = name.withUTF8 { source in
            guard MemberName.hasCapital(source) else { return false }
            bytes.append(UInt8(ascii: "\""))
            MemberName.translated(source) { bytes.append(contentsOf: $0) }
            bytes.append(UInt8(ascii: "\""))
            return true
        }
        if !isWritten { quoted(name, into: &bytes) }
        bytes.append(UInt8(ascii: ":"))
    }

    public static func string(_ text: String, into bytes: inout [UInt8]) {
        separate(&bytes)
        quoted(text, into: &bytes)
    }

    public static func bool(_ value: Bool, into bytes: inout [UInt8]) {
        literal(value ? "true" : "false", into: &bytes)
    }

    public static func null(into bytes: inout [UInt8]) { literal("null", into: &bytes) }

    public static func integer(_ value: some FixedWidthInteger, into bytes: inout [UInt8]) {
        separate(&bytes)
        digits(of: value, into: &bytes)
    }

    /// The shortest text that reads back as the same number; throws for a number that is not finite.
    public static func number(_ value: Double, into bytes: inout [UInt8]) throws(JSONError) {
        guard value.isFinite else { throw notFinite }
        separate(&bytes)
        var text = value.description
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    static func number(_ value: Float, into bytes: inout [UInt8]) throws(JSONError) {
        guard value.isFinite else { throw notFinite }
        separate(&bytes)
        var text = value.description
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// A JSON value without white space around it, as it stands.
    public static func raw(_ value: some Collection<UInt8>, into bytes: inout [UInt8]) {
        separate(&bytes)
        bytes.append(contentsOf: value)
    }

    private static var notFinite: JSONError {
        JSONError(kind: .value, message: "a number that is not finite cannot be written")
    }

    private static func literal(_ word: StaticString, into bytes: inout [UInt8]) {
        separate(&bytes)
        word.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    @inline(__always) private static func digits<Integer: FixedWidthInteger>(
        of value: Integer, into bytes: inout [UInt8]
    ) {
        guard Integer.bitWidth <= 64 else {
            bytes.append(contentsOf: value.description.utf8)
            return
        }
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = UInt64(truncatingIfNeeded: value.magnitude)
        if rest < 10 {
            bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { text in
            var position = 20
            while rest > 0 {
                position &-= 1
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                text[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
                rest = quotient
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[position...]))
        }
    }

    @inline(__always) private static func quoted(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { source in
            guard let base = source.baseAddress else { return }
            var position = 0
            while true {
                let end = PlainText.end(in: base, from: position, to: source.count, asciiOnly: false)
                bytes.append(contentsOf: UnsafeBufferPointer(start: base + position, count: end &- position))
                if end == source.count { return }
                escape(base[end], into: &bytes)
                position = end &+ 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
        let letter: UInt8
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): letter = byte
        case 0x08: letter = UInt8(ascii: "b")
        case 0x09: letter = UInt8(ascii: "t")
        case 0x0a: letter = UInt8(ascii: "n")
        case 0x0c: letter = UInt8(ascii: "f")
        case 0x0d: letter = UInt8(ascii: "r")
        default:
            let low = byte & 15
            bytes += [
                UInt8(ascii: "\\"), UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"),
                UInt8(ascii: "0") + byte >> 4,
                low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10,
            ]
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(letter)
    }
}
