import Domain
import Postgres
import Primitives

/// The statements of what is counted of the people of one shard, and kept (tables `counting` and `day_value`).
enum CountingStore {
    /// Before the first number of a person, and after the last.
    static let nobody: Int32 = 0
    static let everybody = Int32.max

    /// The number of the last pass that has counted here.
    static let pass: SQL = "select pass from counting"

    /// Takes the counting over from earlier passes, and returns the number of the person through whom these days are counted; no
    /// row when a later pass has begun.
    static func begin(_ days: ClosedRange<CalendarDate>, by pass: Int32) -> SQL {
        let (first, last) = (days.lowerBound, days.upperBound)
        return """
            update counting set pass = \(pass), first_day = \(first), last_day = \(last),
              through = case when first_day = \(first) and last_day = \(last) then through else \(nobody) end
            where pass <= \(pass) returning through
            """
    }

    /// Changes one row, or none when a later pass has begun; until the end of the transaction none begins. Through `nil`: nobody
    /// more.
    static func advance(through person: Int32?, by pass: Int32) -> SQL {
        "update counting set through = greatest(through, \(person ?? nobody)) where pass = \(pass)"
    }

    /// How many people have a subject number, and how many of them are not after a person.
    static func people(through person: Int32) -> SQL {
        "select count(*), count(*) filter (where number <= \(person)) from person where subject is not null"
    }

    /// What was counted of these people's days, erased people's left out, in place of what was kept of them; days that were too
    /// old for being asked for already before these are forgotten.
    static func keep(_ values: [DayValue], of people: [Int32], _ days: ClosedRange<CalendarDate>) -> [SQL] {
        [
            byIndex,
            forget(people, before: days.lowerBound.adding(days: -RollupCloser.daysMax)),
            forget(people, days),
            """
            insert into day_value (person, day, sealed)
            select v.person, v.day, v.sealed
            from unnest(\(values.map(\.person)), \(values.map(\.day)), \(values.map(\.sealed))) as v (person, day, sealed)
            join person p on p.number = v.person and p.erased_at is null
            """,
        ]
    }

    /// While the table is new the planner would read it as a whole, and go on so while it grows.
    static let byIndex: SQL = "set local enable_seqscan = off"

    static func forget(_ people: [Int32], before day: CalendarDate) -> SQL {
        "delete from day_value where person = any(\(people)) and day < \(day)"
    }

    static func forget(_ people: [Int32], _ days: ClosedRange<CalendarDate>) -> SQL {
        """
        delete from day_value where person = any(\(people)) and day between \(days.lowerBound) and \(days.upperBound)
        """
    }

    /// To be run before a person's values are deleted: of people who are being counted those are waited for that are about to
    /// be kept, and who is counted later finds the person erased.
    static let awaitKeeping: SQL = "select from counting for share"

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

    static func values(of people: [Int32], _ days: ClosedRange<CalendarDate>) -> SQL {
        """
        select p.person, v.day, v.sealed from unnest(\(people)) as p (person) cross join lateral (
          select day, sealed from day_value
          where person = p.person and day between \(days.lowerBound) and \(days.upperBound) offset 0) v
        """
    }
}
