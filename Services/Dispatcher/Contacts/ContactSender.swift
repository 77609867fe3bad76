import Contracts
import Domain
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service

/// Sends what is in the queue: text messages and calls through hooks, one after the other until one takes the message; e-mail through
/// the outbox of accounts. It has connections and workers of its own, a database connection for each lane at most, and does nothing
/// for ambulance services.
struct ContactSender: Sendable {
    /// Asking accounts for the person's name, when it is not known, in an emergency …
    private static let urgentNameMax = Duration.seconds(1)
    /// … and otherwise, where the message waits for it.
    private static let nameMax = Duration.seconds(3)

    let queue: ContactQueue
    let desk: ContactDesk
    let hooks: MessageHooks
    let caller: HookCaller
    let tokens: MessageToken
    let accounts: any RPCCaller
    let texts: ContactTexts
    let audit: AuditTrail
    let baseURL: String
    let metrics: ContactMetrics
    let log: Log
    let clock: any WallClock

    /// A worker for each lane.
    var tasks: [BackgroundTask] {
        ContactQueue.Lane.all.map { lane in BackgroundTask(lane.name) { await run(lane) } }
    }

    private func run(_ lane: ContactQueue.Lane) async {
        await desk.filled.rounds(every: queue.times.round) {
            while try await round(lane) == ContactQueue.batchMax {}
        } failed: { error in
            log.warning("messages to contacts wait", ["lane": .string(lane.name), "error": Log.text(of: error)])
        }
    }

