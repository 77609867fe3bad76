import Contracts
import HTTP
import JSON
import Primitives
import Security
import Service

/// Group requests of third parties: `/query/v1/group-requests`.
struct GroupRoutes: Sendable {
    let groups: GroupRequests

    private static let deadline = Duration.seconds(60)

    func register(on routes: inout ServiceRoutes) {
        routes.on(.post, "/query/v1/group-requests", access: .thirdParty(.groups), deadline: Self.deadline, ask)
        routes.on(.get, "/query/v1/group-requests", access: .thirdParty(.groups), query: .read, list)
    }

    @Sendable private func ask(_ request: HTTPRequest, _ payer: Identity) async throws -> HTTPResponse {
        let body = try request.json(GroupQuestionBody.self)
        let question = try GroupQuestion(body)
        let asked = try JSONEncoder().encode(body)
        return try .json(try await groups.answer(question, asked: asked, by: payer.account))
    }

    @Sendable private func list(_ request: HTTPRequest, _ payer: Identity) async throws -> HTTPResponse {
        let page = try PageQuery(request)
        let entries = try await groups.history(of: payer.account, after: page.after, limit: page.limit + 1)
        return try .json(Page("group_requests", entries, limit: page.limit) { ListPosition($0.askedAt, $0.id) })
    }
}
