import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Service

/// What individuals do with requests for their data: `/query/v1/me`.
struct IndividualRoutes: Sendable {
    let authenticator: Authenticator
    let life: RequestLife

    func register(on routes: inout ServiceRoutes) {
        routes.on(.get, "/query/v1/me/requests", list)
        routes.on(.post, "/query/v1/me/requests/:id/acceptance", accept)
        routes.on(.post, "/query/v1/me/requests/:id/refusal") { try await take(.refuse, $0) }
        routes.on(.post, "/query/v1/me/requests/:id/withdrawal") { try await take(.withdraw, $0) }
        routes.on(.get, "/query/v1/me/access-log", accessLog)
    }

    private struct Acceptance: Codable {
        var dataTypes: [DataType]?
    }

    @Sendable private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let individual = try await authenticator.individual(request).account
        let page = try PageQuery(request)
        let requests = try await life.store.requests(
            to: individual, before: page.cursor, limit: page.limit + 1, in: life.database)
        let lastReads = try await AccessLog.lastReads(of: requests.map(\.id), in: life.database)
        let items = requests.map { RequestForIndividual(request: $0, lastReadAt: lastReads[$0.id]) }
        return try .json(Page("requests", items, limit: page.limit) { $0.request.id })
    }

    @Sendable private func accept(_ request: HTTPRequest) async throws -> HTTPResponse {
        let acceptance = request.bytes.isEmpty ? Acceptance() : try request.json(Acceptance.self)
        return try await take(.accept(types: acceptance.dataTypes), request)
    }

    private func take(_ step: RequestStep, _ request: HTTPRequest) async throws -> HTTPResponse {
        let individual = try await authenticator.individual(request).account
        let changed = try await life.take(step, on: try request.parameter("id"), as: individual)
        let lastReads = try await AccessLog.lastReads(of: [changed.id], in: life.database)
        return try .json(RequestForIndividual(request: changed, lastReadAt: lastReads[changed.id]))
    }

    @Sendable private func accessLog(_ request: HTTPRequest) async throws -> HTTPResponse {
        let individual = try await authenticator.individual(request).account
        let page = try PageQuery(request)
        let entries = try await AccessLog.entries(
            of: individual, before: page.cursor, limit: page.limit + 1, store: life.store, in: life.database)
        return try .json(Page("accesses", entries, limit: page.limit, id: \.id))
    }
}
