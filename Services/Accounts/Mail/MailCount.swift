import Postgres
import Reactor
import Service

/// How much mail waits in the outbox, for operators.
struct MailCount: Sendable {
    static let interval = Duration.seconds(5)
    /// Mails that are counted: more of them would cost more than the number tells.
    static let countMax = 10_000

    private let store: Store
    private let waiting: Gauge
    private let oldest: Gauge

    init(store: Store, metrics: Metrics) {
        self.store = store
        waiting = metrics.gauge(
            "trackme_mail_waiting", "Mails of all processes that are not delivered yet, counted up to \(Self.countMax)."
        )
        oldest = metrics.gauge("trackme_mail_oldest_seconds", "Age of the oldest of them.")
    }

    func count() async throws(PostgresError) {
        let found = try await store.database.queryOne(
            """
            select count(*), coalesce(extract(epoch from \(store.now()) - min(created_at)), 0)::float8
            from (select created_at from mail where sent_at is null limit \(Self.countMax)) waiting
            """, as: Int.self, Double.self)
        waiting.set(Double(found?.0 ?? 0))
        oldest.set(max(0, found?.1 ?? 0))
    }
}
