import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Security
import Service
import Telemetry

/// Puts everybody's weekly report into the inbox, once a week: on Monday from seven o'clock where the person lives, or as soon
/// after as the service is there (ING-11).
struct ReportJob: Sendable {
    static let time = Duration.seconds(7 * 3600)
    static let pageMax = 200
    /// The two weeks that a report compares, and the days since.
    static let daysMax = 28

    let database: Database
    let keys: SubjectKeys
    let reader: HealthReader
    let outbox: NoticeOutbox
    let clock: any WallClock
    let log: Log

    private struct Person: PostgresRowDecodable {
        let account: UUID
        let stored: StoredPerson

        init(row: PostgresRow) throws(PostgresError) {
            account = try row["account_id"]
            stored = try StoredPerson(row: row)
        }
    }

    /// One person whose report cannot be made delays nobody else's.
    func run() async throws {
        let now = clock.now()
        // Of the week whose report is due where days begin first.
        let monday = (now + .seconds(14 * 3600) - Self.time).dateUTC.monday
        var last = Int32.min
        while true {
            let people = try await database.query(Self.due(after: last, monday), as: Person.self)
            guard let end = people.last else { break }
            last = end.stored.number
            let known = try await keys.unwrappedKeys(of: people.map(\.account))
            for person in people {
                try Task.checkCancellation()
                guard let key = known[person.account] else { continue }
                do {
                    let zone = try PersonContext(person.stored, of: person.account, key: key.get()).zone
                    guard now >= zone.start(of: monday) + Self.time else { continue }
                    try await report(to: person, monday, at: now)
                } catch {
                    log.error(
                        "a weekly report could not be made",
                        ["person": .integer(Int64(person.stored.number)), "error": Log.text(of: error)])
                }
            }
        }
        outbox.wake()
    }

    private func report(to person: Person, _ monday: CalendarDate, at now: Timestamp) async throws {
        guard let (known, history) = try await reader.read(person.account, daysMax: Self.daysMax) else {
            // Nothing to report, until the next week.
            try await database.execute(Self.reported(person.stored.number, monday))
            return
        }
        let report = WeeklyReport(history, monday: monday.adding(days: -7))
        let values = [
            "from": report.monday.description, "to": report.monday.adding(days: 6).description,
            "lines": report.text(in: known.language),
        ]
        try await database.transaction { transaction in
            // Another replica may have been first.
            guard try await transaction.execute(Self.reported(person.stored.number, monday)) == 1 else { return }
            guard !report.isEmpty else { return }
            try await outbox.add(
                [Notice(to: person.account, template: "weekly-report", values: values, email: false)], at: now,
                in: transaction)
        }
    }

    /// People with data who have no report since that Monday.
    static func due(after number: Int32, _ monday: CalendarDate) -> SQL {
        """
        select p.account_id, \(sql: StoredPerson.columns)
        from (
          select * from person where number > \(number) and types <> 0 and erased_at is null
            and (reported_on is null or reported_on < \(monday)) order by number limit \(walk: pageMax)) p
        \(sql: StoredPerson.sources) order by p.number
        """
    }

    private static func reported(_ person: Int32, _ monday: CalendarDate) -> SQL {
        """
        update person set reported_on = \(monday)
        where number = \(person) and erased_at is null and (reported_on is null or reported_on < \(monday))
        """
    }
}
