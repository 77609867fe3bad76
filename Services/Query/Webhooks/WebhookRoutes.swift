import Contracts
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

    @Sendable private func create(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let form = try request.json(WebhookForm.self)
        try form.check(allowsPrivate: services.caller.allowsPrivate)
        let secret = WebhookSecret.random()
        let description = form.description.flatMap { $0.isEmpty ? nil : $0 }
        let webhook = try await store.add(
            Webhook.Content(url: form.url, description: description), Webhook.Secrets(secret),
            payload: form.payload ?? .full, kinds: form.events ?? [], of: requester.account,
            at: services.clock.now())
        desk.changed()
        var response = try HTTPResponse.json(WebhookView(webhook, secret: secret), status: .created).uncached
        response.fields["Location"] = "/query/v1/webhooks/\(webhook.id)"
        return response
    }

    @Sendable private func list(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let webhooks = try await store.all(
            of: requester.account, reporting: services.unreadable, in: store.database)
        return try .json(List(webhooks: webhooks.map { WebhookView($0) }))
    }

    @Sendable private func show(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        try .json(WebhookView(try await found(request, requester)))
    }

    @Sendable private func change(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let id: UUID = try request.parameter("id")
        let form = try request.json(WebhookChange.self)
        try form.check(allowsPrivate: services.caller.allowsPrivate)
        let webhook = try await store.change(id, of: requester.account) { form.apply(to: &$0) }
        desk.changed()
        return try .json(WebhookView(webhook))
    }

    @Sendable private func remove(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        try await store.remove(try request.parameter("id"), of: requester.account)
        desk.changed()
        return .noContent
    }

    @Sendable private func rotate(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let secret = WebhookSecret.random()
        let until = services.clock.now() + services.times.overlap
        let webhook = try await store.change(try request.parameter("id"), of: requester.account) {
            $0.secrets.replace(with: secret, until: until)
        }
        desk.changed()
        return try HTTPResponse.json(WebhookView(webhook, secret: secret)).uncached
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
        let id = UUID.random()
        let body = try JSONEncoder().encode(WebhookPayload(testOf: webhook.id, at: services.clock.now()))
        let answer = try await withPlace {
            await services.caller.call(webhook, id: id, body: body, within: services.times.attempt)
        }
        try await log(WebhookAttempt(of: id, request: nil, kind: WebhookPayload.testType, number: 0, answer), webhook)
        return try .json(CallResult(answer, of: id))
    }

    /// Sends again: one event at once, or all from one or from a time on, in order. Consent is checked as ever.
    @Sendable private func replay(_ request: HTTPRequest, _ requester: Identity) async throws -> HTTPResponse {
        let form = try request.json(ReplayForm.self)
        try form.check()
        let id: UUID = try request.parameter("id")
        if let event = form.eventID {
            return try await sendAgain(event, by: try await found(request, requester), request)
        }
        let point: WebhookStore.ReplayPoint =
            if let event = form.fromEventID { .event(event) } else { .time(form.since ?? services.clock.now()) }
        try await store.rewind(id, of: requester.account, to: point)
        desk.changed()
        return HTTPResponse(.accepted)
    }

    private func sendAgain(
        _ eventID: UUID, by webhook: Webhook, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        let number = try await store.database.queryOne(
            "select number from event where requester_id = \(webhook.requester) and id = \(eventID)", as: Int64.self)
        guard let number else { throw Problem.notFound }
        let page = try await services.writer.log.events(
            of: webhook.requester, after: number - 1, samplesMax: 1, countMax: 1, reporting: services.unreadable,
            in: store.database)
        let authenticator = authenticator
        var delivery = EventDelivery(
            .webhook, to: webhook.requester, at: services.clock.now(), carriesData: webhook.payload == .full
        ) {
            _ = try await authenticator.require(request, Self.reading)
        }
        guard let event = page.events.first, event.id == eventID else { throw Problem.notFound }
        let (permitted, lease) = try await services.permits.permit([event], on: &delivery)
        guard !permitted.isEmpty else { throw Problem.notFound }
        let sent = delivery
        let outcome = try await withPlace {
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

    private func withPlace<R>(_ body: () async throws -> R) async throws -> R {
        guard services.placesByHand.take(waking: EventCounter()) else {
            throw Problem(
                .serviceUnavailable, code: "overloaded", detail: "too many webhooks are being called",
                retryAfter: .seconds(1))
        }
        defer { services.placesByHand.leave() }
        return try await body()
    }
}
