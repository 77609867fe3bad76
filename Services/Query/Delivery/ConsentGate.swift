import Contracts
import HTTP
import Postgres
import Primitives

/// Whether a third party may have the data of one of its requests.
struct ConsentGate: Sendable {
    let database: Database
    let store: RequestStore
    let clock: any WallClock
    /// `nil` where nothing costs anything.
    let pricing: Pricing?

    /// The request, if its data may be delivered now. Errors: as `accepted`, and 402 `payment-required` (PAY-01).
    func open(_ id: UUID, for requester: UUID) async throws -> ConsentRequest {
        let request = try await accepted(id, for: requester)
        try await pricing?.requirePaid(request, in: database)
        return request
    }

    /// The request, if its consent holds now, paid or not. Errors: 404 when it is not this third party's; 403 with
    /// `consent-pending`, `-refused`, `-lapsed`, `-withdrawn` or `-ended`.
    func accepted(_ id: UUID, for requester: UUID) async throws -> ConsentRequest {
        let request = try await find(id, for: requester)
        guard request.state == .accepted, let until = request.accessUntil, until > clock.now() else {
            throw Self.closed(request.state == .accepted ? .ended : request.state)
        }
        return request
    }

    /// A request of this third party that is no check-in, in any state. Errors: 404.
    func find(_ id: UUID, for requester: UUID) async throws -> ConsentRequest {
        guard let request = try await store.find(id, in: database), request.requesterID == requester,
            request.runID == nil
        else { throw Problem.notFound }
        return request
    }

    private static func closed(_ state: ConsentRequest.State) -> Problem {
        Problem(.forbidden, code: "consent-\(state.rawValue)", detail: "the request is \(state.rawValue)")
    }
}
