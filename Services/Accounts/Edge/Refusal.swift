import HTTP
import JSON
import RPC

/// A request that the domain refuses; HTTP and RPC each make their own answer of it.
struct Refusal: Error, Equatable {
    enum Kind: Sendable {
        case invalid, unauthenticated, forbidden, notFound, conflict, gone, tooManyTries, overloaded
    }

    /// One thing that is wrong with a body.
    struct Fault: Equatable, Sendable {
        /// Where in the body (RFC 6901).
        let pointer: String
        let code: String
        let detail: String
    }

    let kind: Kind
    /// Stable, for programs.
    let code: String
    /// For people, in English; safe to show.
    let detail: String
    private(set) var faults: [Fault]
    let retryAfter: Duration?
    /// More members of the problem (RFC 9457 section 3.2), by their names on the wire.
    var members: [String: JSONValue] = [:]

    /// `faultCode`: what is wrong at the pointer, where that is said more closely than by `code`.
    init(
        _ kind: Kind, _ code: String, _ detail: String, pointer: String? = nil, faultCode: String? = nil,
        retryAfter: Duration? = nil
    ) {
        self.kind = kind
        self.code = code
        self.detail = detail
        faults = pointer.map { [Fault(pointer: $0, code: faultCode ?? code, detail: detail)] } ?? []
        self.retryAfter = retryAfter
    }

    /// One refusal for several of one body: a conflict when all of them are conflicts. Its code is theirs when they have the
    /// same, and otherwise `invalid-request` or, of conflicts, the first's.
    init?(_ refusals: [Refusal]) {
        guard let first = refusals.first else { return nil }
        guard refusals.count > 1 else {
            self = first
            return
        }
        let isConflict = refusals.allSatisfy { $0.kind == .conflict }
        let isAlike = refusals.allSatisfy { $0.code == first.code }
        self.init(
            isConflict ? .conflict : .invalid, isConflict || isAlike ? first.code : "invalid-request",
            "\(first.detail) (and \(refusals.count - 1) more)")
        faults = refusals.flatMap(\.faults)
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
        var problem = Problem(
            status, code: code, detail: detail,
            errors: faults.map { .init(pointer: $0.pointer, code: $0.code, detail: $0.detail) }, retryAfter: retryAfter,
            fields: kind == .unauthenticated ? ["WWW-Authenticate": "Bearer"] : [:])
        problem.members = members
        return problem
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
