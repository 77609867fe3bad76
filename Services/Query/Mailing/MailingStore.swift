import Postgres
import Primitives
import Reactor
import Service

/// The table of mailings. All times are the database's.
struct MailingStore: Sendable {
    let database: Database
    let times: MailingTimes

    private static func seconds(_ duration: Duration) -> SQL { "\(duration.microseconds) * interval '1 microsecond'" }

    // MARK: By third parties

    /// `nil` of whoever has set none.
    func mailing(of requester: UUID) async throws(PostgresError) -> Mailing? {
        let row = try await database.queryOne(
            "select frequency, kinds, due_at from mailing where requester_id = \(requester)",
            as: Mailing.Frequency.self, [String].self, Timestamp?.self)
        return row.map { Self.mailing($0.0, $0.1, $0.2) }
    }

    /// Sets one. When it begins, what has happened before is not counted; the first mail comes after an interval.
    func set(_ mailing: Mailing, of requester: UUID) async throws -> Mailing {
        let kinds = mailing.kinds.map(\.rawValue)
        let due: SQL =
            times.interval(mailing.frequency).map { "clock_timestamp() + \(sql: Self.seconds($0))" } ?? "null"
        return try await database.transaction { transaction in
            // Locks the third party: what is added to its events meanwhile comes before or after.
            try await transaction.execute(
                """
                insert into recipient as p (requester_id, last_number) values (\(requester), 0)
                on conflict (requester_id) do update set last_number = p.last_number
                """)
            let row = try await transaction.queryOne(
                """
                insert into mailing as m (requester_id, frequency, kinds, position, due_at)
                select \(requester), \(mailing.frequency), \(kinds), p.last_number, \(sql: due)
                from recipient p where p.requester_id = \(requester)
                on conflict (requester_id) do update set frequency = excluded.frequency, kinds = excluded.kinds,
                  position = case when m.frequency = 'off' then excluded.position else m.position end,
                  due_at = case when m.frequency = excluded.frequency then m.due_at else excluded.due_at end,
                  lease_until = null, fence = m.fence + 1
                returning frequency, kinds, due_at
                """, as: Mailing.Frequency.self, [String].self, Timestamp?.self)
            return row.map { Self.mailing($0.0, $0.1, $0.2) } ?? mailing
        }
    }

    private static func mailing(_ frequency: Mailing.Frequency, _ kinds: [String], _ due: Timestamp?) -> Mailing {
        Mailing(frequency: frequency, kinds: kinds.compactMap(Event.Kind.init(rawValue:)), dueAt: due)
    }

    static func erase(_ requester: UUID, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute("delete from mailing where requester_id = \(requester)")
    }

    // MARK: Turns

    /// A mailing that this process alone looks after, until its lease ends.
    struct Turn: Sendable {
        let requester: UUID
        let fence: Int64
    }

    /// Takes up mailings that are due. Times further ahead than any that is ever set were set before the clock was set back.
    func claim(max count: Int) async throws(PostgresError) -> [Turn] {
        try await database.query(
            """
            update mailing set lease_until = clock_timestamp() + \(sql: Self.seconds(times.lease)), fence = fence + 1
            where requester_id in (
              select requester_id from mailing
              where (due_at <= clock_timestamp()
                  or due_at > clock_timestamp() + \(sql: Self.seconds(MailingTimes.intervalMax)) + interval '1 second')
                and (lease_until is null or lease_until <= clock_timestamp()
                  or lease_until > clock_timestamp() + \(sql: Self.seconds(times.lease)) + interval '1 second')
              order by due_at limit \(Int64(count)) for update skip locked)
            returning requester_id, fence
            """, as: UUID.self, Int64.self
        ).map { Turn(requester: $0.0, fence: $0.1) }
    }

    /// Prolongs a turn; `false` when it is somebody else's by now, or what is wanted has changed.
    func renew(_ turn: Turn) async throws(PostgresError) -> Bool {
        try await database.execute(
            """
            update mailing set lease_until = clock_timestamp() + \(sql: Self.seconds(times.lease))
            where requester_id = \(turn.requester) and fence = \(turn.fence)
            """) > 0
    }

