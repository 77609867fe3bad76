import Contracts
import Domain
import Edge
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Telemetry

/// What contacts get by the links in their messages, without an account: the question whether they want to be contacts, and how an
/// emergency stands as long as it lasts (SOS-09, SOS-13e). The token is in the body: in no address, log or history of ours.
///
/// Nobody guesses a token of 256 bits; wrong ones are counted by address because each is a question to the database, and looks with a
/// good one, too, because each is an entry of the audit trail.
struct ContactRoutes: Sendable {
    /// From one address in an hour, in each replica.
    static let wrongMax = 60
    static let looksMax = 6000
    static let window = Duration.seconds(3600)

    let store: ContactStore
    let incidents: IncidentStore
    let keys: ContactKeys
    private let wrong: AddressLimit
    private let looks: AddressLimit

    init(store: ContactStore, incidents: IncidentStore, clock: any WallClock) {
        self.store = store
        self.incidents = incidents
        keys = store.keys
        wrong = AddressLimit(max: Self.wrongMax, window: Self.window, clock: clock)
        looks = AddressLimit(max: Self.looksMax, window: Self.window, clock: clock)
    }

    func add(to routes: inout ServiceRoutes) {
        let path = "/dispatcher/v1/contact-links"
        routes.on(.post, path, access: .secretInRequest, body: .buffered(bytesMax: 1024)) { request in
            try await look(request)
        }
        routes.on(.post, "\(path)/answer", access: .secretInRequest, body: .buffered(bytesMax: 1024)) { request in
            try await answer(request)
        }
    }

    // MARK: Looking

    private struct LookForm: Decodable { let token: String }

    /// What a contact needs, and nothing else: no conditions, no medication, no other contacts, no fiscal code.
    private struct View: Encodable {
        enum Kind: String, Encodable { case question, incident }

        struct Emergency: Encodable {
            let state: IncidentState
            let openedAt: Timestamp
            /// The service that comes.
            let acceptedBy: String?
            /// What that one tells of its work.
            let help: IncidentView.Help?
            let name: String?
            let callbackPhone: PhoneNumber?
            /// Only for who has confirmed to be a contact.
            let causes: [DataType]?
            /// When somebody has pressed the SOS button.
            let sosPressed: Timestamp?
            let position: IncidentMessage.Fix?
        }

        let kind: Kind
        /// Whether the contact wants to be one.
        let answer: ContactStore.State
        let incident: Emergency?
    }

    private func look(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Self.count(request, looks)
        let (_, link) = try await link(try request.json(LookForm.self).token, request)
        guard let id = link.incident else {
            guard let state = link.state else { throw Self.taken }
            return try Self.json(View(kind: .question, answer: state, incident: nil))
        }
        guard let state = link.state else { throw Self.taken }
        guard let record = try await read(id, link), record.incident.stage != .closed, state != .declined else {
            throw Problem(.gone, code: "incident-over", detail: "the emergency is over, or no longer yours to follow")
        }
        let details = record.details
        let isConfirmed = state == .confirmed
        return try Self.json(
            View(
                kind: .incident, answer: state,
                incident: .init(
                    state: record.incident.state, openedAt: record.openedAt, acceptedBy: record.incident.acceptedBy,
                    help: record.incident.help.map { IncidentView.Help($0, openedAt: record.openedAt) },
                    name: details?.person.map { "\($0.name) \($0.surname)" },
                    callbackPhone: details?.enrolment.callbackPhone,
                    causes: isConfirmed ? details?.findings.map(\.type) : nil,
                    sosPressed: isConfirmed ? details?.manual?.at : nil,
                    position: isConfirmed ? details?.fixes.first.map(IncidentMessage.Fix.init) : nil)))
    }

    /// The incident, with an entry of the audit trail.
    private func read(_ id: UUID, _ link: ContactStore.Link) async throws -> IncidentRecord? {
        let audit = incidents.audit.noting(
            "dispatcher.contact_view", by: "contact", purpose: "incident \(id)",
            of: "audit_pseudonym(\(link.account))", onBehalfOf: "null::uuid")
        try await store.database.execute(audit)
        return try await incidents.record(id)
    }

    // MARK: Answering

    private struct AnswerForm: Decodable {
        enum Answer: String, Decodable { case confirmed, declined }

