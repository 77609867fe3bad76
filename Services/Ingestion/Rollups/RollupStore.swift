import Domain
import Postgres
import Primitives

/// The statements of rollups: `rollup_state`, and all people's samples in one pass.
enum RollupStore {
    static let state: SQL = "select closed_through, requested_through, rollups, is_released from rollup_state"

    /// The closed days, the last `RollupCloser.daysMax` of them.
    static let closedDays: SQL = """
        select day::date from rollup_state, generate_series(
          greatest(closed_from, closed_through - \(Int32(RollupCloser.daysMax - 1))), closed_through, interval '1 day')
          as day
        where closed_through is not null
        """

    /// Asks for the days through one to be closed now.
    static func request(through day: CalendarDate) -> SQL {
        "update rollup_state set is_released = true, requested_through = greatest(requested_through, \(day))"
    }

    /// Changes one row, or none when another replica has closed the day.
    static func advance(from last: CalendarDate?, to day: CalendarDate, rollups: Int) -> SQL {
        """
        update rollup_state set closed_from = coalesce(closed_from, \(day)), closed_through = \(day),
          rollups = rollups + \(rollups)
        where closed_through is not distinct from \(last)
        """
    }

    /// The first day of which anything is in a block.
    static func firstDay(of types: Int64) -> SQL {
        let numbers = DataType.types(in: types).map { Int16($0.rawValue) }
        return """
            select min(b.day) from (select number from person where subject is not null) p, unnest(\(numbers)) as t (type)
            cross join lateral (
              select day from block where person = p.number and type = t.type order by day limit 1) b
            """
    }

    /// People with subject numbers.
    static let people: SQL = "select count(*) from person where subject is not null"

    /// A person with a subject number.
    struct Person: PostgresRowDecodable {
        let number: Int32
        let account: UUID
        let subject: Int32
        let stored: StoredPerson

        init(row: PostgresRow) throws(PostgresError) {
            stored = try StoredPerson(row: row)
            number = stored.number
            account = try row["account_id"]
            subject = try row["subject"]
        }
    }

    /// The people after a number, in the order of numbers.
    static func people(after number: Int32, countMax: Int) -> SQL {
        """
        select p.account_id, p.subject, \(sql: StoredPerson.columns)
        from (
          select * from person where number > \(number) and subject is not null order by number limit \(countMax)) p
        \(sql: StoredPerson.sources) order by p.number
        """
    }

    /// What is kept of one day of a person's.
    struct Summary: Sendable, PostgresRowDecodable {
        let person: Int32
        let key: BlockKey
        let sealed: [UInt8]

        init(row: PostgresRow) throws(PostgresError) {
            person = try row["person"]
            key = try BlockStore.key(row)
            sealed = try row["summary"]
        }
    }

    static func summaries(of people: [Int32], types: Int64, days: ClosedRange<CalendarDate>) -> SQL {
        let numbers = DataType.types(in: types).map { Int16($0.rawValue) }
        return """
            select p.person, b.type, b.day, b.summary
            from unnest(\(people)) as p (person), unnest(\(numbers)) as t (type) cross join lateral (
              select type, day, summary from block where person = p.person and type = t.type
                and day between \(days.lowerBound) and \(days.upperBound) offset 0) b
            """
    }
}
