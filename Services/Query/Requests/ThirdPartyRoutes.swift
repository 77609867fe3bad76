import Contracts
import Domain
import Edge
import HTTP
import Postgres
import Primitives
import Service

/// What third parties do with requests: `/query/v1/requests`.
struct ThirdPartyRoutes: Sendable {
    let creation: RequestCreation
    let batch: RequestBatch
    let life: RequestLife
    let idempotency: Idempotency

    func register(on routes: inout ServiceRoutes) {
        routes.on(.post, "/query/v1/requests", access: .thirdParty(.requests), create)
        routes.on(
            .post, "/query/v1/request-batches", access: .thirdParty(.requests), deadline: RequestBatch.deadline,
            createMany)
        routes.on(.get, "/query/v1/requests", access: .thirdParty(.requests), query: .read, list)
        routes.on(.get, "/query/v1/requests/:id", access: .thirdParty(.requests), show)
        routes.on(.delete, "/query/v1/requests/:id", access: .thirdParty(.requests), end)
    }

    @Sendable private func create(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let draft = try request.json(RequestDraft.self)
        return try await idempotency.respond(to: request, of: requester.account) { claim in
            let created = try await creation.create(draft, by: requester.account) { created, transaction in
                try await claim?.keep(try Self.answer(created), in: transaction)
            }
            return try Self.answer(created)
        }
    }

    private static func answer(_ created: RequestCreation.Created) throws -> HTTPResponse {
        var response = try HTTPResponse.json(created.answer, status: .created)
        response.fields["Location"] = "/query/v1/requests/\(created.request.id)"
        return response
    }

    @Sendable private func createMany(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let draft = try request.json(BatchDraft.self)
        try draft.check(at: creation.clock.now(), creation.settings)
        return try await idempotency.respond(to: request, of: requester.account) { claim in
            try .json(
                BatchAnswer(
                    items: try await batch.create(
                        draft, by: requester.account, until: request.deadline, trace: request.trace, keeping: claim)))
        }
    }

    @Sendable private func list(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let page = try PageQuery(request)
        let requests = try await life.store.requests(
            by: requester.account, after: page.after, limit: page.limit + 1, reporting: life.unreadable,
            in: life.database)
        let ids = requests.map(\.position.id)
        let payments = try await life.pricing?.payments(for: ids, of: requester.account)
        let unavailable = try await AvailabilityStore.unavailable(of: ids, in: life.database)
        let items = requests.map { row in
            row.map { RequestForRequester($0, unavailable: unavailable[$0.id], payments?[$0.id]) }
        }
        return try .json(Page("requests", items, limit: page.limit))
    }

    @Sendable private func show(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let found = try await life.store.find(try request.parameter("id"), in: life.database)
        guard let found, found.requesterID == requester.account else { throw Problem.notFound }
        return try await answer(found)
    }

    @Sendable private func end(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        return try await answer(try await life.end(try request.parameter("id"), by: requester.account))
    }

    private func answer(_ request: ConsentRequest) async throws -> HTTPResponse {
        let payments = try await life.pricing?.payments(for: [request.id], of: request.requesterID)
        let unavailable = try await AvailabilityStore.unavailable(of: [request.id], in: life.database)
        return try .json(RequestForRequester(request, unavailable: unavailable[request.id], payments?[request.id]))
    }
}
