public import HTTP
import Primitives
import Security

/// A public document that stays the same as long as the process runs: clients keep it, and ask whether it is still so
/// (RFC 9110 §13.1.2).
public struct KeptDocument: Sendable {
    private let bytes: [UInt8]
    private let tag: String

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tag = "\"\(Base64.url.encode(Array(Digest.sha256(bytes).prefix(12))))\""
    }

    public func response(to request: HTTPRequest) -> HTTPResponse {
        let fields: HTTPFields = ["Cache-Control": "public, no-cache", "ETag": tag]
        // Compared weakly: a compressed answer has a weak tag.
        guard request.field("if-none-match")?.hasSuffix(tag) != true else {
            return HTTPResponse(.notModified, fields: fields)
        }
        return HTTPResponse(.ok, contentType: .json, fields: fields, body: .bytes(bytes))
    }
}
