import Domain
import Postgres
import Primitives

/// The statements of rollups: `rollup_state`, and all people's samples in one pass.
enum RollupStore {
    static let state: SQL = "select closed_through, is_released from rollup_state"

    /// The day of the first stored sample.
    static let firstDay: SQL = "select min((earliest at time zone 'UTC')::date) from arrival"

    /// The closed days, from the first sample on, the last `RollupCloser.daysMax` of them.
    static let closedDays: SQL = """
        select day::date from rollup_state, generate_series(
          greatest((select min((earliest at time zone 'UTC')::date) from arrival),
            closed_through - \(Int32(RollupCloser.daysMax - 1))),
          closed_through, interval '1 day') as day
        where closed_through is not null
        """

    static let release: SQL = "update rollup_state set is_released = true"

    /// Changes one row, or none when another replica has closed the day.
    static func advance(from last: CalendarDate?, to day: CalendarDate) -> SQL {
        "update rollup_state set closed_through = \(day) where closed_through is not distinct from \(last)"
    }

    /// People with subject numbers.
    static let people: SQL = "select count(*) from person where subject is not null"

    /// The position in the pass over all people's samples.
    struct Place {
        var account = UUID(high: 0, low: 0)
        var earliest = ArrivalStore.beginning
        var arrival: Int64 = 0
    }

    /// Samples of one person.
    struct Row: PostgresRowDecodable {
        let account: UUID
        let subject: Int32
        let earliest: Timestamp
        let stored: StoredArrival

        var place: Place { Place(account: account, earliest: earliest, arrival: stored.arrival) }

        init(row: PostgresRow) throws(PostgresError) {
            account = try row["account_id"]
            subject = try row["subject"]
            earliest = try row["earliest"]
            stored = try StoredArrival(row: row)
        }
    }

    /// The arrivals after that position, of all people with subject numbers: one person after the other, each in the
    /// order of the first samples.
    static func samples(
        after last: Place, types: Int64, from: CalendarDate, through: CalendarDate, rowsMax: Int
    ) -> SQL {
        ArrivalStore.page(
            of: """
                select a.account_id, a.earliest, a.arrival, a.id, a.device_id, p.subject, a.sealed, a.sample_count
                from arrival a join person p on p.account_id = a.account_id
                where (a.account_id, a.earliest, a.arrival) > (\(last.account), \(last.earliest), \(last.arrival))
                  and a.latest >= \(from.startUTC) and a.earliest < \(through.adding(days: 1).startUTC)
                  and a.types & \(types) <> 0 and p.subject is not null
                order by a.account_id, a.earliest, a.arrival limit \(rowsMax)
                """,
            columns: "account_id, earliest, arrival, id, device_id, subject, sealed",
            order: "account_id, earliest, arrival")
    }
}
