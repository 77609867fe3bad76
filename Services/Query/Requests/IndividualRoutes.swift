import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Security
import Service

/// What individuals do with requests for their data: `/query/v1/me`.
struct IndividualRoutes: Sendable {
    let life: RequestLife

    func register(on routes: inout ServiceRoutes) {
        let (requests, individual) = ("/query/v1/me/requests", Access.account(.individual))
        // Nobody consents by a program.
        let owner = Access.logIn(.individual)
        routes.on(.get, requests, access: individual, query: .read) { try await list($0, of: $1.account) }
        routes.on(.post, "\(requests)/:id/acceptance", access: owner) { try await accept($0, as: $1.account) }
        routes.on(.post, "\(requests)/:id/refusal", access: owner) {
            try await decide(.refuse, $0, as: $1.account)
        }
        routes.on(.post, "\(requests)/:id/withdrawal", access: owner) {
            try await decide(.withdraw, $0, as: $1.account)
        }
        routes.on(.get, "/query/v1/me/access-log", access: individual, query: .read) {
            try await accessLog($0, of: $1.account)
        }
    }

    /// All types without `data_types`. `null` is not taken for that: what is shared is said.
    private struct Acceptance: Decodable {
        var dataTypes: [DataType]?

        private enum CodingKeys: String, CodingKey { case dataTypes }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if container.contains(.dataTypes) {
                dataTypes = try container.decode([DataType].self, forKey: .dataTypes)
            }
        }
    }

    /// What a step without a choice may be sent with: nothing, or an object without members.
    private struct NoChoice: Decodable {
        private enum CodingKeys: CodingKey {}

        init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }
    }

    private func list(_ request: HTTPRequest, of individual: UUID) async throws -> HTTPResponse {
        let page = try PageQuery(request)
        let requests = try await life.store.requests(
            to: individual, after: page.after, limit: page.limit + 1, reporting: life.unreadable, in: life.database)
        let lastReads = try await AccessLog.lastReads(of: requests.map(\.position.id), in: life.database)
        let items = requests.map { row in row.map { RequestForIndividual($0, lastReadAt: lastReads[$0.id]) } }
        return try .json(Page("requests", items, limit: page.limit))
    }

    private func accept(_ request: HTTPRequest, as individual: UUID) async throws -> HTTPResponse {
        let acceptance = request.bytes.isEmpty ? Acceptance() : try request.json(Acceptance.self)
        return try await take(.accept(types: acceptance.dataTypes), request, as: individual)
    }

    private func decide(_ step: RequestStep, _ request: HTTPRequest, as individual: UUID) async throws -> HTTPResponse {
        if !request.bytes.isEmpty { _ = try request.json(NoChoice.self) }
        return try await take(step, request, as: individual)
    }

    private func take(_ step: RequestStep, _ request: HTTPRequest, as individual: UUID) async throws -> HTTPResponse {
        let changed = try await life.take(step, on: try request.parameter("id"), as: individual)
        let lastReads = try await AccessLog.lastReads(of: [changed.id], in: life.database)
        return try .json(RequestForIndividual(changed, lastReadAt: lastReads[changed.id]))
    }

    private func accessLog(_ request: HTTPRequest, of individual: UUID) async throws -> HTTPResponse {
        let page = try PageQuery(request)
        let entries = try await AccessLog.entries(
            of: individual, after: page.after, limit: page.limit + 1, store: life.store, reporting: life.unreadable,
            in: life.database)
        return try .json(Page("accesses", entries, limit: page.limit))
    }
}
