import JSON
import Postgres
import Reactor
import Service
import Synchronization

/// How much mail waits in the outbox, for operators.
struct MailCount: Sendable {
    /// So old the oldest may be before it is told as an error, each `alarmTime` again, and once more when it is over.
    static let ageMax = Duration.seconds(300)
    static let alarmTime = Duration.seconds(60)
    static let interval = Duration.seconds(5)
    /// Mails that are counted: more of them would cost more than the number tells.
    static let countMax = 10_000

    private let store: Store
    private let withholding: Withholding
    private let waiting: Gauge
    private let oldest: Gauge
    private let log: Log
    private let alarm: AlarmPace

    init(store: Store, withholding: Withholding, metrics: Metrics, log: Log) {
        self.store = store
        self.withholding = withholding
        self.log = log
        alarm = AlarmPace(every: Self.alarmTime)
        waiting = metrics.gauge(
            "trackme_mail_waiting", "Mails of all processes that are not delivered yet, counted up to \(Self.countMax)."
        )
        oldest = metrics.gauge("trackme_mail_oldest_seconds", "Age of the oldest of them.")
    }

    func count() async throws(PostgresError) {
        let found = try await store.database.queryOne(
            """
            select count(*), coalesce(extract(epoch from \(store.now()) - min(created_at)), 0)::float8
            from (select created_at from mail where sent_at is null order by created_at limit \(Self.countMax)) waiting
            """, as: Int.self, Double.self)
        waiting.set(Double(found?.0 ?? 0))
        let age = max(0, found?.1 ?? 0)
        oldest.set(age)
        guard age > Double(Self.ageMax.components.seconds) else {
            if alarm.end() { log.info("mail leaves again") }
            return
        }
        // While erasures are done again ordinary mail is to wait, which is told elsewhere.
        guard !withholding.isOn, alarm.isDue() else { return }
        log.error(
            "mail does not leave: see what the mail program says",
            ["waiting": .integer(Int64(found?.0 ?? 0)), "oldest_s": .integer(Int64(age))])
    }
}

/// Lets something be said once in a while, and that it is over.
private final class AlarmPace: Sendable {
    private let pause: Duration
    /// When it is to be said again, once it was.
    private let next = Mutex<Deadline?>(nil)

    init(every pause: Duration) { self.pause = pause }

    func isDue() -> Bool {
        next.withLock { next in
            guard next?.hasPassed ?? true else { return false }
            next = .after(pause)
            return true
        }
    }

    /// Whether it was said since the last end.
    func end() -> Bool {
        next.withLock { next in
            defer { next = nil }
            return next != nil
        }
    }
}
