import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Service

/// What third parties do with requests: `/query/v1/requests`.
struct ThirdPartyRoutes: Sendable {
    let creation: RequestCreation
    let life: RequestLife

    func register(on routes: inout ServiceRoutes) {
        routes.on(.post, "/query/v1/requests", access: .thirdParty(.requests), create)
        routes.on(.get, "/query/v1/requests", access: .thirdParty(.requests), query: .read, list)
        routes.on(.get, "/query/v1/requests/:id", access: .thirdParty(.requests), show)
        routes.on(.delete, "/query/v1/requests/:id", access: .thirdParty(.requests), end)
    }

    @Sendable private func create(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let created = try await creation.create(try request.json(RequestDraft.self), by: requester.account)
        var response = try HTTPResponse.json(
            RequestCreated(
                id: created.request.id, state: created.request.state, unavailableTypes: created.unavailable),
            status: .created)
        response.fields["Location"] = "/query/v1/requests/\(created.request.id)"
        return response
    }

    @Sendable private func list(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let page = try PageQuery(request)
        let requests = try await life.store.requests(
            by: requester.account, after: page.after, limit: page.limit + 1, reporting: life.unreadable,
            in: life.database)
        return try .json(
            Page("requests", requests.map { row in row.map { RequestForRequester($0) } }, limit: page.limit))
    }

    @Sendable private func show(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let found = try await life.store.find(try request.parameter("id"), in: life.database)
        guard let found, found.requesterID == requester.account else { throw Problem.notFound }
        return try .json(RequestForRequester(found))
    }

    @Sendable private func end(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        return try .json(
            RequestForRequester(try await life.end(try request.parameter("id"), by: requester.account)))
    }
}
