/// Cuts text into the JSON objects that it holds one after the other, or in one array: chunks in, objects out. At most one object is
/// kept.
///
/// What is not an object is passed over. A line end closes a string whose quote is missing; and where each object begins a
/// line of its own, the next such line begins a new object, so that a brace that is missing costs one object and not the rest.
struct JSONValues {
    /// Bytes of one object.
    static let objectBytesMax = 2 << 20

    private var bytes: [UInt8] = []
    private var depth = 0
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
        guard depth > 0 else { return false }
        drop(give)
        return true
    }

    private mutating func read(_ byte: UInt8, _ give: ([UInt8]?, _ line: Int) -> Void) {
        if byte == 0x0A {
            line += 1
            isAtLineStart = true
            isInString = false
            isEscaped = false
            if depth > 0 { bytes.append(byte) }
            return
        }
        let isFirst = isAtLineStart
        isAtLineStart = false
        if depth == 0 {
            guard byte == UInt8(ascii: "{") else { return }
            depth = 1
            firstLine = line
            beganLine = isFirst
            bytes.append(byte)
            return
        }
        if isFirst, beganLine, byte == UInt8(ascii: "{") {
            drop(give)
            isAtLineStart = true
            return read(byte, give)
        }
        guard bytes.count < Self.objectBytesMax else {
            drop(give)
            return
        }
        bytes.append(byte)
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            guard depth == 0 else { return }
            let object = bytes
            bytes.removeAll(keepingCapacity: true)
            give(object, firstLine)
        default: break
        }
    }

    private mutating func drop(_ give: ([UInt8]?, _ line: Int) -> Void) {
        give(nil, firstLine)
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        isInString = false
        isEscaped = false
    }
}
