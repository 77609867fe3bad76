/// A request method that this server knows (RFC 9110 §9.3, RFC 5789). CONNECT and TRACE are not supported (501).
public enum HTTPMethod: UInt8, Sendable, CaseIterable, CustomStringConvertible {
    case get, head, post, put, patch, delete, options

    public var description: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        }
    }

    /// Whether it asks for nothing to be changed (RFC 9110 §9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options }

    /// Whether a repeat has no further effect (RFC 9110 §9.2.2).
    public var isIdempotent: Bool { self != .post && self != .patch }

    /// Methods are case-sensitive.
    init?(token: UnsafeRawBufferPointer) {
        switch token.count {
        case 3 where Octets.equal(token, "GET"): self = .get
        case 3 where Octets.equal(token, "PUT"): self = .put
        case 4 where Octets.equal(token, "POST"): self = .post
        case 4 where Octets.equal(token, "HEAD"): self = .head
        case 5 where Octets.equal(token, "PATCH"): self = .patch
        case 6 where Octets.equal(token, "DELETE"): self = .delete
        case 7 where Octets.equal(token, "OPTIONS"): self = .options
        default: return nil
        }
    }
}
