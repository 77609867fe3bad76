import Glibc

/// Receives what the scanner reads, in document order.
protocol XMLHandler: AnyObject {
    /// An element begins. Returns whether its text is wanted, up to the next beginning or end of an element.
    func began(_ element: XMLName, attributes: XMLAttributes, line: Int) throws(XMLError) -> Bool
    /// An element ends; `text` is empty unless it was wanted.
    func ended(_ element: XMLName, text: UnsafeBufferPointer<UInt8>) throws(XMLError)
    /// Whether the format has no element of this name directly inside of one of the same name: where one begins there, the end
    /// of the outer one is missing.
    func neverNests(_ element: XMLName) -> Bool
    /// Something is not well-formed; reading goes on after it.
    func met(_ fault: XMLFault, line: Int)
}

/// A streaming reader of XML: chunks in, events out, in bounded memory whatever the length of the document.
///
/// It reads on where a parser has to stop, since files of health data are known to be broken in places (document types that are
/// not well-formed, control characters, elements cut in the middle) and one place must not cost years of samples: what is
/// not well-formed is reported and passed over. Nothing of a document type is used, so there is nothing that could expand
/// ("billion laughs") or be fetched. For one task at a time.
final class XMLScanner {
    /// Elements nested in each other that are kept track of.
    static let depthMax = 64
    static let attributesMax = 64
    /// Bytes of one element's text, without markup.
    static let textBytesMax = 64 * 1024
    /// Bytes of a tag, comment or other piece of markup.
    static let markupBytesMax = 256 * 1024

    private unowned let handler: any XMLHandler
    private var failure: XMLError?
    /// Markup that has begun and not ended yet.
    private var pending: [UInt8] = []
    /// Bytes of `pending` below which it is not looked at again: so that a long tag that comes byte by byte is not read anew
    /// with each.
    private var pendingAgain = 0
    private var text: [UInt8] = []
    /// The part of `text` in which references are resolved already.
    private var textDecoded = 0
    private var wantsText = false
    /// Where the element begins whose text is wanted.
    private var textLine = 1
    /// Hashes of the names of the elements that are open.
    private var open: [Int] = []
    private var hasBegun = false
    private var line = 1
    private var spans: [XMLAttributes.Span] = []

    /// Calls `handler`, which must outlive the scanner.
    init(handler: any XMLHandler) {
        self.handler = handler
    }

    /// Reads the next piece of the document, of any length. After an error nothing more is read.
    func scan(_ chunk: UnsafeRawBufferPointer) throws(XMLError) {
        if let failure { throw failure }
        do throws(XMLError) {
            guard !pending.isEmpty else {
                let bytes = chunk.bindMemory(to: UInt8.self)
                let done = try read(bytes)
                keep(UnsafeBufferPointer(rebasing: bytes[done...]))
                return
            }
            pending.append(contentsOf: chunk)
            guard pending.count >= pendingAgain else { return }
            try readPending()
        } catch {
            failure = error
            throw error
        }
    }

    /// Ends the document; an error when an element is still open.
    func finish() throws(XMLError) {
        if let failure { throw failure }
        do throws(XMLError) {
            try readPending()
            if !hasBegun || !open.isEmpty || !pending.isEmpty { throw .truncated(line: line) }
        } catch {
            failure = error
            throw error
        }
    }

    private func readPending() throws(XMLError) {
        let all = pending
        pending = []
        try all.withUnsafeBufferPointer { bytes throws(XMLError) in
            let done = try read(bytes)
            keep(UnsafeBufferPointer(rebasing: bytes[done...]))
        }
    }

    private func keep(_ rest: UnsafeBufferPointer<UInt8>) {
        guard !rest.isEmpty else { return }
        pending = Array(rest)
        pendingAgain = rest.count < 4096 ? 0 : rest.count + rest.count / 4
    }

