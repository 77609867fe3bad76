import Domain
import Postgres
import Primitives

/// The statements of rollups: `rollup_state`, and all people's samples in one pass.
enum RollupStore {
    static let state: SQL = """
        select closed_through, requested_through, counting_first, counting_last, rollups, is_released,
          now() as now, \(raw: isFree(seconds: ClosingPass.seconds)) as is_free
        from rollup_state
        """

    /// How far days are closed.
    struct State: Sendable, PostgresRowDecodable {
        let closedThrough: CalendarDate?
        let requestedThrough: CalendarDate?
        /// The days that were counted together last, or are being counted.
        let counting: ClosedRange<CalendarDate>?
        let rollups: Int64
        let isReleased: Bool
        /// The database's time.
        let now: Timestamp
        /// No pass is at work.
        let isFree: Bool

        init(row: PostgresRow) throws(PostgresError) {
            closedThrough = try row["closed_through"]
            requestedThrough = try row["requested_through"]
            let (first, last): (CalendarDate?, CalendarDate?) = (try row["counting_first"], try row["counting_last"])
            if let first, let last, first <= last { counting = first...last } else { counting = nil }
            rollups = try row["rollups"]
            isReleased = try row["is_released"]
            now = try row["now"]
            isFree = try row["is_free"]
        }
    }

    /// A time further ahead than it was ever set counts as passed.
    private static func isFree(seconds: Int32) -> String {
        "(pass_until is null or pass_until < now() or pass_until > now() + \(2 * seconds) * interval '1 second')"
    }

    /// The closed days of which the values are kept.
    static let closedDays: SQL = "select day from closed_day order by day"

    /// Begins a pass with a number after `last`, and returns it; no row while another one is at work.
    static func begin(after last: Int32, seconds: Int32) -> SQL {
        """
        update rollup_state set pass = greatest(pass, \(last)) + 1, pass_until = now() + \(seconds) * interval '1 second'
        where \(raw: isFree(seconds: seconds)) returning pass
        """
    }

    /// Changes one row, or none when another pass has begun since.
    static func goOn(_ pass: Int32, seconds: Int32) -> SQL {
        "update rollup_state set pass_until = now() + \(seconds) * interval '1 second' where pass = \(pass)"
    }

    static func end(_ pass: Int32) -> SQL { "update rollup_state set pass_until = null where pass = \(pass)" }

    /// Asks for the days through one to be closed now.
    static func request(through day: CalendarDate) -> SQL {
        "update rollup_state set is_released = true, requested_through = greatest(requested_through, \(day))"
    }

    /// Changes one row, or none when another pass has begun since.
    static func advance(to day: CalendarDate, by pass: Int32, seconds: Int32, rollups: Int) -> SQL {
        """
        update rollup_state set closed_through = \(day), rollups = rollups + \(rollups),
          pass_until = now() + \(seconds) * interval '1 second'
        where pass = \(pass) and (closed_through is null or closed_through < \(day))
        """
    }

    /// Begins to count days together. Changes one row, or none when another pass has begun since.
    static func count(_ days: ClosedRange<CalendarDate>, by pass: Int32) -> SQL {
        """
        update rollup_state set counting_first = \(days.lowerBound), counting_last = \(days.upperBound)
        where pass = \(pass)
        """
    }

    /// Of a day that is closed; days that are too old for it are forgotten.
    static func close(_ day: CalendarDate) -> [SQL] {
        [
            "insert into closed_day (day) values (\(day))",
            "delete from closed_day where day <= \(day.adding(days: -RollupCloser.daysMax))",
        ]
    }

    static func closed(in days: ClosedRange<CalendarDate>) -> SQL {
        "select day from closed_day where day between \(days.lowerBound) and \(days.upperBound)"
    }

    /// One row for a day that is closed, and stays so until the end of the transaction.
    static func keepClosed(_ day: CalendarDate) -> SQL { "select day from closed_day where day = \(day) for share" }

    // MARK: People

    /// The first day of which anything of these people is in a block.
    static func firstDay(of people: [Person]) -> SQL {
        let (numbers, types) = stored(of: people)
        return """
            select min(b.day) from unnest(\(numbers), \(types)) as p (person, type) cross join lateral (
              select day from block where person = p.person and type = p.type order by day limit 1) b
            """
    }

    /// The data types with group statistics that each person has, with the person's number.
    private static func stored(of people: [Person]) -> (numbers: [Int32], types: [Int16]) {
        let stored = people.flatMap { person in
            DataType.types(in: person.types & DayValues.mask).map { (person.number, Int16($0.rawValue)) }
        }
        return (stored.map(\.0), stored.map(\.1))
    }

    /// A person with a subject number.
    struct Person: Sendable, PostgresRowDecodable {
        let number: Int32
        let account: UUID
        let subject: Int32
        /// A mask of data types: all of which there are blocks.
        let types: Int64
        let stored: StoredPerson

        init(row: PostgresRow) throws(PostgresError) {
            stored = try StoredPerson(row: row)
            number = stored.number
            account = try row["account_id"]
            subject = try row["subject"]
            types = try row["types"]
        }
    }

    /// The people after a number, in the order of numbers.
    static func people(after number: Int32, countMax: Int) -> SQL {
        """
        select p.account_id, p.subject, p.types, \(sql: StoredPerson.columns)
        from (
          select * from person where number > \(number) and subject is not null order by number limit \(walk: countMax)) p
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

    static func summaries(of people: [Person], days: ClosedRange<CalendarDate>) -> SQL {
        let (numbers, types) = stored(of: people)
        return """
            select p.person, b.type, b.day, b.summary
            from unnest(\(numbers), \(types)) as p (person, type) cross join lateral (
              select type, day, summary from block where person = p.person and type = p.type
                and day between \(days.lowerBound) and \(days.upperBound) offset 0) b
            """
    }
}
