import Contracts
import HTTP
import Primitives
import Service
import Statistics

/// Group requests of third parties: `/query/v1/group-requests`.
struct GroupRoutes: Sendable {
    let groups: GroupRequests
    let history: GroupHistory

    private static let deadline = Duration.seconds(60)

    private var asksForPayment: Bool { history.pricing != nil }

    func register(on routes: inout ServiceRoutes) {
        routes.on(.post, "/query/v1/group-requests", access: .thirdParty(.groups), deadline: Self.deadline, ask)
        routes.on(.get, "/query/v1/group-requests", access: .thirdParty(.groups), query: .read, list)
        routes.on(.get, "/query/v1/group-requests/:id", access: .thirdParty(.groups), show)
    }

    /// An answer that costs something is made before it is paid: what is not answered costs nothing. That it would be answered is
    /// all that is told before.
    @Sendable private func ask(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let body = try request.json(GroupQuestionBody.self)
        let answered = try await groups.answer(body, by: requester.account)
        let kept = try await history.record(answered, by: requester.account)
        return try .json(GroupAnswer(kept, asksForPayment: asksForPayment))
    }

    @Sendable private func list(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let page = try PageQuery(request)
        let entries = try await history.requests(of: requester.account, after: page.after, limit: page.limit + 1)
            .map { GroupHistoryEntry($0, asksForPayment: asksForPayment) }
        return try .json(Page("group_requests", entries, limit: page.limit) { ListPosition($0.askedAt, $0.id) })
    }

    /// Errors: 402 `payment-required`, 410 `not-paid-in-time`.
    @Sendable private func show(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let found = try await history.request(try request.parameter("id"), of: requester.account)
        guard let found else { throw Problem.notFound }
        switch found.access(asksForPayment: asksForPayment) {
        case .due(let invoice): throw invoice.paymentRequired
        case .over: throw GroupRequest.notPaidInTime
        case .given: return try .json(GroupHistoryEntry(found, asksForPayment: asksForPayment))
        }
    }
}