    /// Reads whole pieces of markup and the text between them. Returns how many bytes they were.
    private func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(XMLError) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var position = 0
        while position < bytes.count {
            if base[position] != UInt8(ascii: "<") {
                let left = bytes.count - position
                let end = memchr(base + position, Int32(UInt8(ascii: "<")), left)
                let count = end.map { UnsafeRawPointer($0) - UnsafeRawPointer(base + position) } ?? left
                readText(UnsafeBufferPointer(start: base + position, count: count))
                position += count
                continue
            }
            let rest = UnsafeBufferPointer(rebasing: bytes[position...])
            guard let count = try readMarkup(rest) else {
                try checkLength(rest.count)
                return position
            }
            position += count
        }
        return position
    }

    private func countLines(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard var start = bytes.baseAddress else { return }
        let end = start + bytes.count
        while let next = memchr(start, 0x0A, end - start) {
            line += 1
            start = UnsafePointer(next.assumingMemoryBound(to: UInt8.self)) + 1
        }
    }

    private func readText(_ bytes: UnsafeBufferPointer<UInt8>) {
        if wantsText { append(bytes) }
        countLines(bytes)
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard text.count + bytes.count <= Self.textBytesMax else {
            wantsText = false
            text.removeAll(keepingCapacity: true)
            return handler.met(.text, line: textLine)
        }
        text.append(contentsOf: bytes)
    }

    /// Reads the piece of markup at the beginning of `bytes`. Returns its length; `nil` when its end has not come yet.
    private func readMarkup(_ bytes: UnsafeBufferPointer<UInt8>) throws(XMLError) -> Int? {
        guard bytes.count > 1 else { return nil }
        let end: Int?
        switch bytes[1] {
        case UInt8(ascii: "?"): end = Self.end(of: "?>", in: bytes, from: 2)
        case UInt8(ascii: "!"):
            if Self.mayBegin("<!--", bytes) {
                end = Self.end(of: "-->", in: bytes, from: 4)
            } else if Self.mayBegin("<![CDATA[", bytes) {
                end = Self.end(of: "]]>", in: bytes, from: 9)
                if let end, wantsText, end <= Self.markupBytesMax {
                    decodeText()
                    append(UnsafeBufferPointer(rebasing: bytes[9..<end - 3]))
                    textDecoded = text.count
                }
            } else {
                end = Self.endOfDeclaration(bytes)
            }
        default: return try readTag(bytes)
        }
        guard let end else { return nil }
        try checkLength(end)
        countLines(UnsafeBufferPointer(rebasing: bytes[..<end]))
        return end
    }

    /// The same for markup that is complete and for what there is of it so far, so that pieces make no difference.
    private func checkLength(_ count: Int) throws(XMLError) {
        guard count <= Self.markupBytesMax else { throw .markupTooLong(line: line) }
    }

    /// Whether `bytes` begin with `start`, or are the beginning of it.
    private static func mayBegin(_ start: StaticString, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress else { return false }
        return memcmp(base, start.utf8Start, min(bytes.count, start.utf8CodeUnitCount)) == 0
    }

    /// The offset after the first `pattern` at or after `start`.
    private static func end(
        of pattern: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let count = pattern.utf8CodeUnitCount
        var position = start
        while position + count <= bytes.count {
            guard let found = memchr(base + position, Int32(pattern.utf8Start[0]), bytes.count - position) else {
                return nil
            }
            position = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if UnsafeBufferPointer(rebasing: bytes[position...]).starts(with: pattern) { return position + count }
            position += 1
        }
        return nil
    }

    /// The offset after a document type: after `>`, or if there are declarations in brackets, after the first `]` that `>`
    /// follows. What the declarations are does not matter: Apple's have been malformed for years.
    private static func endOfDeclaration(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = bytes.firstIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ">") }) else {
            return nil
        }
        guard bytes[first] == UInt8(ascii: "[") else { return first + 1 }
        var position = first + 1
        while position < bytes.count {
            guard let close = bytes[position...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
            position = close + 1
            var after = position
            while after < bytes.count, bytes[after] <= 0x20 { after += 1 }
            if after < bytes.count, bytes[after] == UInt8(ascii: ">") { return after + 1 }
        }
        return nil
    }

    // MARK: Tags

    private func readTag(_ bytes: UnsafeBufferPointer<UInt8>) throws(XMLError) -> Int? {
        let isEnd = bytes[1] == UInt8(ascii: "/")
        let start = isEnd ? 2 : 1
        var position = start
        while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
        guard position < bytes.count else { return nil }
        let name = UnsafeBufferPointer(rebasing: bytes[start..<position])
        spans.removeAll(keepingCapacity: true)
        var (isFaulty, isOver, isEmpty) = (false, false, false)
        attributes: while true {
            while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
            guard position < bytes.count else { return nil }
            switch bytes[position] {
            case UInt8(ascii: ">"):
                position += 1
                break attributes
            case UInt8(ascii: "<"):
                // Another tag begins: this one was cut.
                isFaulty = true
                break attributes
            case UInt8(ascii: "/"):
                isEmpty = true
                position += 1
            default:
                isEmpty = false
                guard let (span, end) = Self.attribute(bytes, position) else { return nil }
                position = end
                if let span {
                    if spans.count < Self.attributesMax { spans.append(span) } else { isOver = true }
                } else {
                    isFaulty = true
                }
            }
        }
        try checkLength(position)
        if isOver { handler.met(.attributes, line: line) }
        if isFaulty || name.isEmpty {
            handler.met(.tag, line: line)
        } else if isEnd {
            try ended(name)
        } else {
            try began(name, bytes, isEmpty: isEmpty)
        }
        countLines(UnsafeBufferPointer(rebasing: bytes[..<position]))
        return position
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "<")
            || byte == UInt8(ascii: "=")
    }

    /// The attribute at `start` and where it ends; without a span when it is none. `nil`: its end has not come yet.
    private static func attribute(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
    ) -> (span: XMLAttributes.Span?, end: Int)? {
        var position = start
        while position < bytes.count, !endsName(bytes[position]) { position += 1 }
        let nameEnd = position
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        guard position < bytes.count else { return nil }
        guard bytes[position] == UInt8(ascii: "="), nameEnd > start else {
            return (nil, max(position, start) + (bytes[position] == UInt8(ascii: "=") ? 1 : 0))
        }
        position += 1
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
        guard position < bytes.count else { return nil }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return (nil, position) }
        let value = position + 1
        position = value
        while position < bytes.count, bytes[position] != quote {
            // No value holds this: its end is missing.
            if bytes[position] == UInt8(ascii: "<") { return (nil, position) }
            position += 1
        }
        guard position < bytes.count else { return nil }
        return (.init(name: start, nameEnd: nameEnd, value: value, valueEnd: position), position + 1)
    }

    private func began(
        _ name: UnsafeBufferPointer<UInt8>, _ tag: UnsafeBufferPointer<UInt8>, isEmpty: Bool
    ) throws(XMLError) {
        let element = XMLName(name)
        let hash = Self.hash(name)
        if open.last == hash, handler.neverNests(element) {
            handler.met(.end, line: line)
            try end(element, at: open.count - 1)
        }
        hasBegun = true
        text.removeAll(keepingCapacity: true)
        textDecoded = 0
        textLine = line
        wantsText = try handler.began(element, attributes: XMLAttributes(tag: tag, spans: spans), line: line)
        if isEmpty {
            wantsText = false
            try handler.ended(element, text: UnsafeBufferPointer(start: nil, count: 0))
        } else {
            if open.count == Self.depthMax {
                handler.met(.depth, line: line)
                open.removeLast()
            }
            open.append(hash)
        }
    }

    private func ended(_ name: UnsafeBufferPointer<UInt8>) throws(XMLError) {
        let hash = Self.hash(name)
        guard let index = open.lastIndex(of: hash) else { return handler.met(.end, line: line) }
        if index != open.count - 1 { handler.met(.end, line: line) }
        try end(XMLName(name), at: index)
    }

    /// Ends the element at `index` of those that are open, and what is inside of it.
    private func end(_ element: XMLName, at index: Int) throws(XMLError) {
        open.removeSubrange(index...)
        wantsText = false
        decodeText()
        try text.withUnsafeBufferPointer { bytes throws(XMLError) in try handler.ended(element, text: bytes) }
        text.removeAll(keepingCapacity: true)
        textDecoded = 0
    }

    /// FNV-1a.
    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return Int(truncatingIfNeeded: hash)
    }

    /// Resolves references in what was not resolved yet.
    private func decodeText() {
        guard text[textDecoded...].contains(UInt8(ascii: "&")) else { return }
        let decoded = text[textDecoded...].withUnsafeBufferPointer(XMLText.decoded)
        text.removeSubrange(textDecoded...)
        text += decoded
    }
}
