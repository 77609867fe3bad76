import Contracts
import Postgres
import Primitives

/// The closed days that have arrived: a day is complete when all batches of one of its publications have come.
enum RollupDays {
    /// Whether each of the days that something is known of is complete.
    static func known(
        from: CalendarDate, through: CalendarDate, in session: some SQLSession
    ) async throws(PostgresError) -> [CalendarDate: Bool] {
        let rows = try await session.query(
            "select day, is_complete from rollup_day where day between \(from) and \(through)",
            as: CalendarDate.self, Bool.self)
        return Dictionary(rows.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
    }

    /// Lists days whose cells an earlier version of this program took in without listing them.
    static let listUnnoted: SQL = """
        insert into rollup_day (day, is_complete) select distinct day, false from loaded_day where series > 0
        on conflict (day) do nothing
        """

    /// Days that are not complete although nothing has come since `time`, the earliest first.
    static func lacking(
        since time: Timestamp, limit: Int, in session: some SQLSession
    ) async throws(PostgresError) -> [CalendarDate] {
        try await session.query(
            """
            select day from rollup_day where not is_complete and (noted_at is null or noted_at < \(time)) order by day
            limit \(limit)
            """, as: CalendarDate.self)
    }

    /// Lists a day: the producer has closed it.
    static func list(_ day: CalendarDate) -> SQL {
        "insert into rollup_day (day, is_complete) values (\(day), false) on conflict (day) do nothing"
    }

    /// Records a batch of a publication; without a publication it completes nothing.
    static func noteBatch(of publication: UUID?, _ day: CalendarDate, at now: Timestamp) -> [SQL] {
        guard let publication else { return [note(day, at: now)] }
        return [
            note(day, at: now),
            """
            insert into rollup_publication as p (id, day, received) values (\(publication), \(day), 1)
            on conflict (id) do update set received = p.received + 1
            """,
        ] + completing(publication)
    }

    static func noteEnd(_ complete: Ingestion.DayComplete, at now: Timestamp) -> [SQL] {
        [
            note(complete.day, at: now),
            """
            insert into rollup_publication (id, day, received, batches)
            values (\(complete.publication), \(complete.day), 0, \(Int32(clamping: complete.batches)))
            on conflict (id) do update set batches = excluded.batches
            """,
        ] + completing(complete.publication)
    }

    private static func note(_ day: CalendarDate, at now: Timestamp) -> SQL {
        """
        insert into rollup_day (day, is_complete, noted_at) values (\(day), false, \(now))
        on conflict (day) do update set noted_at = excluded.noted_at
        """
    }

    private static func completing(_ publication: UUID) -> [SQL] {
        [
            """
            with done as (select day from rollup_publication where id = \(publication) and received >= batches),
              settled as (delete from rollup_publication where day in (select day from done))
            update rollup_day set is_complete = true where day in (select day from done)
            """
        ]
    }
}
