import HTTP
import RPC

/// A request that the domain refuses; HTTP and RPC each make their own answer of it.
struct Refusal: Error, Equatable {
    enum Kind: Sendable {
        case invalid, unauthenticated, forbidden, notFound, conflict, gone, tooManyTries, overloaded
    }

    let kind: Kind
    /// Stable, for programs.
    let code: String
    /// For people, in English; safe to show.
    let detail: String
    /// Where in the body (RFC 6901).
    var pointer: String?
    var retryAfter: Duration?

    init(_ kind: Kind, _ code: String, _ detail: String, pointer: String? = nil, retryAfter: Duration? = nil) {
        self.kind = kind
        self.code = code
        self.detail = detail
        self.pointer = pointer
        self.retryAfter = retryAfter
    }

    static func invalid(_ pointer: String, _ detail: String, code: String = "invalid-value") -> Refusal {
        Refusal(.invalid, code, detail, pointer: pointer)
    }

    static let notFound = Refusal(.notFound, "not-found", "There is no such thing here.")

    var problem: Problem {
        let status: HTTPStatus =
            switch kind {
            case .invalid: .unprocessableContent
            case .unauthenticated: .unauthorized
            case .forbidden: .forbidden
            case .notFound: .notFound
            case .conflict: .conflict
            case .gone: .gone
            case .tooManyTries: .tooManyRequests
            case .overloaded: .serviceUnavailable
            }
        return Problem(
            status, code: code, detail: detail,
            errors: pointer.map { [.init(pointer: $0, detail: detail)] } ?? [], retryAfter: retryAfter,
            fields: kind == .unauthenticated ? ["WWW-Authenticate": "Bearer"] : [:])
    }

    var rpc: RPCError {
        let number: RPCError.Code =
            switch kind {
            case .invalid: .invalidParams
            case .unauthenticated, .forbidden: .notAllowed
            case .notFound: .notFound
            case .conflict: .conflict
            case .gone: .gone
            case .tooManyTries, .overloaded: .overloaded
            }
        return RPCError(number, detail, domain: "accounts.\(code)")
    }
}
