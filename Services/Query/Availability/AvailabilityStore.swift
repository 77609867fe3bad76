import Domain
import Postgres
import Primitives

/// What is known of what is collected of people, beside their watches, and what third parties were told of it, beside their readings.
/// All times are the database's.
struct AvailabilityStore: Sendable {
    let database: Database
    /// What is collected is told of after it has been so for so long.
    let settling: Duration

    func now() async throws(PostgresError) -> Timestamp {
        guard let now = try await database.queryOne("select clock_timestamp()", as: Timestamp.self) else {
            throw .usage("the database does not tell the time")
        }
        return now
    }

    /// Whether third parties have subscriptions to the person. Each is looked up: for `exists` all requests may be read.
    private static let isFollowed: SQL = """
        coalesce((select true from request r where r.individual_id = w.individual_id and r.run_id is null
          and r.state = 'accepted' and r.mode = 'subscription' limit 1), false)
        """

    // MARK: People

    struct Person: Sendable {
        let id: UUID
        /// Of the watch.
        let version: Int64
        let isFollowed: Bool
    }

    /// People whose consents have changed since ingestion was asked, and those of whom it did not know, in the order of their ids.
    func unasked(after person: UUID, limit: Int) async throws(PostgresError) -> [Person] {
        try await people(after: person, limit: limit, if: "w.collected_at is null")
    }

    /// Everybody to whom there ever were consents, in the order of their ids.
    func all(after person: UUID, limit: Int) async throws(PostgresError) -> [Person] {
        try await people(after: person, limit: limit, if: "true")
    }

    /// Whom third parties do not follow are among them: as a condition it would have all requests read, for each page.
    private func people(
        after person: UUID, limit: Int, if condition: SQL
    ) async throws(PostgresError) -> [Person] {
        try await database.query(
            """
            select w.individual_id, w.version, \(sql: Self.isFollowed) from watch w
            where \(sql: condition) and w.individual_id > \(person) order by w.individual_id limit \(Int64(limit))
            """, as: UUID.self, Int64.self, Bool.self
        ).map { Person(id: $0.0, version: $0.1, isFollowed: $0.2) }
    }

    /// Nobody needs to ask about these, unless their consents change.
    func leave(_ people: [Person]) async throws(PostgresError) {
        guard !people.isEmpty else { return }
        try await database.execute(
            """
            with locked as materialized (
              select w.individual_id from watch w
              join unnest(\(people.map(\.id)), \(people.map(\.version))) p (individual_id, version)
                on p.individual_id = w.individual_id and p.version = w.version
              order by w.individual_id for update of w)
            update watch w set collected_at = clock_timestamp(), settles_at = null from locked l
            where w.individual_id = l.individual_id
            """)
    }

    /// Notes what ingestion has said, unless it was asked again since: so a change, which is told after it, is never overwritten by an
    /// answer of before. The first change begins a turn, at whose end third parties are told of what has changed but once in it. So
    /// what changes again and again puts nothing else off, and what is told has lasted for one turn at least, and for two at most. A
    /// consent that has changed begins a turn if there is none, and makes none anew.
    func note(_ collected: [(person: UUID, types: Int64)], askedAt asked: Timestamp) async throws(PostgresError) {
        guard !collected.isEmpty else { return }
        let settled: SQL = "clock_timestamp() + \(settling.microseconds) * interval '1 microsecond'"
        try await database.execute(
            """
            with said as (select * from unnest(\(collected.map(\.person)), \(collected.map(\.types))) s (individual_id, types)),
            locked as materialized (
              select w.individual_id from watch w where w.individual_id in (select individual_id from said)
              order by w.individual_id for update of w)
            update watch w set collected = s.types, collected_at = \(asked),
              changed = case when w.settles_at <= \(sql: settled)
                then w.changed | (coalesce(w.collected, s.types) # s.types) else 0 end,
              settles_at = case when w.collected is distinct from s.types or w.collected_at is null
                then least(w.settles_at, \(sql: settled)) else w.settles_at end
            from said s join locked l on l.individual_id = s.individual_id
            where w.individual_id = s.individual_id
              and (w.collected_at is null or w.collected_at <= \(asked) or w.collected_at > clock_timestamp())
            """)
    }

    /// Ingestion did not know of these, and is to be asked again, unless an answer of later has come.
    func askAgain(_ people: [UUID], askedAt asked: Timestamp) async throws(PostgresError) {
        try await database.execute(
            """
            with locked as materialized (
              select w.individual_id from watch w where w.individual_id = any(\(people))
              order by w.individual_id for update of w)
            update watch w set collected_at = null from locked l
            where w.individual_id = l.individual_id
              and (w.collected_at <= \(asked) or w.collected_at > clock_timestamp())
            """)
    }

