import CExpat

/// Receives what the parser reads, in document order.
protocol XMLHandler: AnyObject {
    /// An element begins. Returns whether its text is wanted, up to the next beginning or end of an element.
    func began(_ element: XMLName, attributes: XMLAttributes, line: Int) throws(XMLError) -> Bool
    /// An element ends; `text` is empty unless it was wanted.
    func ended(_ element: XMLName, text: UnsafeBufferPointer<UInt8>) throws(XMLError)
}

/// A streaming XML parser on expat: chunks in, events out, in bounded memory whatever the length of the document.
///
/// Namespaces are resolved. Declaring an entity is an error, so there is nothing that could expand ("billion laughs") or be
/// fetched; a document type without entities, such as Apple Health writes, is passed over. For one task at a time.
final class XMLPushParser {
    /// Elements nested in each other.
    static let depthMax = 64
    static let attributesMax = 64
    /// Bytes of one element's text, without markup.
    static let textBytesMax = 64 * 1024
    /// Bytes of a tag, comment or other piece of markup.
    static let markupBytesMax = 256 * 1024

    private let parser: XML_Parser
    private unowned let handler: any XMLHandler
    private var failure: XMLError?
    private var text: [UInt8] = []
    private var wantsText = false
    private var depth = 0
    private var bytesRead = 0
    /// Line ends in the white space that is dropped in front of the document, which exporters are known to write.
    private var linesDropped = 0

    /// Calls `handler`, which must outlive the parser.
    init(handler: any XMLHandler) {
        guard let parser = XML_ParserCreateNS(nil, XMLName.separator) else { preconditionFailure("out of memory") }
        self.parser = parser
        self.handler = handler
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let self = XMLPushParser.from(context), let name, let attributes else { return }
                self.began(XMLName(name), XMLAttributes(attributes))
            },
            { context, name in
                guard let self = XMLPushParser.from(context), let name else { return }
                self.ended(XMLName(name))
            })
        XML_SetCharacterDataHandler(parser) { context, bytes, count in
            guard let self = XMLPushParser.from(context), let bytes else { return }
            self.read(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
        XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
            guard let self = XMLPushParser.from(context) else { return }
            self.stop(.entityDeclared(line: self.line))
        }
    }

    deinit { XML_ParserFree(parser) }

    /// Reads the next piece of the document, of any length. After an error nothing more is read.
    func parse(_ chunk: UnsafeRawBufferPointer) throws(XMLError) {
        if let failure { throw failure }
        var rest = chunk
        if bytesRead == 0 {
            while let first = rest.first, first == 0x20 || (0x09...0x0D).contains(first) {
                if first == 0x0A { linesDropped += 1 }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
            }
        }
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceBytes))
            bytesRead += piece.count
            try check(XML_Parse(parser, piece.bindMemory(to: CChar.self).baseAddress, Int32(piece.count), 0))
            // What expat has not reported yet is one piece of markup that has not ended.
            let done = Int(XML_GetCurrentByteIndex(parser))
            if done >= 0, bytesRead - done > Self.markupBytesMax { throw fail(.markupTooLong(line: line)) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
        }
    }

    /// Ends the document; an error when an element is still open.
    func finish() throws(XMLError) {
        if let failure { throw failure }
        try check(XML_Parse(parser, nil, 0, 1))
    }

    private static let pieceBytes = 64 * 1024

    /// The line that is being read, from 1.
    private var line: Int { Int(XML_GetCurrentLineNumber(parser)) + linesDropped }

    private static func from(_ context: UnsafeMutableRawPointer?) -> XMLPushParser? {
        context.map { Unmanaged<XMLPushParser>.fromOpaque($0).takeUnretainedValue() }
    }

    private func check(_ status: XML_Status) throws(XMLError) {
        guard status != XML_STATUS_OK else { return }
        if let failure { throw failure }
        switch XML_GetErrorCode(parser) {
        case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION:
            throw fail(.truncated(line: line))
        case let code:
            let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
            throw fail(.malformed(line: line, reason: reason))
        }
    }

    private func fail(_ error: XMLError) -> XMLError {
        failure = error
        return error
    }

    /// Called from within expat, which still reports the end of an empty element after it.
    private func stop(_ error: XMLError) {
        guard failure == nil else { return }
        failure = error
        XML_StopParser(parser, XML_Bool(0))
    }

    private func began(_ name: XMLName, _ attributes: XMLAttributes) {
        guard failure == nil else { return }
        depth += 1
        text.removeAll(keepingCapacity: true)
        guard depth <= Self.depthMax else { return stop(.tooDeep(line: line)) }
        guard attributes.count <= Self.attributesMax else { return stop(.tooManyAttributes(line: line)) }
        do throws(XMLError) {
            wantsText = try handler.began(name, attributes: attributes, line: line)
        } catch {
            stop(error)
        }
    }

    private func read(_ bytes: UnsafeRawBufferPointer) {
        guard wantsText, failure == nil else { return }
        guard text.count + bytes.count <= Self.textBytesMax else { return stop(.textTooLong(line: line)) }
        text.append(contentsOf: bytes)
    }

    private func ended(_ name: XMLName) {
        guard failure == nil else { return }
        depth -= 1
        wantsText = false
        do throws(XMLError) {
            try text.withUnsafeBufferPointer { bytes throws(XMLError) in try handler.ended(name, text: bytes) }
        } catch {
            stop(error)
        }
        text.removeAll(keepingCapacity: true)
    }
}
