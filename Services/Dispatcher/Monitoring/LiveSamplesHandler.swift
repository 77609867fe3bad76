import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Follows `ingestion.live`: what devices of watched people send moves their monitors, and opens incidents, in the
/// transaction that moves the feed's cursor (SOS-02, SOS-05).
struct LiveSamplesHandler: FeedHandler {
    /// An open incident gets an update when the person has moved so far …
    static let movedMin = 100.0
    /// … and the last message is so old.
    static let updatePause = Duration.seconds(30)

    let incidents: IncidentStore
    let columns: SealedColumns
    let notices: NoticeStore
    let hooks: Hooks
    let desk: HandOverDesk
    let clock: any WallClock
    let log: Log

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        let samples = try records.filter { $0.kind == "samples" }.map { try $0.decode(Ingestion.LiveSamples.self) }
        guard !samples.isEmpty else { return .none }
        return .transaction { transaction in try await observe(samples, in: transaction) }
    }

    // What was sent while nobody could hear it is too old to act upon, and the feed has no other state.
    func beginSnapshot() async throws -> FeedEffect { .none }
    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect { .none }
    func endSnapshot() async throws -> FeedEffect { .none }

    private func observe(_ samples: [Ingestion.LiveSamples], in transaction: Transaction) async throws {
        let accounts = Array(Set(samples.map(\.accountID)))
        let condition: SQL = "i.account = any(\(accounts)) and i.state <> 'closed' and not i.is_exercise"
        let watched: SQL = """
            select e.account, e.rules, e.details, m.state from enrolment e join monitor m on m.account = e.account
            where e.account = any(\(accounts)) and e.is_active for update of m
            """
        let results = try await transaction.runBatch(
            [watched] + IncidentStore.recordStatements(condition, locked: true))
        var people = try read(results[0])
        let open = try incidents.decode(results[1], legs: results[2])
        for record in open { people[record.account]?.incident = record }
        for sample in samples {
            try people[sample.accountID]?.observe(Observation(sample), by: self)
        }
        var opened: [(index: Int, record: IncidentRecord)] = []
        var changed: [UUID] = []
        var statements: [SQL] = []
        for person in people.values {
            if let record = person.new { opened.append((statements.count, record)) }
            if person.isUpdated, let record = person.incident { changed.append(record.id) }
            statements += try person.statements(self)
        }
        let hasNotices = people.values.contains { $0.hasNotices }
        let counts = try await transaction.runBatch(statements, deadline: nil).map(\.affectedCount)
        let started = opened.filter { counts[$0.index] > 0 }.map(\.record)
        transaction.afterCommit {
            for record in started { desk.start(record) }
            for id in changed { desk.changed(id) }
            if hasNotices { notices.news.raise() }
        }
    }

    private func read(_ rows: ResultSet) throws -> [UUID: WatchedPerson] {
        var people: [UUID: WatchedPerson] = [:]
        for (account, rules, details, state) in try rows.decode(
            as: UUID.self, RuleSet.self, [UInt8].self, [UInt8].self)
        {
            let enrolment = try columns.open(details, as: EnrolmentDetails.self, .enrolment, row: account)
            people[account] = WatchedPerson(
                wearer: Wearer(account: account, birthDate: enrolment.birthDate, rules: rules), enrolment: enrolment,
                monitor: try columns.open(state, as: Monitor.self, .monitor, row: account))
        }
        return people
    }
}
