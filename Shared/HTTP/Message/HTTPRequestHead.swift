/// The head of a request: its bytes, and the positions of its parts in them. Fields are found without regard to case
/// and without allocation; those that decide about framing are read while parsing.
public final class HTTPRequestHead: Sendable {
    let octets: [UInt8]
    let fields: [FieldLine]
    public let method: HTTPMethod
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    public let minorVersion: UInt8
    let pathRange: Range<Int>
    let queryRange: Range<Int>?
    let authorityRange: Range<Int>?
    let pathHasEscapes: Bool
    /// Bytes of the body that `Content-Length` promises.
    public let contentLength: Int?
    /// Whether the body is in chunks.
    public let isChunked: Bool
    /// Whether the client wants to use the connection again.
    public let keepsAlive: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    public let expectsContinue: Bool

    init(
        octets: [UInt8], fields: [FieldLine], method: HTTPMethod, minorVersion: UInt8, pathRange: Range<Int>,
        queryRange: Range<Int>?, authorityRange: Range<Int>?, pathHasEscapes: Bool, contentLength: Int?,
        isChunked: Bool, keepsAlive: Bool, expectsContinue: Bool
    ) {
        self.octets = octets
        self.fields = fields
        self.method = method
        self.minorVersion = minorVersion
        self.pathRange = pathRange
        self.queryRange = queryRange
        self.authorityRange = authorityRange
        self.pathHasEscapes = pathHasEscapes
        self.contentLength = contentLength
        self.isChunked = isChunked
        self.keepsAlive = keepsAlive
        self.expectsContinue = expectsContinue
    }

    /// How many bytes the head took, with its final empty line.
    public var byteCount: Int { octets.count }

    /// Whether a body follows.
    public var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

    /// As it was sent, percent-encoded.
    public var path: String { String(decoding: octets[pathRange], as: UTF8.self) }

    /// After the `?`, percent-encoded; `nil` when there is none.
    public var query: String? { queryRange.map { String(decoding: octets[$0], as: UTF8.self) } }

    /// Host and port that the client asked for.
    public var authority: String? {
        authorityRange.map { String(decoding: octets[$0], as: UTF8.self) } ?? value(of: "host")
    }

    /// The first value of the field `name`, which must be in lower case.
    public func value(of name: StaticString) -> String? {
        withValue(of: name) { $0.map(Octets.string) }
    }

    /// All values of the field `name` (lower case), in order.
    public func values(of name: StaticString) -> [String] {
        octets.withUnsafeBytes { octets in
            fields.lazy.filter { Octets.equalIgnoringCase($0.name(in: octets), name) }
                .map { Octets.string($0.value(in: octets)) }
        }
    }

    /// The bytes of the first value of `name` (lower case), for the time of `body`.
    public func withValue<R>(of name: StaticString, _ body: (UnsafeRawBufferPointer?) -> R) -> R {
        octets.withUnsafeBytes { octets in
            for field in fields where Octets.equalIgnoringCase(field.name(in: octets), name) {
                return body(field.value(in: octets))
            }
            return body(nil)
        }
    }

    /// All fields in order, for logs and tests.
    public var allFields: [(name: String, value: String)] {
        octets.withUnsafeBytes { octets in
            fields.map { (Octets.string($0.name(in: octets)), Octets.string($0.value(in: octets))) }
        }
    }
}
