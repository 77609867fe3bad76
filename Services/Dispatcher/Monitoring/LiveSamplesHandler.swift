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
    let notices: NoticeOutbox
    let hooks: Hooks
    let desk: HandOverDesk
    let clock: any WallClock
    let log: Log

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        let samples = records.filter { $0.kind == "samples" }.compactMap(read)
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
        for record in open.records { people[record.account]?.incident = record }
        for incident in open.unreadable {
            people[incident.account]?.unreadable = incident.id
            report("an incident cannot be read", of: incident.account, incident.error)
        }
        for sample in samples {
            guard let seen = Observation(sample) else {
                log.error("an upload whose times cannot be", ["account": .string(sample.accountID.description)])
                continue
            }
            people[sample.accountID]?.observe(seen, by: self)
        }
        var opened: [(index: Int, record: IncidentRecord)] = []
        var changed: [UUID] = []
        var statements: [SQL] = []
        for person in people.values {
            statements += person.closing(self)
            if let id = person.superseded { changed.append(id) }
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
            if hasNotices { notices.wake() }
        }
    }

    // MARK: Reading

    /// What cannot be read concerns one person: the others' alarms do not wait for it.
    private func read(_ record: FeedRecord) -> Ingestion.LiveSamples? {
        do {
            return try record.decode()
        } catch {
            report("live samples cannot be read", of: record.entity, error)
            return nil
        }
    }

    private func read(_ rows: ResultSet) throws -> [UUID: WatchedPerson] {
        var people: [UUID: WatchedPerson] = [:]
        for (account, rules, details, state) in try rows.decode(
            as: UUID.self, String.self, [UInt8].self, [UInt8].self)
        {
            do {
                let enrolment = try columns.open(details, as: EnrolmentDetails.self, .enrolment, row: account)
                people[account] = WatchedPerson(
                    wearer: Wearer(
                        account: account, birthDate: enrolment.birthDate, rules: ruleSet(rules, of: account)),
                    enrolment: enrolment,
                    monitor: columns.openMonitor(state, of: account, at: clock.now(), log: log))
            } catch {
                report("an enrolment cannot be read, and its person not be watched", of: account, error)
            }
        }
        return people
    }

    /// Rules that a later version has written, before it was put back: those by age watch everybody.
    private func ruleSet(_ name: String, of account: UUID) -> RuleSet {
        if let known = RuleSet(rawValue: name) { return known }
        log.error(
            "an unknown rule set; the standard one watches",
            ["account": .string(account.description), "rules": .string(name)])
        return .standard
    }

    private func report(_ what: StaticString, of account: UUID, _ error: any Error) {
        log.error(what, ["account": .string(account.description), "error": Log.text(of: error)])
    }
}
