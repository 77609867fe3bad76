import HTTP
public import JSON
import Primitives
public import Reactor
public import Security
import Synchronization

/// An ambulance service's side of AutomatedSOS as it should be, small enough to be read: takes messages, tells repeats and old ones, and
/// accepts or rejects incidents by calls back, which it sends until they are answered.
///
/// It keeps what it knows in memory; a real one writes it to disk before it answers.
public final class ReferenceReceiver: Sendable {
    static let probePrefix = "probe:"

    /// What it does with an incident that is new to it.
    public enum Answer: Sendable {
        case accept
        /// With a word of the document: `no-vehicle`, say.
        case reject(reason: String)
        /// Nothing, until `answerAll` is called.
        case wait
    }

    public struct Settings: Sendable {
        public var secrets: [WebhookSecret]
        public var answer = Answer.accept
        /// Tells of its work: that somebody has the incident, that an ambulance is on its way, and when it is expected.
        public var tellsProgress = false
        /// Says that the emergency is over, so long after it has accepted it.
        public var closesAfter: Duration?
        /// Pauses between attempts to send a call back; the last one is repeated.
        public var pauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(5)]

        public init(secrets: [WebhookSecret]) { self.secrets = secrets }
    }

    struct Known {
        var sequence: Int
        var isOpen = true
        var isAnswered = false
        var reply: AmbulanceMessage.Reply
    }

    struct State {
        /// Incidents, those of before first.
        var incidents: [UUID: Known] = [:]
        var order: [UUID] = []
        /// The ids of the last messages.
        var seen: Set<String> = []
        var seenInOrder: [String] = []
        var server: HTTPServer?
    }

    private static let knownMax = 10_000

    let settings: Settings
    let client: HTTPClient
    let loop: EventLoop
    private let show: @Sendable (JSONObject) -> Void
    let state = Mutex(State())

    /// Takes `POST /incidents` at `endpoint`; `show` gets what happens, one object at a time. Errors: the address is taken.
    public static func start(
        at endpoint: Endpoint, _ settings: Settings, loops: EventLoopGroup,
        show: @escaping @Sendable (JSONObject) -> Void
    ) async throws(IOError) -> ReferenceReceiver {
        // Without certificate authorities it answers over http, on this machine.
        let tls = try? TLSContext.client(oldest: .tls12)
        let receiver = ReferenceReceiver(settings, tls: tls, on: loops.next(), show: show)
        var router = HTTPRouter()
        router.on(.post, "/incidents") { request in receiver.take(request) }
        let server = try await HTTPServer.start(at: endpoint, router: router, loops: loops)
        receiver.state.withLock { $0.server = server }
        return receiver
    }

    private init(
        _ settings: Settings, tls: TLSContext?, on loop: EventLoop, show: @escaping @Sendable (JSONObject) -> Void
    ) {
        self.settings = settings
        self.loop = loop
        self.show = show
        var configuration = HTTPClient.Configuration()
        // Where the dispatcher says that it is.
        configuration.allowPrivateAddresses = true
        client = HTTPClient(on: loop, tls: tls, configuration: configuration)
    }

    public var port: UInt16 { state.withLock { $0.server?.port ?? 0 } }

    /// Call on a loop.
    public func stop() async {
        let server = state.withLock { $0.server }
        await server?.shutdown(grace: .seconds(1))
        client.close()
    }

    /// Answers all incidents that are open and not answered.
    public func answerAll(_ answer: Answer) {
        let waiting = state.withLock { state in
            state.order.filter { state.incidents[$0].map { $0.isOpen && !$0.isAnswered } ?? false }
        }
        for incident in waiting { self.answer(incident, answer) }
    }

    // MARK: Messages

    private func take(_ request: HTTPRequest) -> HTTPResponse {
        let (id, body) = (request.field("webhook-id") ?? "", request.bytes)
        do throws(SecurityError) {
            try WebhookSignature.verify(
                id: id, timestamp: request.field("webhook-timestamp") ?? "",
                signature: request.field("webhook-signature") ?? "", body: body, secrets: settings.secrets, now: .now())
        } catch {
            tell("refused", ["webhook_id": .string(id), "why": .string("\(error)")])
            return HTTPResponse(.unauthorized)
        }
        guard let message = AmbulanceMessage(body, contentType: request.field("content-type") ?? "") else {
            tell("refused", ["webhook_id": .string(id), "why": "it is no message"])
            return HTTPResponse(.badRequest)
        }
        guard case .incident(let incident, let sequence, let kind, let mode, let reply) = message.content else {
            return HTTPResponse(.noContent)
        }
        let isNews = state.withLock { $0.note(id, incident, sequence, kind, reply, max: Self.knownMax) }
        var fields: JSONObject = [
            "incident": .string(incident.description), "sequence": .integer(Int64(sequence)), "mode": .string(mode),
        ]
        guard isNews else {
            tell("repeated", fields)
            return HTTPResponse(.noContent)
        }
        fields["message"] = message.value
        tell(kind, fields)
        answer(incident, settings.answer)
        return HTTPResponse(.noContent)
    }

    /// One line about what happened.
    func tell(_ event: String, _ fields: JSONObject) {
        var line: JSONObject = ["at": .string(Timestamp.now().description), "event": .string(event)]
        for member in fields.members { line[member.key] = member.value }
        show(line)
    }

    // MARK: Answers

    /// Once for each incident that is open.
    private func answer(_ incident: UUID, _ answer: Answer) {
        if case .wait = answer { return }
        let reply: AmbulanceMessage.Reply? = state.withLock { state in
            guard let known = state.incidents[incident], known.isOpen, !known.isAnswered else { return nil }
            state.incidents[incident]?.isAnswered = true
            return known.reply
        }
        guard let reply else { return }
        _ = loop.task { [self] in
            switch answer {
            case .accept: await accept(incident, reply)
            case .reject(let reason): await reject(incident, reply, reason)
            case .wait: break
            }
        }
    }

    func isOpen(_ incident: UUID) -> Bool { state.withLock { $0.incidents[incident]?.isOpen ?? false } }
}

extension ReferenceReceiver.State {
    /// Takes a message up; false for a repeat, and for an old one that comes late.
    mutating func note(
        _ id: String, _ incident: UUID, _ sequence: Int, _ kind: String, _ reply: AmbulanceMessage.Reply, max: Int
    ) -> Bool {
        guard seen.insert(id).inserted else { return false }
        seenInOrder.append(id)
        if seenInOrder.count > max { seen.remove(seenInOrder.removeFirst()) }
        if let known = incidents[incident], known.sequence >= sequence { return false }
        var known = incidents[incident] ?? ReferenceReceiver.Known(sequence: sequence, reply: reply)
        let isNew = incidents[incident] == nil
        known.sequence = sequence
        known.reply = reply
        switch kind {
        case "cancel", "resolved": known.isOpen = false
        // Cancelled before, and needed again: another service has handed it back.
        case _ where !known.isOpen: (known.isOpen, known.isAnswered) = (true, false)
        default: break
        }
        incidents[incident] = known
        if isNew {
            order.append(incident)
            if order.count > max { incidents[order.removeFirst()] = nil }
        }
        return true
    }
}
