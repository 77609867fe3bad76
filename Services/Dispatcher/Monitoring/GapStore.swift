import Contracts
import Feed
import Postgres
import Primitives
import Reactor

/// People of whom `ingestion.live` did not bring everything: it was trimmed before this service had read it (`feed.gone`), ingestion
/// withheld what it could not open, or the person's key was not at hand. What is missing is read from ingestion's storage, person by person; who
/// cannot be read holds up nobody else.
struct GapStore: Sendable {
    /// A person whom this process reads.
    struct Gap: Sendable {
        let account: UUID
        /// How long ago the samples were missed.
        let age: Duration
        /// Claims of this gap, this one included.
        let attempts: Int
        fileprivate let claim: UUID
    }

    /// How long a process keeps a person: longer than reading one may take.
    static let claim = Duration.seconds(15)
    private static let pauses = BackOff(base: .milliseconds(500), max: .seconds(5))

    let database: Database

    private static var claimEnd: SQL { "clock_timestamp() + make_interval(secs => \(claim.seconds))" }

    /// A gap of everybody in these parts: the feed is read again after a piece of it was lost. Who is being read is read
    /// again.
    func openAll(_ parts: FeedParts = .all) -> SQL {
        """
        insert into feed_gap as g (account, opened_at)
        select account, clock_timestamp() from enrolment
        where is_active and paused_until is null and \(sql: parts.contains(column: "account")) order by account
        on conflict on constraint feed_gap_key do update
        set opened_at = excluded.opened_at, recorded_at = null, attempts = 0, claim = null, claimed_until = '-infinity'
        """
    }

    /// A gap of each of these people. Who is being read is read again.
    func open(of accounts: Set<UUID>) -> SQL {
        """
        insert into feed_gap (account, opened_at) select a, clock_timestamp() from unnest(\(accounts.sorted())) a
        where exists (select from enrolment e where e.account = a and e.is_active and e.paused_until is null)
        on conflict on constraint feed_gap_key do update set claim = null, claimed_until = '-infinity'
        """
    }

    /// Gaps of the people of these events, whose keys are not at hand. One that is there already begins no sooner to be read: the key is
    /// what is waited for, and it is given up when the first of these samples is too old.
    func open(ofKeyless records: [FeedRecord]) -> SQL {
        open(
            records,
            again: """
                recorded_at = greatest(g.recorded_at, excluded.recorded_at), claim = null
                """)
    }

    /// Gaps of the people of these events.
    func open(_ withheld: [FeedRecord]) -> SQL {
        open(
            withheld,
            again: """
                opened_at = greatest(g.opened_at, excluded.opened_at),
                  recorded_at = greatest(g.recorded_at, excluded.recorded_at), claim = null, claimed_until = '-infinity'
                """)
    }

    private func open(_ records: [FeedRecord], again change: SQL) -> SQL {
        let people = Dictionary(grouping: records, by: \.entity).sorted { $0.key < $1.key }
        let recordedAt = people.map { $0.value.map(\.recordedAt).max() ?? .now() }
        let ages = people.map { $0.value.map(\.age.seconds).min() ?? 0 }
        return """
            insert into feed_gap as g (account, recorded_at, opened_at)
            select p.account, p.recorded_at, clock_timestamp() - make_interval(secs => p.age)
            from unnest(\(people.map(\.key)), \(recordedAt), \(ages)) as p (account, recorded_at, age)
            where exists (
              select from enrolment e where e.account = p.account and e.is_active and e.paused_until is null)
            on conflict on constraint feed_gap_key do update set \(sql: change)
            """
    }

    /// Whether there are gaps.
    func isOpen() async throws(PostgresError) -> Bool {
        try await database.queryOne("select exists (select from feed_gap)", as: Bool.self) ?? false
    }

    /// Gives up those that are older than that; returns their number.
    func giveUp(after age: Duration) async throws(PostgresError) -> Int {
        try await database.execute(
            "delete from feed_gap where opened_at < clock_timestamp() - make_interval(secs => \(age.seconds))")
    }

    /// Claims people whom nobody else reads and whose pause is over, of whom everything was recorded before `end` (by
    /// ingestion's database), those that have waited longest first. Where it is not known when it was recorded, as after a promotion of
    /// that database, `end` has to have been found out since the gap was opened, `age` ago: another replica's may be from before the
    /// outage, and what came since would be skipped. A claim or a pause that ends later than a new claim
    /// would was made before the clock was set back, and counts as ended.
    func claim(
        _ countMax: Int, recordedBefore end: Timestamp, knownFor age: Duration = .zero
    ) async throws(PostgresError) -> [Gap] {
        let claim = UUID.random()
        let rows = try await database.query(
            """
            update feed_gap set claim = \(claim), claimed_until = \(sql: Self.claimEnd), attempts = attempts + 1
            where account in (
              select account from feed_gap
              where (claimed_until <= clock_timestamp() or claimed_until > \(sql: Self.claimEnd))
                and (recorded_at <= \(end)
                  or recorded_at is null and (opened_at <= clock_timestamp() - make_interval(secs => \(age.seconds))
                    or opened_at > clock_timestamp()))
              order by claimed_until limit \(countMax) for update skip locked)
            returning account, extract(epoch from clock_timestamp() - opened_at)::float8, attempts
            """, as: UUID.self, Double.self, Int.self)
        return rows.map { Gap(account: $0.0, age: .seconds(max(0, $0.1)), attempts: $0.2, claim: claim) }
    }

    /// Closes a gap that was read. One that was opened again or claimed by another meanwhile stays.
    func close(_ gap: Gap) async throws(PostgresError) {
        try await database.execute("delete from feed_gap where account = \(gap.account) and claim = \(gap.claim)")
    }

    /// Leaves a gap that could not be read until after a pause.
    func postpone(_ gap: Gap) async throws(PostgresError) {
        let pause = Self.pauses.delay(afterFailures: gap.attempts)
        try await database.execute(
            """
            update feed_gap set claimed_until = clock_timestamp() + make_interval(secs => \(pause.seconds))
            where account = \(gap.account) and claim = \(gap.claim)
            """)
    }

    /// Ends the gap of a person who is no longer enrolled.
    static func end(of account: UUID) -> SQL { "delete from feed_gap where account = \(account)" }
}
