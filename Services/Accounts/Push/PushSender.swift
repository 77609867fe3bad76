import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Sends the push messages of the outbox: at least once, several at a time. One that a push service does not take is tried
/// again with growing pauses until it has no use any more.
///
/// Alarms go in a lane of their own, and a message that is over makes room for the next, so that push services that are
/// slow hold up nobody else.
struct PushSender: Sendable {
    /// Messages of a lane that are on their way at once.
    static let underWayMax = 32
    /// How long a message is left to the replica that sends it, also after a crash.
    static let claimTime = Duration.seconds(30)
    /// Longest pause between two tries.
    static let pauseMax = Duration.seconds(600)
    static let attemptsMax = 20
    /// How long a message waits for a key store that is away.
    static let keyPause = Duration.seconds(2)

    let store: Store
    let caller: PushCaller
    let outcomes: MetricFamily<Counter>
    /// While it is on, only alarms go: the rest may be for who was erased since the backup.
    let withholding: Withholding
    let log: Log

    var tasks: [BackgroundTask] {
        [
            BackgroundTask("push-alarms") { try await send([.alarm]) },
            BackgroundTask("push") { try await send([.request, .checkIn]) },
        ]
    }

    /// Sends the messages of these kinds as they fall due, until the task is cancelled; with `untilNoneIsDue` those of now.
    func send(_ kinds: [PushKind], untilNoneIsDue: Bool = false) async throws {
        try await OutboxLane(underWayMax: Self.underWayMax, arrived: store.pushArrived).run(
            untilNoneIsDue: untilNoneIsDue, claim: { try await claim(kinds, max: $0) }, send: { try await send($0) })
    }

    private struct Due: PostgresRowDecodable, Sendable {
        let subscription: UUID
        let account: UUID
        let kind: String
        let message: UUID
        let attempts: Int32
        let expiresAt: Timestamp
        let content: [UInt8]
        let language: String

        init(row: PostgresRow) throws(PostgresError) {
            subscription = try row["subscription"]
            account = try row["account"]
            kind = try row["kind"]
            message = try row["message"]
            attempts = try row["attempts"]
            expiresAt = try row["expires_at"]
            content = try row["content"]
            language = try row["language"]
        }
    }

    /// A message with its account's key, or why there is none.
    private struct Claimed: Sendable {
        let push: Due
        let key: Result<SubjectKey, any Error>
    }

    /// Keys are asked for together; a key store that is away holds up nobody whose key is in memory.
    private func claim(_ kinds: [PushKind], max: Int) async throws -> [Claimed] {
        let kinds = withholding.isOn ? kinds.filter { $0 == .alarm } : kinds
        guard !kinds.isEmpty else { return [] }
        let now = store.now()
        let due = try await store.database.query(
            """
            with due as materialized (
              select subscription, kind from push
              where kind = any(\(kinds.map(\.rawValue))) and \(sql: Self.isDue(at: now))
              order by due_at limit \(max) for update skip locked)
            update push p set due_at = \(now + Self.claimTime), attempts = p.attempts + 1
            from due d, push_subscription s join account a on a.id = s.account
            where p.subscription = d.subscription and p.kind = d.kind and s.id = p.subscription
            returning p.subscription, p.kind, p.message, p.attempts, p.expires_at, s.account, s.content, a.language
            """, as: Due.self)
        let keys = await store.keys.keysAtHand(of: due.map(\.account))
        return due.map { Claimed(push: $0, key: keys[$0.account] ?? .failure(KeyMissing())) }
    }

    private func send(_ claimed: Claimed) async throws {
        let push = claimed.push
        let life = push.expiresAt - store.now()
        guard life >= .seconds(1), push.attempts <= Self.attemptsMax else {
            return try await drop(push, "expired")
        }
        if case .failure(let error) = claimed.key, SubjectKeys.isAway(error) {
            // Nothing was tried: the attempt does not count, but it is tried again no sooner.
            outcomes["waiting"].increment()
            return try await postpone(push, Self.keyPause, attempts: max(1, push.attempts - 1))
        }
        let outcome: PushCaller.Outcome
        do {
            guard let kind = PushKind(rawValue: push.kind) else { throw StoredValueError(column: "push.kind") }
            let address = try store.columns.open(
                push.content, as: PushAddress.self, .push, row: push.subscription, with: claimed.key.get())
            outcome = try await caller.send(
                kind, PushMessage(kind, in: try Language.stored(push.language)), to: address, life: min(life, kind.life)
            )
        } catch {
            // What cannot be read may be readable with another key, so the subscription stays.
            tell(push, Log.text(of: error))
            return try await drop(push, "unreadable")
        }
        switch outcome {
        case .taken: try await drop(push, "taken")
        case .gone:
            outcomes["gone"].increment()
            try await store.database.execute("delete from push_subscription where id = \(push.subscription)")
        case .refused(let reason):
            tell(push, .string(reason))
            try await drop(push, "refused")
        case .failed(let reason, let pause):
            outcomes["failed"].increment()
            log.info(
                "a push message is tried again",
                ["subscription": .string(push.subscription.description), "reason": .string(reason)])
            try await postpone(push, min(Self.pauseMax, max(pause ?? .zero, Self.pause(after: push.attempts))))
        }
    }

    private func tell(_ push: Due, _ reason: JSONValue) {
        log.warning(
            "a push message was given up",
            ["subscription": .string(push.subscription.description), "kind": .string(push.kind), "reason": reason])
    }

    /// Removes a message, unless a newer one has taken its place.
    private func drop(_ push: Due, _ outcome: String) async throws {
        outcomes[outcome].increment()
        try await store.database.execute(
            """
            delete from push
            where subscription = \(push.subscription) and kind = \(push.kind) and message = \(push.message)
            """)
    }

    private func postpone(_ push: Due, _ pause: Duration, attempts: Int32? = nil) async throws {
        try await store.database.execute(
            """
            update push set due_at = \(store.now() + pause), attempts = \(attempts ?? push.attempts)
            where subscription = \(push.subscription) and kind = \(push.kind) and message = \(push.message)
            """)
    }

    /// A message is due that was never tried, or whose time has come; also one whose time is further ahead than any pause: it
    /// was postponed before the clock was set back.
    private static func isDue(at now: Timestamp) -> SQL {
        "(due_at <= \(now) or attempts = 0 or due_at > \(now + pauseMax))"
    }

    /// 1 s, 2 s, 4 s, … up to `pauseMax`.
    static func pause(after attempts: Int32) -> Duration {
        min(pauseMax, .seconds(Int64(1) << Int64(min(max(0, attempts - 1), 12))))
    }
}
