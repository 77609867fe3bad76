/// The head of a response, read from bytes that arrive in any pieces; as strict as the request's. Interim responses
/// (1xx) are skipped.
struct HTTPResponseParser: Sendable {
    struct Head: Sendable {
        let status: HTTPStatus
        let fields: HTTPFields
        let byteCount: Int
        let keepsAlive: Bool
        /// `nil` when the message is delimited by the end of the connection or has no body.
        let contentLength: Int?
        let isChunked: Bool
    }

    private let limits: HTTPLimits
    private var lines = LineScanner()
    private var isStatusKnown = false
    private var isHTTP10 = false
    private var status = HTTPStatus.ok
    private var fields = HTTPFields()

    init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
    }

    /// As `HTTPRequestParser.head`.
    mutating func head(in octets: UnsafeRawBufferPointer) throws(HTTPParseError) -> Head? {
        while true {
            let limit = lines.position + (isStatusKnown ? limits.fieldBytesMax : limits.requestLineBytesMax)
            guard
                let line = try lines.next(
                    in: octets,
                    limit: isStatusKnown ? min(limit, limits.fieldBytesMax + limits.requestLineBytesMax) : limit,
                    tooLong: HTTPParseError(.requestHeaderFieldsTooLarge, "the response head is too large"))
            else { return nil }
            if !isStatusKnown {
                try readStatusLine(Octets.slice(octets, line.start, line.end))
            } else if line.start < line.end {
                guard fields.entries.count < limits.fieldCountMax else {
                    throw HTTPParseError(.requestHeaderFieldsTooLarge, "the response has too many fields")
                }
                let field = try FieldLine(in: octets, start: line.start, end: line.end)
                fields.add(Octets.string(field.name(in: octets)), Octets.string(field.value(in: octets)))
            } else {
                let head = try finish()
                self = HTTPResponseParser(limits: limits)
                return head
            }
        }
    }

    private mutating func readStatusLine(_ line: UnsafeRawBufferPointer) throws(HTTPParseError) {
        guard line.count >= 12, Octets.equal(Octets.slice(line, 0, 7), "HTTP/1."), Octets.isDigit(line[7]),
            line[8] == Octets.space, let code = Octets.decimal(Octets.slice(line, 9, 12)), (100...599).contains(code),
            line.count == 12 || line[12] == Octets.space
        else { throw HTTPParseError(.badGateway, "the status line is malformed") }
        isStatusKnown = true
        isHTTP10 = line[7] == UInt8(ascii: "0")
        status = HTTPStatus(rawValue: UInt16(code))
    }

    private func finish() throws(HTTPParseError) -> Head {
        let lengths = fields.entries.filter { HTTPFields.same($0.name, "content-length") }
        let codings = fields.entries.filter { HTTPFields.same($0.name, "transfer-encoding") }
        guard lengths.count + codings.count <= 1 else {
            throw HTTPParseError(.badGateway, "the response's length is ambiguous")
        }
        var contentLength: Int?
        if let length = lengths.first {
            var text = length.value
            contentLength = text.withUTF8 { Octets.decimal(UnsafeRawBufferPointer($0)) }
            guard contentLength != nil else { throw HTTPParseError(.badGateway, "the response's length is malformed") }
        }
        if let coding = codings.first, !HTTPFields.same(coding.value, "chunked") {
            throw HTTPParseError(.badGateway, "the response's transfer encoding is unknown")
        }
        var (closes, keeps) = (false, false)
        for field in fields.entries where HTTPFields.same(field.name, "connection") {
            var value = field.value
            value.withUTF8 { octets in
                Octets.forEachListElement(UnsafeRawBufferPointer(octets)) { option in
                    if Octets.equalIgnoringCase(option, "close") { closes = true }
                    if Octets.equalIgnoringCase(option, "keep-alive") { keeps = true }
                }
            }
        }
        return Head(
            status: status, fields: fields, byteCount: lines.position, keepsAlive: !closes && (!isHTTP10 || keeps),
            contentLength: contentLength, isChunked: !codings.isEmpty)
    }
}