    /// What is new since the last mail.
    struct News: Sendable {
        /// By request, those with the most events first.
        let counts: [(request: UUID, events: Int64)]
        /// The number of the last event that was looked at.
        let last: Int64
        let frequency: Mailing.Frequency
        /// Whether not all were counted: there are at least so many.
        var isMore = false

        var events: Int64 { counts.reduce(0) { $0 + $1.events } }
    }

    /// Counts what may be fetched, the newest first, by statements that all end soon; `nil` when the turn is somebody else's.
    func news(_ turn: Turn, _ log: EventLog) async throws -> News? {
        let row = try await database.queryOne(
            """
            select frequency, kinds, position from mailing
            where requester_id = \(turn.requester) and fence = \(turn.fence) and frequency <> 'off'
            """, as: Mailing.Frequency.self, [String].self, Int64.self)
        guard let (frequency, kinds, position) = row else { return nil }
        // Who has read a number has seen all before it.
        let last = try await log.lastNumber(of: turn.requester, in: database)
        var (counts, through): ([UUID: Int64], Int64) = ([:], last)
        var renewal = Deadline.after(times.lease / 3)
        for _ in 0..<times.countsMax where through > position {
            let after = max(position, through - times.countedTogether)
            let found = try await database.query(
                """
                select e.request_id, sum(e.count)::bigint from (
                  select request_id, kind, content is null as is_outcome, 1 as count from event
                  where requester_id = \(turn.requester) and number > \(after) and number <= \(through)
                  union all
                  select request_id, kind, false, (
                    select count(*) from unnest(steps) step
                    where first_number + step > \(after) and first_number + step <= \(through))
                  from event_pack
                  where requester_id = \(turn.requester) and number > \(after)
                    and number <= \(through | EventPack.windowMask) and first_number <= \(through)) e
                  left join request r on r.id = e.request_id
                where e.kind = any(\(kinds)) and (e.is_outcome or r.state = 'accepted')
                group by e.request_id
                """, as: UUID.self, Int64.self)
            for (request, count) in found { counts[request, default: 0] += count }
            through = after
            guard renewal.hasPassed else { continue }
            guard try await renew(turn) else { return nil }
            renewal = .after(times.lease / 3)
        }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            (request: $0.key, events: $0.value)
        }
        return News(counts: sorted, last: max(last, position), frequency: frequency, isMore: through > position)
    }

    /// Locks the mailing for what ends a turn; `false` when it is somebody else's, or what is wanted has changed.
    func hold(_ turn: Turn, in transaction: Transaction) async throws(PostgresError) -> Bool {
        try await transaction.queryOne(
            "select fence from mailing where requester_id = \(turn.requester) and fence = \(turn.fence) for update",
            as: Int64.self) != nil
    }

    /// Ends a turn: events up to `position` were told of, and the next mail comes in its time.
    func finish(_ turn: Turn, _ news: News, in transaction: Transaction) async throws(PostgresError) {
        guard let interval = times.interval(news.frequency).map(Self.seconds) else { return }
        try await transaction.execute(
            """
            update mailing set position = \(news.last), lease_until = null,
              due_at = case when due_at + \(sql: interval) between clock_timestamp() and clock_timestamp() + \(sql: interval)
                then due_at + \(sql: interval) else clock_timestamp() + \(sql: interval) end
            where requester_id = \(turn.requester) and fence = \(turn.fence)
            """)
    }

    /// Ends a turn in which nothing could be read.
    func postpone(_ turn: Turn, in session: some SQLSession) async throws(PostgresError) {
        try await session.execute(
            """
            update mailing set lease_until = null, due_at = clock_timestamp() + \(sql: Self.seconds(times.retry))
            where requester_id = \(turn.requester) and fence = \(turn.fence)
            """)
    }
}