    /// Sends what is due in a lane; returns how many messages were taken up.
    @discardableResult
    func round(_ lane: ContactQueue.Lane) async throws -> Int {
        let claimed = try await queue.claim(lane)
        guard !claimed.isEmpty else { return 0 }
        let outcomes = await withTaskGroup(of: ContactQueue.Outcome.self) { group in
            for message in claimed { group.addTask { await send(message) } }
            var outcomes: [ContactQueue.Outcome] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        try await queue.settle(outcomes, audit)
        return claimed.count
    }

    // MARK: One message

    /// Why an attempt failed, and with which hook.
    private struct Failure: Error {
        let reason: String
        var hook: String?
    }

    private func send(_ message: ContactQueue.Claimed) async -> ContactQueue.Outcome {
        do {
            let hook = try await hand(over: message)
            metrics.count("handed-over", message)
            return .init(id: message.id, attempt: message.attempt, state: .handedOver, hook: hook, fault: nil)
        } catch {
            let failure = error as? Failure ?? Failure(reason: "unreadable")
            metrics.count(failure.reason, message)
            log.warning(
                "a message to a contact was not handed over",
                [
                    "message": .string(message.id.description), "channel": .string(message.channel.rawValue),
                    "attempt": .integer(Int64(message.attempt)), "reason": .string(failure.reason),
                ])
            return .init(
                id: message.id, attempt: message.attempt, state: .waiting, hook: failure.hook, fault: failure.reason)
        }
    }

    /// Returns the hook that has taken it.
    private func hand(over message: ContactQueue.Claimed) async throws -> String? {
        var content = try ContactMessage.open(message.sealed, of: message.id, queue.cipher)
        if content.person == nil { content.person = try await name(message) }
        let link = content.token.map { "\(baseURL)/sos/contact#\($0)" }
        let text = texts.text(message.kind, content, by: message.channel, link: link, at: clock.now())
        guard let kind = message.channel.hooks else {
            try await mail(message, content, text)
            return nil
        }
        let all = hooks.all(kind)
        guard let hook = Self.next(all, after: message.hook) else { throw Failure(reason: "no-hook") }
        let call = ContactCall(
            message: .init(
                id: message.id, kind: message.channel, event: message.kind, attempt: message.attempt,
                to: content.contact.phone, language: content.language, text: text.body, sent: clock.now(),
                expires: message.expiresAt, isUrgent: message.kind.isUrgent),
            reply: .init(
                hook: hook.name, token: tokens.of(message.id, hook: hook.name),
                statusURL: "\(baseURL)/dispatcher/v1/contact-messages/\(message.id)/status"))
        let body = try JSONEncoder().encode(call)
        do throws(HookCaller.Failure) {
            // The same id until a hook says that it did not arrive: a provider that has sent it already sends nothing again.
            try await caller.call(
                hook.hook, id: "\(message.id):\(message.failures + 1)", body: body,
                deadline: .after(queue.times.attempt))
        } catch { throw Failure(reason: error.description, hook: hook.name) }
        return hook.name
    }

    /// The hook after the one that was tried last, in a circle.
    static func next(_ hooks: [MessageHook], after last: String?) -> MessageHook? {
        guard let index = hooks.firstIndex(where: { $0.name == last }) else { return hooks.first }
        return hooks[(index + 1) % hooks.count]
    }

    private func mail(
        _ message: ContactQueue.Claimed, _ content: ContactMessage.Content, _ text: ContactTexts.Text
    ) async throws {
        guard let address = content.contact.email else { throw Failure(reason: "no-address") }
        do throws(RPCError) {
            _ = try await accounts.call(
                Accounts.Mail.self,
                .init(
                    id: message.id, address: address, language: content.language, template: "contact-told",
                    values: ["subject": text.subject, "text": text.body]),
                deadline: .after(queue.times.attempt))
        } catch { throw Failure(reason: "accounts-\(error.code.rawValue)") }
    }

    /// Who the person is. In an emergency nobody waits for it; a question without a name would be answered with no.
    private func name(_ message: ContactQueue.Claimed) async throws -> String? {
        let isUrgent = message.kind.isUrgent
        do throws(RPCError) {
            let person = try await accounts.call(
                Accounts.Identity.self, .init(accountID: message.account, purpose: "contacts"),
                deadline: .after(isUrgent ? Self.urgentNameMax : Self.nameMax))
            return "\(person.name) \(person.surname)"
        } catch {
            guard isUrgent || error.code == .notFound else { throw Failure(reason: "no-name") }
            return nil
        }
    }
}

/// What a provider of text messages or calls is sent.
struct ContactCall: Sendable, Encodable {
    struct Summary: Sendable, Encodable {
        let id: UUID
        let kind: ContactMessage.Channel
        let event: ContactMessage.Kind
        let attempt: Int
        let to: PhoneNumber
        let language: Language
        /// To be sent, or spoken.
        let text: String
        let sent: Timestamp
        /// After it the message is of no more use.
        let expires: Timestamp
        let isUrgent: Bool
    }

    struct Reply: Sendable, Encodable {
        let hook: String
        let token: String
        let statusURL: String
    }

    let message: Summary
    let reply: Reply
}

/// A token with which a hook proves that it had a message: derived from message and hook with the service's key.
struct MessageToken: Sendable {
    private let index: BlindIndex

    init(master: SecretKey) {
        index = BlindIndex(master: master, column: "dispatcher.contact_message.token")
    }

    func of(_ message: UUID, hook: String) -> String {
        Base64.url.encode(index.index(message.bytes + Array(hook.utf8)))
    }

    func isValid(_ token: String, of message: UUID, hook: String) -> Bool {
        constantTimeEqual(Array(token.utf8), Array(of(message, hook: hook).utf8))
    }
}

/// The metrics of messages to contacts.
struct ContactMetrics: Sendable {
    private let attempts: MetricFamily<Counter>

    init(_ metrics: Metrics) {
        attempts = metrics.counters(
            "trackme_contact_messages_total", "Attempts to tell contacts, by channel and outcome.",
            labels: ["channel", "outcome"])
    }

    func count(_ outcome: String, _ message: ContactQueue.Claimed) {
        attempts[message.channel.rawValue, outcome].increment()
    }
}
