import Domain
import Postgres
import Primitives

/// The statements of rollups: `rollup_state`, and all people's samples in one pass.
enum RollupStore {
    static let state: SQL = "select closed_through, is_released from rollup_state"

    /// The closed days, the last `RollupCloser.daysMax` of them.
    static let closedDays: SQL = """
        select day::date from rollup_state, generate_series(
          greatest(closed_from, closed_through - \(Int32(RollupCloser.daysMax - 1))), closed_through, interval '1 day')
          as day
        where closed_through is not null
        """

    static let release: SQL = "update rollup_state set is_released = true"

    /// Changes one row, or none when another replica has closed the day.
    static func advance(from last: CalendarDate?, to day: CalendarDate) -> SQL {
        """
        update rollup_state set closed_from = coalesce(closed_from, \(day)), closed_through = \(day)
        where closed_through is not distinct from \(last)
        """
    }

    /// People with subject numbers.
    static let people: SQL = "select count(*) from person where subject is not null"

    /// A person with a subject number.
    struct Person: PostgresRowDecodable {
        let number: Int32
        let account: UUID
        let subject: Int32

        init(row: PostgresRow) throws(PostgresError) {
            number = try row["number"]
            account = try row["account_id"]
            subject = try row["subject"]
        }
    }

    /// The people after a number, in the order of numbers.
    static func people(after number: Int32, countMax: Int) -> SQL {
        """
        select number, account_id, subject from person where number > \(number) and subject is not null
        order by number limit \(countMax)
        """
    }

    /// The position in a pass over people's arrivals.
    struct Place {
        var person: Int32
        var arrival: Int64 = 0
    }

    struct Row: PostgresRowDecodable {
        let person: Int32
        let stored: StoredArrival

        var place: Place { Place(person: person, arrival: stored.arrival) }

        init(row: PostgresRow) throws(PostgresError) {
            person = try row["person"]
            stored = try StoredArrival(row: row)
        }
    }

    /// The arrivals after that position, of people through that number: one person after the other, each in the order of
    /// arrival.
    static func arrivals(after last: Place, through person: Int32, rowsMax: Int) -> SQL {
        ArrivalStore.page(
            of: """
                select person, arrival, source, sealed from arrival
                where (person, arrival) > (\(last.person), \(last.arrival)) and person <= \(person)
                order by person, arrival limit \(rowsMax)
                """,
            columns: "person, arrival, source, sealed", order: "person, arrival")
    }
}