    /// What is collected of the person of a request is told of as after a new consent. Call with the recipient locked: who changes
    /// consents locks that before the watch, too.
    static func askAnew(aboutPersonOf request: UUID, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            update watch set collected_at = null
            where individual_id = (select individual_id from request where id = \(request))
            """)
    }

    struct Settled: Sendable {
        let id: UUID
        let collected: Int64
        /// Of the turn that ends.
        let changed: Int64
        /// What third parties are told is collected.
        let lasting: Int64
        let settledAt: Timestamp
    }

    /// People of whom third parties may be told now. A time further ahead than any that is ever set (`longest`, or the settling)
    /// was set before the clock was set back. Of whom ingestion is to be asked is told afterwards. The time of the statement, which
    /// stays the same in it, so that the index leads there.
    func settled(limit: Int, longest: Duration) async throws(PostgresError) -> [Settled] {
        let ahead = max(longest, settling) + .seconds(1)
        func people(_ condition: SQL) -> SQL {
            """
            select individual_id, collected, changed, (settled & changed) | (collected & ~changed), settles_at from watch
            where \(sql: condition) and collected is not null and collected_at is not null
            order by settles_at limit \(Int64(limit))
            """
        }
        return try await database.query(
            """
            (\(sql: people("settles_at <= statement_timestamp()")))
            union all
            (\(sql: people("settles_at > statement_timestamp() + \(ahead.microseconds) * interval '1 microsecond'")))
            limit \(Int64(limit))
            """, as: UUID.self, Int64.self, Int64.self, Int64.self, Timestamp.self
        ).map { Settled(id: $0.0, collected: $0.1, changed: $0.2, lasting: $0.3, settledAt: $0.4) }
    }

    /// Those who were told of a person are done, until what is collected changes, or until `next`. What has changed in the turn takes
    /// another one.
    func done(_ person: Settled, next: Timestamp?) async throws(PostgresError) {
        try await database.execute(
            """
            update watch set settled = \(person.lasting), changed = 0, settles_at = case
              when collected = \(person.lasting) then \(next)
              else clock_timestamp() + \(settling.microseconds) * interval '1 microsecond' end
            where individual_id = \(person.id) and collected = \(person.collected) and changed = \(person.changed)
              and settles_at = \(person.settledAt)
            """)
    }

    // MARK: Requests

    /// Those whose third party was told otherwise, or of nothing yet.
    func subscriptions(of person: Settled) async throws(PostgresError) -> [UUID] {
        try await database.query(
            """
            select r.id from request r join reading g on g.request_id = r.id
            where r.individual_id = \(person.id) and r.run_id is null and r.state = 'accepted' and r.mode = 'subscription'
              and g.unavailable <>
                (\(~person.lasting) & (select bit_or(1::bigint << t::integer) from unnest(r.accepted_types) t))
            order by r.id
            """, as: UUID.self)
    }

    /// What the third party was told, and the time; `nil` when the request is over. Locks it.
    static func told(
        of request: UUID, in transaction: Transaction
    ) async throws(PostgresError) -> (told: AvailabilityTold, now: Timestamp)? {
        let row = try await transaction.queryOne(
            """
            select unavailable, unavailable_at, available_at, clock_timestamp() from reading
            where request_id = \(request) for update
            """, as: Int64.self, Timestamp?.self, Timestamp?.self, Timestamp.self)
        return row.map {
            (AvailabilityTold(unavailable: $0.0, unavailableAt: $0.1, availableAt: $0.2), $0.3)
        }
    }

    /// Of these requests the types of which their third parties were told that nothing comes any more; those without any are missing.
    static func unavailable(
        of requests: [UUID], in session: some SQLSession
    ) async throws(PostgresError) -> [UUID: [DataType]] {
        let rows = try await session.query(
            "select request_id, unavailable from reading where request_id = any (\(requests)) and unavailable <> 0",
            as: UUID.self, Int64.self)
        return Dictionary(rows.map { ($0.0, DataType.types(ofMask: $0.1)) }) { first, _ in first }
    }

    static func set(
        _ told: AvailabilityTold, of request: UUID, in transaction: Transaction
    ) async throws(PostgresError) {
        try await transaction.execute(
            """
            update reading set unavailable = \(told.unavailable), unavailable_at = \(told.unavailableAt),
              available_at = \(told.availableAt)
            where request_id = \(request)
            """)
    }
}
