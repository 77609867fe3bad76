import Postgres

/// How many entries wait to be tied, for operators: they are not proved yet.
struct AuditBacklog: Sendable {
    static let interval = Duration.seconds(15)
    /// Entries that are counted: more of them would cost more than the number tells.
    static let countMax = 10_000

    private let audit: AuditTrail
    private let waiting: Gauge
    private let oldest: Gauge

    init(audit: AuditTrail, metrics: Metrics) {
        self.audit = audit
        waiting = metrics.gauge(
            "trackme_audit_waiting",
            "Entries of the audit trail that are not tied to the others yet, counted up to \(Self.countMax).")
        oldest = metrics.gauge("trackme_audit_oldest_seconds", "Age of the oldest of them.")
    }

    func count() async throws(PostgresError) {
        let found = try await audit.database.queryOne(
            """
            select count(*), coalesce(extract(epoch from clock_timestamp() - min(recorded_at)), 0)::float8
            from (select recorded_at from \(sql: audit.prefix)audit_waiting order by number limit \(Self.countMax)) w
            """, as: Int.self, Double.self)
        waiting.set(Double(found?.0 ?? 0))
        oldest.set(max(0, found?.1 ?? 0))
    }
}