        let token: String
        let answer: Answer
    }

    private struct Answered: Encodable { let answer: ContactStore.State }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let form = try request.json(AnswerForm.self)
        let (token, link) = try await link(form.token, request)
        let answer: ContactStore.State = form.answer == .confirmed ? .confirmed : .declined
        guard link.incident == nil else { throw Problem.notFound }
        switch try await store.answer(answer, with: token) {
        case .done: return try Self.json(Answered(answer: answer))
        case .unknown: throw Self.taken
        case .expired:
            throw Problem(
                .conflict, code: "answered-already",
                detail: link.state == .declined ? "you have declined" : "the question is too old: ask to be named again"
            )
        }
    }

    // MARK: Tokens

    private func link(_ text: String, _ request: HTTPRequest) async throws -> (OneTimeToken, ContactStore.Link) {
        let counted = try Self.count(request, wrong)
        guard let token = OneTimeToken(text), let link = try await store.link(token) else { throw Problem.notFound }
        wrong.takeBack(counted)
        return (token, link)
    }

    @discardableResult
    private static func count(_ request: HTTPRequest, _ limit: AddressLimit) throws(Problem) -> AddressLimit.Counted {
        do throws(AddressLimit.Exceeded) { return try limit.count(request.clientAddress) } catch {
            throw Problem(
                .tooManyRequests, code: "too-many-tries", detail: "too many links from your network",
                retryAfter: error.retryAfter)
        }
    }

    private static func json(_ value: some Encodable) throws -> HTTPResponse { try HTTPResponse.json(value).uncached }

    private static let taken = Problem(
        .gone, code: "contact-removed", detail: "you are no longer named as an emergency contact")
}

/// What hooks say became of messages: delivered, answered or failed, signed as our calls are, with the token of the message.
struct MessageStatusRoutes: Sendable {
    let queue: ContactQueue
    let filled: EventCounter
    let hooks: MessageHooks
    let tokens: MessageToken
    let clock: any WallClock
    /// Members of call-backs that this version does not know.
    let ignoredMembers: Counter

    private struct Reply: Decodable {
        enum State: String, Decodable { case delivered, answered, failed }

        let hook: String
        let token: String
        let attempt: Int
        let state: State
    }

    func add(to routes: inout ServiceRoutes) {
        let path = "/dispatcher/v1/contact-messages/:message/status"
        routes.on(.post, path, access: .secretInRequest, body: .buffered(bytesMax: 4096)) { request in
            let message = try request.parameter("message", as: UUID.self)
            let reply = try request.json(Reply.self, unknownMembers: .counted(ignoredMembers))
            guard let hook = hooks[reply.hook], SignedCall(request, by: hook.secret, now: clock.now()) != nil,
                tokens.isValid(reply.token, of: message, hook: hook.name)
            else { throw SignedCall.refused }
            guard (1...Int(Int32.max)).contains(reply.attempt) else {
                throw Problem(
                    .unprocessableContent, code: "invalid-request", detail: "there was no such attempt",
                    errors: [.init(pointer: "/attempt", detail: "the number in the message")])
            }
            let state: ContactMessage.State =
                switch reply.state {
                case .delivered: .delivered
                case .answered: .answered
                case .failed: .failed
                }
            guard try await queue.report(state, of: message, attempt: reply.attempt, by: hook.name) else {
                throw Problem.notFound
            }
            filled.raise()
            return .noContent
        }
    }
}

/// A call of a message hook, signed as our own are (Standard Webhooks).
struct SignedCall: Sendable {
    let id: String

    /// `nil` when it is not signed with that secret, or not now.
    init?(_ request: HTTPRequest, by secret: WebhookSecret, now: Timestamp) {
        guard let id = request.field("webhook-id"), let timestamp = request.field("webhook-timestamp"),
            let signature = request.field("webhook-signature")
        else { return nil }
        do throws(SecurityError) {
            try WebhookSignature.verify(
                id: id, timestamp: timestamp, signature: signature, body: request.bytes, secrets: [secret], now: now)
        } catch { return nil }
        self.id = id
    }

    static let refused = Problem(
        .unauthorized, code: "signature-refused", detail: "the call is not signed by a hook that was sent this")
}
