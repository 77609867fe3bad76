/// The head of a request, read strictly (RFC 9112) from bytes that arrive in any pieces. Pure: it looks at a buffer
/// that grows and says when a head is complete; the caller then drops `HTTPRequestHead.byteCount` bytes from the
/// buffer. What it answers does not depend on how the bytes were split. After an error the connection must be closed.
public struct HTTPRequestParser: Sendable {
    public var limits: HTTPLimits
    private var lines = LineScanner()
    private var fieldsStart: Int?
    private var mayBeEmpty = true
    private var partial = PartialRequestHead()

    public init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
    }

    /// The next head. `octets` is all that was received since the last one (and its body); `nil` asks for more.
    public mutating func head(in octets: UnsafeRawBufferPointer) throws(HTTPParseError) -> HTTPRequestHead? {
        while true {
            guard let fieldsStart else {
                let limit = lines.position + limits.requestLineBytesMax
                guard
                    let line = try lines.next(
                        in: octets, limit: limit,
                        tooLong: HTTPParseError(.uriTooLong, "the request line is too long"))
                else { return nil }
                if line.start == line.end, mayBeEmpty {
                    mayBeEmpty = false  // RFC 9112 §2.2: one empty line before a request is ignored
                    continue
                }
                try partial.readRequestLine(octets, line.start, line.end)
                self.fieldsStart = lines.position
                continue
            }
            guard
                let line = try lines.next(
                    in: octets, limit: fieldsStart + limits.fieldBytesMax,
                    tooLong: HTTPParseError(.requestHeaderFieldsTooLarge, "the header fields are too large"))
            else { return nil }
            if line.start < line.end {
                guard partial.fields.count < limits.fieldCountMax else {
                    throw HTTPParseError(.requestHeaderFieldsTooLarge, "there are too many header fields")
                }
                try partial.readField(FieldLine(in: octets, start: line.start, end: line.end), in: octets)
                continue
            }
            let head = try partial.finish(octets, byteCount: lines.position)
            self = HTTPRequestParser(limits: limits)
            return head
        }
    }
}
