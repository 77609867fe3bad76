import Postgres
import Primitives

/// Pieces of `ingestion.live` that were trimmed before this service had read them (`feed.gone`), and how far they were read
/// from ingestion's storage instead.
struct GapStore: Sendable {
    /// A gap that this process reads.
    struct Gap: Sendable {
        let id: Int64
        /// How long ago the feed began to be read again.
        let age: Duration
        /// People up to this one are done.
        let after: UUID
    }

    /// How long a process keeps a gap without progress; then others may read it.
    private static let claim = Duration.seconds(15)

    let database: Database

    private var claimEnd: SQL { "clock_timestamp() + make_interval(secs => \(Self.claim.seconds))" }

    /// Opens a gap: the feed is read again after a part of it was lost.
    var open: SQL { "insert into feed_gap (opened_at, claimed_until) values (clock_timestamp(), clock_timestamp())" }

    /// Whether one has not been read to its end.
    func isOpen() async throws(PostgresError) -> Bool {
        try await database.queryOne("select exists (select from feed_gap where not is_read)", as: Bool.self) ?? false
    }

    /// The oldest that nobody else reads. A claim that ends later than a new one would was made before the clock was
    /// set back, and counts as ended.
    func next() async throws(PostgresError) -> Gap? {
        let row = try await database.queryOne(
            """
            update feed_gap set claimed_until = \(sql: claimEnd)
            where id = (
              select id from feed_gap
              where not is_read and (claimed_until <= clock_timestamp() or claimed_until > \(sql: claimEnd))
              order by id limit 1 for update skip locked)
            returning id, extract(epoch from clock_timestamp() - opened_at)::float8, after_account
            """, as: Int64.self, Double.self, UUID.self)
        return row.map { Gap(id: $0.0, age: .seconds(max(0, $0.1)), after: $0.2) }
    }

    /// People up to `account` are done; the claim goes on.
    func advance(_ gap: Gap, past account: UUID) async throws(PostgresError) {
        try await database.execute(
            """
            update feed_gap set after_account = \(account), claimed_until = \(sql: claimEnd) where id = \(gap.id)
            """)
    }

    /// Closes a gap when all people are done, or it is too late for the others; deletes old gaps.
    func close(_ gap: Gap) async throws(PostgresError) {
        try await database.batch([
            "update feed_gap set is_read = true where id = \(gap.id)",
            "delete from feed_gap where is_read and opened_at < clock_timestamp() - interval '1 day'",
        ])
    }
}
