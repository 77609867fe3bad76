/// Cuts text into lines of fields (RFC 4180): chunks in, records out. Fields may be quoted; a line ends with LF, CR LF or CR also within
/// quotes, so that a quote that is missing costs one line, not the rest of the file. At most one record is kept.
struct CSVRecords {
    /// Bytes of one record.
    static let recordBytesMax = 64 * 1024
    static let fieldsMax = 100

    /// One record; its fields are valid during the call that gives it.
    struct Record {
        let bytes: UnsafeBufferPointer<UInt8>
        let ends: [Int]
        let separator: UInt8

        var count: Int { ends.count }
        var isEmpty: Bool { ends.count == 1 && ends[0] == 0 }
        subscript(index: Int) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
        }
    }

    /// Told by the first line.
    private var separator = UInt8(ascii: ",")
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var isQuoted = false
    /// A quote that may be the end of the field, or the first of two.
    private var hasQuote = false
    private var wasReturn = false
    private var line = 1
    private var isBroken = false
    /// The first line, until the separator is known.
    private var beginning: [UInt8]? = []

    /// Reads the next piece of text. `give` gets each record, or `nil` for one that is too long or has a quote without its end; lines count from 1.
    mutating func read(_ chunk: UnsafeRawBufferPointer, _ give: (Record?, _ line: Int) -> Void) {
        var rest = chunk.bindMemory(to: UInt8.self)
        if var start = beginning {
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D }
            start += rest[..<(end ?? rest.count)]
            guard end != nil || start.count > Self.recordBytesMax else {
                beginning = start
                return
            }
            begin(with: start, give)
            rest = UnsafeBufferPointer(rebasing: rest[(end ?? rest.count)...])
        }
        for byte in rest { read(byte, give) }
    }

    /// Ends the text.
    mutating func finish(_ give: (Record?, _ line: Int) -> Void) {
        if let start = beginning { begin(with: start, give) }
        if !bytes.isEmpty || !ends.isEmpty || isBroken { endRecord(give) }
    }

    private mutating func begin(with start: [UInt8], _ give: (Record?, _ line: Int) -> Void) {
        beginning = nil
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start[3...] : start[...]
        let counts = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].map { separator in
            (separator, text.count { $0 == separator })
        }
        separator = counts.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil } ?? UInt8(ascii: ",")
        for byte in text { read(byte, give) }
    }

    private mutating func read(_ byte: UInt8, _ give: (Record?, _ line: Int) -> Void) {
        if byte == 0x0A || byte == 0x0D {
            let isSecond = byte == 0x0A && wasReturn
            wasReturn = byte == 0x0D
            guard !isSecond else { return }
            endRecord(give)
            line += 1
            return
        }
        wasReturn = false
        if isQuoted {
            if hasQuote {
                hasQuote = false
                if byte == UInt8(ascii: "\"") { return append(byte) }
                isQuoted = false
            } else if byte == UInt8(ascii: "\"") {
                hasQuote = true
                return
            } else {
                return append(byte)
            }
        }
        switch byte {
        case separator: endField()
        case UInt8(ascii: "\"") where bytes.count == (ends.last ?? 0): isQuoted = true
        default: append(byte)
        }
    }

    private mutating func append(_ byte: UInt8) {
        if bytes.count < Self.recordBytesMax { bytes.append(byte) } else { isBroken = true }
    }

    private mutating func endField() {
        if ends.count < Self.fieldsMax { ends.append(bytes.count) } else { isBroken = true }
    }

    private mutating func endRecord(_ give: (Record?, _ line: Int) -> Void) {
        endField()
        if isBroken || isQuoted && !hasQuote {
            give(nil, line)
        } else {
            bytes.withUnsafeBufferPointer { give(Record(bytes: $0, ends: ends, separator: separator), line) }
        }
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        isBroken = false
        isQuoted = false
        hasQuote = false
    }
}
