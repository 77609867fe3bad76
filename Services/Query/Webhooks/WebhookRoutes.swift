import Contracts
import Edge
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Webhooks of third parties: `/query/v1/webhooks`. Programs may look at them, test them and have events sent again; where data goes,
/// and what it is signed with, only somebody who has logged in decides, as with the credentials of programs (accounts' `/clients`).
struct WebhookRoutes: Sendable {
    private static let reading = Access.thirdParty(.requests)
    private static let changing = Access.logIn(.thirdParty)

    let store: WebhookStore
    let services: WebhookServices
    let desk: WebhookDesk
    let authenticator: Authenticator
    let idempotency: Idempotency

    func register(on routes: inout ServiceRoutes) {
        let path = "/query/v1/webhooks"
        let callMax = services.times.attempt + .seconds(10)
        routes.on(.post, path, access: Self.changing, create)
        routes.on(.get, path, access: Self.reading, list)
        routes.on(.get, "\(path)/:id", access: Self.reading, show)
        routes.on(.patch, "\(path)/:id", access: Self.changing, change)
        routes.on(.delete, "\(path)/:id", access: Self.changing, remove)
        routes.on(.post, "\(path)/:id/secret", access: Self.changing, rotate)
        routes.on(.post, "\(path)/:id/test", access: Self.reading, deadline: callMax, test)
        routes.on(.post, "\(path)/:id/replay", access: Self.reading, deadline: callMax, replay)
        routes.on(.get, "\(path)/:id/attempts", access: Self.reading, query: .read, attempts)
    }

    private struct List: Encodable { let webhooks: [WebhookView] }

    // MARK: What there is

    private func view(_ webhook: Webhook, _ secret: WebhookSecret? = nil) -> WebhookView {
        WebhookView(webhook, secret: secret, at: services.clock.now())
    }

    @Sendable private func create(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let form = try request.json(WebhookForm.self)
        try form.check(allowsPrivate: services.caller.allowsPrivate)
        let secret = WebhookSecret.random()
        let content = Webhook.Content(
            url: form.url, description: form.description.flatMap { $0.isEmpty ? nil : $0 })
        let (store, now) = (store, services.clock.now())
        let response = try await idempotency.respond(to: request, of: requester.account) { transaction in
            let webhook = try await store.add(
                content, Webhook.Secrets(secret), payload: form.payload ?? .full, kinds: form.events ?? [],
                of: requester.account, at: now, in: transaction)
            var response = try HTTPResponse.json(view(webhook, secret), status: .created).uncached
            response.fields["Location"] = "/query/v1/webhooks/\(webhook.id)"
            return response
        }
        desk.changed()
        return response
    }

    @Sendable private func list(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let webhooks = try await store.all(
            of: requester.account, reporting: services.unreadable, in: store.database)
        return try .json(List(webhooks: webhooks.map { view($0) }))
    }

    @Sendable private func show(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        try .json(view(try await found(request, requester)))
    }

    @Sendable private func change(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let id: UUID = try request.parameter("id")
        let form = try request.json(WebhookChange.self)
        try form.check(allowsPrivate: services.caller.allowsPrivate)
        let store = store
        let webhook = try await store.database.transaction { transaction in
            try await store.change(id, of: requester.account, in: transaction) { form.apply(to: &$0) }
        }
        desk.changed()
        return try .json(view(webhook))
    }

    @Sendable private func remove(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        try await store.remove(try request.parameter("id"), of: requester.account)
        desk.changed()
        return .noContent
    }

    /// Twice in a row no receiver would know a secret that signs: a repeat under its key is answered with the same one.
    @Sendable private func rotate(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let id: UUID = try request.parameter("id")
        let secret = WebhookSecret.random()
        let until = services.clock.now() + services.times.overlap
        let store = store
        let response = try await idempotency.respond(to: request, of: requester.account) { transaction in
            let webhook = try await store.change(id, of: requester.account, in: transaction) {
                $0.secrets.replace(with: secret, until: until)
            }
            return try HTTPResponse.json(view(webhook, secret)).uncached
        }
        desk.changed()
        return response
    }

    // MARK: What was sent

    @Sendable private func attempts(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let page = try PageQuery(request)
        let webhook = try await found(request, requester)
        let attempts = try await WebhookAttempts.all(
            of: webhook.id, after: page.after, limit: page.limit + 1, in: store.database)
        return try .json(Page("attempts", attempts, limit: page.limit) { ListPosition($0.began, $0.id) })
    }

    /// A call at once, whatever the webhook's state.
    @Sendable private func test(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let webhook = try await found(request, requester)
        try await HandLimit.count(for: requester.account, in: store.database)
        let id = UUID.random()
        let body = try JSONEncoder().encode(WebhookPayload(testOf: webhook.id, at: services.clock.now()))
        let answer = try await withPlace(for: requester.account) {
            await services.caller.call(webhook, id: id, body: body, within: services.times.attempt)
        }
        try await log(WebhookAttempt(of: id, request: nil, kind: WebhookPayload.testType, number: 0, answer), webhook)
        return try .json(CallResult(answer, of: id))
    }

    /// Sends again: one event at once, or all from one or from a time on, in order. Consent is checked as ever.
    @Sendable private func replay(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let form = try request.json(ReplayForm.self)
        try form.check()
        if let event = form.eventID {
            return try await sendAgain(event, by: try await found(request, requester), request)
        }
        let webhook = try await found(request, requester)
        try await HandLimit.count(for: requester.account, in: store.database)
        let point: WebhookStore.ReplayPoint =
            if let event = form.fromEventID { .event(event) } else { .time(form.since ?? services.clock.now()) }
        try await store.rewind(webhook.id, of: requester.account, to: point)
        desk.changed()
        return HTTPResponse(.accepted)
    }

    private func sendAgain(
        _ eventID: UUID, by webhook: Webhook, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        let event = try await services.writer.log.event(
            eventID, of: webhook.requester, reporting: services.unreadable, in: store.database)
        guard let event else { throw Problem.notFound }
        try await HandLimit.count(for: webhook.requester, in: store.database)
        let authenticator = authenticator
        var delivery = EventDelivery(
            .webhook, to: webhook.requester, at: services.clock.now(), carriesData: webhook.payload == .full
        ) {
            _ = try await authenticator.require(request, Self.reading)
        }
        let (permitted, lease) = try await services.permits.permit([event], on: &delivery)
        guard !permitted.isEmpty else { throw Problem.notFound }
        let sent = delivery
        let outcome = try await withPlace(for: webhook.requester) {
            try await services.send(event, to: webhook, on: sent, until: lease)
        }
        guard case .answered(let answer) = outcome else { throw Problem.notFound }
        try await log(
            WebhookAttempt(of: event.id, request: event.request, kind: event.kind.rawValue, number: 0, answer), webhook)
        return try .json(CallResult(answer, of: event.id))
    }

    private func log(_ attempt: WebhookAttempt, _ webhook: Webhook) async throws {
        try await store.database.execute(WebhookAttempts.insert([attempt], of: webhook.id))
    }

    private func found(_ request: HTTPRequest, _ requester: Identity) async throws -> Webhook {
        try await store.find(try request.parameter("id"), of: requester.account, in: store.database)
    }

    private func withPlace<R>(for account: UUID, _ body: () async throws -> R) async throws -> R {
        guard services.placesByHand.take(for: account, waking: EventCounter()) else {
            throw Problem(
                .serviceUnavailable, code: "overloaded", detail: "too many webhooks are being called",
                retryAfter: .seconds(1))
        }
        defer { services.placesByHand.leave(account) }
        return try await body()
    }
}
