import Contracts
import Domain
import HTTP
import Primitives

/// The steps of a request's life (REQ-05, REQ-06, REQ-10). A request is in exactly one state:
///
///     pending ── accept ──▶ accepted ── withdraw ──▶ withdrawn
///        │ │ │                  └────── end ───────▶ ended
///        │ │ └─ refuse ─▶ refused          ▲
///        │ └─── lapse ──▶ lapsed           │
///        └───── end ───────────────────────┘
///
/// The database enforces the same.
enum RequestStep: Sendable, Equatable {
    /// All that was asked for when `types` is `nil`.
    case accept(types: [DataType]?)
    case refuse
    case lapse
    case withdraw
    /// By the requester, or when its time is over.
    case end

    /// The request after this step at `now`. Errors: 409 `request-decided` when the state does not allow it, and `request-pending` for
    /// a withdrawal before the decision; 422 `types-not-requested` or `position-required` for types that cannot be accepted.
    func apply(
        to request: ConsentRequest, at now: Timestamp, settings: RequestSettings
    ) throws(Problem) -> ConsentRequest {
        var next = request
        next.version += 1
        switch (self, request.state) {
        case (.accept(let chosen), .pending):
            guard now < request.lapsesAt else { throw Self.decided(.lapsed) }
            next.acceptedTypes = try Self.accepted(chosen, of: request)
            next.accessUntil = settings.accessEnd(of: request, acceptedAt: now)
            next.state = .accepted
            next.decidedAt = now
            return next
        case (.refuse, .pending):
            guard now < request.lapsesAt else { throw Self.decided(.lapsed) }
            next.state = .refused
        case (.lapse, .pending): next.state = .lapsed
        case (.end, .pending), (.end, .accepted): next.state = .ended
        case (.withdraw, .accepted): next.state = .withdrawn
        case (.withdraw, .pending):
            throw Problem(.conflict, code: "request-pending", detail: "nothing was accepted yet: refuse the request")
        default: throw Self.decided(request.state)
        }
        if request.state == .pending { next.decidedAt = now }
        next.closedAt = now
        return next
    }

    private static func accepted(_ chosen: [DataType]?, of request: ConsentRequest) throws(Problem) -> [DataType] {
        let types = chosen.map { chosen in request.types.filter(chosen.contains) } ?? request.types
        guard !types.isEmpty, types.count == chosen?.count ?? types.count else {
            throw Problem(
                .unprocessableContent, code: "types-not-requested",
                detail: "accept one or more of the requested types, each once",
                errors: [.init(pointer: "/data_types", detail: "not among the requested types, or named twice")])
        }
        // Who runs without a position is on no map and in no ranking (RUN-08).
        guard request.runID == nil || types.contains(.position) else {
            throw Problem(
                .unprocessableContent, code: "position-required", detail: "a check-in shares at least the position",
                errors: [.init(pointer: "/data_types", detail: "position is missing")])
        }
        return types
    }

    private static func decided(_ state: ConsentRequest.State) -> Problem {
        Problem(.conflict, code: "request-decided", detail: "the request is \(state.rawValue) and stays so")
    }
}
