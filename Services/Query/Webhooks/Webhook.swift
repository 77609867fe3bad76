import HTTP
import Postgres
import Primitives
import Security

/// A server of a third party that is sent its events (SUB-02).
struct Webhook: Sendable {
    enum Payload: String, Codable, CaseIterable, Sendable, PostgresCodable {
        /// What has happened, with a link to all of it.
        case thin
        /// The event as it is in pages and streams.
        case full
    }

    enum State: String, Codable, CaseIterable, Sendable, PostgresCodable {
        case active
        /// By the third party; events wait.
        case paused
        /// By this service, for a reason; events wait.
        case disabled
    }

    /// Why one was disabled.
    enum Reason: String, Codable, CaseIterable, Sendable, PostgresCodable {
        /// Every attempt has failed for `WebhookTimes.failingMax`.
        case failing
        /// The receiver has answered 410.
        case gone
    }

    /// What is sealed of it.
    struct Content: Codable, Sendable {
        var url: String
        var description: String?
    }

    /// The secrets that sign, sealed.
    struct Secrets: Codable, Sendable {
        var current: String
        var previous: String?
        var previousUntil: Timestamp?

        init(_ secret: WebhookSecret) { current = secret.text }

        /// Replaces the secret; the one before signs, too, until a time.
        mutating func replace(with secret: WebhookSecret, until end: Timestamp) {
            (previous, previousUntil) = (current, end)
            current = secret.text
        }

        /// Until when the one before signs, too; `nil` when it does no longer.
        func overlapEnd(at now: Timestamp) -> Timestamp? { previousUntil.flatMap { now < $0 ? $0 : nil } }

        /// Those that sign at a time, the newest first.
        func signing(at now: Timestamp) throws(SecurityError) -> [WebhookSecret] {
            var secrets = [try WebhookSecret(current)]
            if let previous, overlapEnd(at: now) != nil { secrets.append(try WebhookSecret(previous)) }
            return secrets
        }
    }

    let id: UUID
    let requester: UUID
    var content: Content
    var secrets: Secrets
    var payload: Payload
    /// Those that are sent; empty is all.
    var kinds: [Event.Kind]
    var state: State
    var reason: Reason?
    let position: Int64
    let failingSince: Timestamp?
    let createdAt: Timestamp
    /// People of whom something is tried again.
    let heldCount: Int

    func sends(_ event: Event) -> Bool { kinds.isEmpty || kinds.contains(event.kind) }
}

/// Intervals and limits of sending. Tests use shorter ones.
struct WebhookTimes: Sendable {
    /// Pauses after an event's failures, over three days (Standard Webhooks); then it is given up. Each is prolonged at random by up
    /// to a fifth.
    var pauses: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(5 * 3600), .seconds(10 * 3600),
        .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
    ]
    /// Pauses while a receiver as a whole is down; the last one again and again.
    var probes: [Duration] = [.seconds(5), .seconds(30), .seconds(120), .seconds(300), .seconds(900)]
    /// Of one attempt, connecting included.
    var attempt = Duration.seconds(15)
    /// The longest that `Retry-After` is respected.
    var retryAfterMax = Duration.seconds(3600)
    /// A webhook whose every attempt has failed for so long is disabled.
    var failingMax = Duration.seconds(3 * 86_400)
    /// For how long an old secret signs, too.
    var overlap = Duration.seconds(86_400)
    /// By the clock of the database.
    var lease = Duration.milliseconds(1500)
    /// How often leases are renewed and free webhooks taken up.
    var round = Duration.milliseconds(400)
    /// How often what was done is written.
    var write = Duration.milliseconds(50)
    /// After a failure of the database, say, which is nobody's attempt.
    var pause = Duration.seconds(1)
    /// How often accounts is asked whose account is in order, and how long an answer holds.
    var standing = Duration.seconds(5)
    var standingMax = Duration.seconds(60)
    /// An answer that takes longer makes a receiver slow: it gets fewer calls at the same time.
    var slow = Duration.seconds(2)
    /// One row in the log of accesses of a person is for so long, at most.
    var delivery = Duration.seconds(3600)

    /// With so many people held, and nothing but failures, a receiver is down as a whole.
    var heldMin = 100
    /// With so many, nothing further is begun until there are fewer.
    var heldMax = 10_000

    /// The pause after that many failures of an event; `nil` when it is given up.
    func pause(afterFailures count: Int) -> Duration? {
        guard count <= pauses.count else { return nil }
        return pauses[max(0, count - 1)] * Double.random(in: 1...1.2)
    }

    func probePause(afterFailures count: Int) -> Duration {
        probes[min(max(0, count), probes.count - 1)] * Double.random(in: 1...1.2)
    }
}
