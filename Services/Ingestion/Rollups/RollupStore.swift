import Domain
import Postgres
import Primitives

/// The statements of rollups: `rollup_state`, and all people's samples in one pass.
enum RollupStore {
    static let state: SQL = "select closed_through, requested_through, rollups, is_released from rollup_state"

    /// The closed days of which the values are kept.
    static let closedDays: SQL = "select day from closed_day order by day"

    /// Begins a pass, and returns its number; no row while another one is at work. A time further ahead than it was ever set
    /// counts as passed.
    static func begin(seconds: Int32) -> SQL {
        """
        update rollup_state set pass = pass + 1, pass_until = now() + \(seconds) * interval '1 second'
        where pass_until is null or pass_until < now() or pass_until > now() + \(2 * seconds) * interval '1 second'
        returning pass
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

    /// Of a day that is closed, with the pass; days that are too old for it are forgotten.
    static func close(_ day: CalendarDate, by pass: Int32) -> [SQL] {
        [
            "insert into closed_day (day, pass) values (\(day), \(pass))",
            "delete from closed_day where day <= \(day.adding(days: -RollupCloser.daysMax))",
        ]
    }

    static func pass(of day: CalendarDate) -> SQL { "select pass from closed_day where day = \(day)" }

    // MARK: Values

    /// What one pass has counted of some people's days, erased people's left out. Of two passes the later one's values stay,
    /// of one those that it counted last.
    static func keep(_ values: [DayValue], by pass: Int32) -> SQL {
        """
        insert into day_value (person, day, pass, sealed)
        select v.person, v.day, \(pass), v.sealed
        from unnest(\(values.map(\.person)), \(values.map(\.day)), \(values.map(\.sealed))) as v (person, day, sealed)
        join person p on p.number = v.person and p.erased_at is null
        on conflict (person, day) do update set pass = excluded.pass, sealed = excluded.sealed
        where excluded.pass >= day_value.pass
        """
    }

    struct DayValue: Sendable, PostgresRowDecodable {
        let person: Int32
        let day: CalendarDate
        let sealed: [UInt8]

        init(person: Int32, day: CalendarDate, sealed: [UInt8]) {
            self.person = person
            self.day = day
            self.sealed = sealed
        }

        init(row: PostgresRow) throws(PostgresError) {
            person = try row["person"]
            day = try row["day"]
            sealed = try row["sealed"]
        }
    }

    static func values(of people: [Int32], on day: CalendarDate, by pass: Int32) -> SQL {
        """
        select p.person, v.day, v.sealed from unnest(\(people)) as p (person) cross join lateral (
          select day, pass, sealed from day_value where person = p.person and day = \(day) limit 1) v
        where v.pass = \(pass)
        """
    }

    static func forget(before day: CalendarDate, of people: [Int32]) -> SQL {
        "delete from day_value where person = any(\(people)) and day < \(day)"
    }

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

    /// People with subject numbers.
    static let people: SQL = "select count(*) from person where subject is not null"

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
