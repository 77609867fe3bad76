import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Security
import Service
import Telemetry

/// Puts everybody's weekly report into the inbox, once a week: on Monday from seven o'clock where the person lives, or as soon
/// after as the service is there (ING-11). What waits to be handed over is only that the report is due: it is written when
/// accounts takes it, so that no health data rests outside of what the person's key seals.
struct ReportJob: Sendable {
    static let time = Duration.seconds(7 * 3600)
    static let pageMax = 200

    let database: Database
    let keys: SubjectKeys
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

    /// One person of whom nothing can be read delays nobody else's report.
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
            let due = people.filter { isDue($0, known[$0.account], monday, at: now) }
            try Task.checkCancellation()
            guard !due.isEmpty else { continue }
            try await database.transaction { transaction in
                // Another replica may have been first.
                let accounts = try await transaction.query(
                    Self.reported(due.map(\.stored.number), monday), as: UUID.self)
                let notices = accounts.map { WeeklyReport.notice(to: $0, monday: monday.adding(days: -7)) }
                try await outbox.add(notices, at: now, in: transaction)
            }
            outbox.wake()
        }
    }

    private func isDue(
        _ person: Person, _ key: Result<SubjectKey, SecurityError>?, _ monday: CalendarDate, at now: Timestamp
    ) -> Bool {
        guard let key else { return false }
        do {
            let zone = try PersonContext(person.stored, of: person.account, key: key.get()).zone
            return now >= zone.start(of: monday) + Self.time
        } catch {
            log.error(
                "a weekly report could not be made",
                ["person": .integer(Int64(person.stored.number)), "error": Log.text(of: error)])
            return false
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

    private static func reported(_ people: [Int32], _ monday: CalendarDate) -> SQL {
        """
        update person set reported_on = \(monday)
        where number in (
          select number from person
          where number = any(\(people)) and erased_at is null and (reported_on is null or reported_on < \(monday))
          order by number for update)
        returning account_id
        """
    }
}

extension WeeklyReport {
    private static let template = "weekly-report"
    /// The two weeks that a report compares, and as many days since: one that accounts did not take in that time is void.
    private static let readDays = 28

    /// That the report of the week from `monday` is due.
    static func notice(to account: UUID, monday: CalendarDate) -> Notice {
        Notice(
            to: account, template: template,
            values: ["from": monday.description, "to": monday.adding(days: 6).description], email: false)
    }

    /// The message with its text; other messages as they are. `nil` where there is nothing to report (any more).
    static func completed(_ notice: Notice, by reader: HealthReader) async throws -> Notice? {
        guard notice.template == template else { return notice }
        guard let monday = notice.values["from"].flatMap({ CalendarDate($0) }),
            monday.adding(days: readDays - 7) >= reader.clock.now().dateUTC,
            let (known, history) = try await reader.read(notice.account, daysMax: readDays)
        else { return nil }
        let report = WeeklyReport(history, monday: monday)
        guard !report.isEmpty else { return nil }
        return Notice(
            id: notice.id, to: notice.account, template: template,
            values: notice.values.merging(["lines": report.text(in: known.language)]) { $1 }, email: notice.email)
    }
}
