/// Cuts text into the JSON objects that it holds one after the other, or in one array: chunks in, objects out. At most one object is
/// kept; one that is too long is given in parts, each with some of the elements of its array `body`.
///
/// What is not an object is passed over. A line end closes a string whose quote is missing; and where each object begins a
/// line of its own, the next such line begins a new object, so that a brace that is missing costs one object and not the rest.
/// Where an array has room for another element the line begins that.
struct JSONValues {
    /// Bytes of one object, or of one element of a `body` with what stands before the array.
    static let objectBytesMax = 2 << 20
    /// Bytes before the array `body` of an object that is given in parts.
    private static let headBytesMax = 64 * 1024

    private var bytes: [UInt8] = []
    /// The brackets that are open.
    private var open: [UInt8] = []
    /// The last byte that is no white space; of a string its first.
    private var last: UInt8 = 0
    /// Offsets after the bracket that begins the object's array `body`, and after the last whole element of it.
    private var body: (start: Int, end: Int)?
    private var isInString = false
    private var isEscaped = false
    private var line = 1
    private var firstLine = 1
    private var isAtLineStart = true
    /// The object that is being read began its line.
    private var beganLine = false

    /// Reads the next piece of text. `give` gets each object, or `nil` for one that has no end or is too long; and its line, from 1.
    mutating func read(_ chunk: UnsafeRawBufferPointer, _ give: ([UInt8]?, _ line: Int) -> Void) {
        for byte in chunk { read(byte, give) }
    }

    /// Ends the text. Returns whether an object was open.
    mutating func finish(_ give: ([UInt8]?, _ line: Int) -> Void) -> Bool {
        guard !open.isEmpty else { return false }
        end(nil, give)
        return true
    }

    private mutating func read(_ byte: UInt8, _ give: ([UInt8]?, _ line: Int) -> Void) {
        let isFirst = isAtLineStart
        isAtLineStart = byte == 0x0A
        if byte == 0x0A {
            line += 1
            isInString = false
            isEscaped = false
        }
        if isFirst, beganLine, byte == UInt8(ascii: "{"), !open.isEmpty, !isElementDue { end(nil, give) }
        guard !open.isEmpty else {
            if byte == UInt8(ascii: "{") { begin(isFirst: isFirst) }
            return
        }
        if bytes.count >= Self.objectBytesMax, !giveElements(give) { return end(nil, give) }
        bytes.append(byte)
        if isInString { readInString(byte) } else { readMarkup(byte, give) }
    }

    private var isElementDue: Bool {
        open.last == UInt8(ascii: "[") && (last == UInt8(ascii: "[") || last == UInt8(ascii: ","))
    }

    private mutating func begin(isFirst: Bool) {
        bytes.append(UInt8(ascii: "{"))
        open.append(UInt8(ascii: "{"))
        last = UInt8(ascii: "{")
        firstLine = line
        beganLine = isFirst
    }

    private mutating func readInString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInString = false
        }
    }

    private mutating func readMarkup(_ byte: UInt8, _ give: ([UInt8]?, _ line: Int) -> Void) {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"): open.append(byte)
        case UInt8(ascii: "["):
            if open.count == 1, bytes.count <= Self.headBytesMax, isAfterBodyName {
                body = (bytes.count, bytes.count)
            }
            open.append(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            open.removeLast()
            switch open.count {
            case 0: return end(bytes, give)
            case 1: body = nil
            case 2: body?.end = bytes.count
            default: break
            }
        default: break
        }
        if byte > 0x20 { last = byte }
    }

    /// Whether the bracket that was read last begins the value of a member `body`.
    private var isAfterBodyName: Bool {
        guard let colon = bytes.dropLast().lastIndex(where: { $0 > 0x20 }), bytes[colon] == UInt8(ascii: ":"),
            let quote = bytes[..<colon].lastIndex(where: { $0 > 0x20 })
        else { return false }
        return bytes[...quote].suffix(6).elementsEqual("\"body\"".utf8)
    }

    /// Gives an object of the whole elements of `body` that are there, and keeps what stands before the array and what follows
    /// them. Returns whether there were any.
    private mutating func giveElements(_ give: ([UInt8]?, _ line: Int) -> Void) -> Bool {
        guard let (start, end) = body, start < end else { return false }
        give(Array(bytes[..<end]) + "]}".utf8, firstLine)
        let rest = bytes[end...].drop { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
        bytes = Array(bytes[..<start]) + rest
        body = (start, start)
        return true
    }

    /// Ends the object: gives it, or `nil`.
    private mutating func end(_ object: [UInt8]?, _ give: ([UInt8]?, _ line: Int) -> Void) {
        bytes = []
        open.removeAll(keepingCapacity: true)
        body = nil
        isInString = false
        isEscaped = false
        give(object, firstLine)
    }
}
