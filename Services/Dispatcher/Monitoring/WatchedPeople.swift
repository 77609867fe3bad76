import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// The people whom AutomatedSOS watches: reads them and their open incidents with their rows locked, applies a change,
/// and writes what follows from it.
struct WatchedPeople: Sendable {
    /// One upload of a device.
    struct Upload: Sendable {
        let samples: Ingestion.LiveSamples
        private let ageAtReceipt: Duration
        private let receivedAt: Deadline

        /// Ingestion received it `age` before `time`.
        init(samples: Ingestion.LiveSamples, age: Duration, at time: Deadline = .now()) {
            self.samples = samples
            ageAtReceipt = age
            receivedAt = time
        }

        /// How long ago ingestion received it.
        var age: Duration { ageAtReceipt + Deadline.now().since(receivedAt) }
    }

    let incidents: IncidentStore
    let keys: SubjectKeys
    let notices: NoticeOutbox
    let hooks: Hooks
    let desk: HandOverDesk
    let unwatched: UnwatchedPeople
    let log: Log

    /// Returns the people whose keys are not at hand: nothing of them was observed.
    @discardableResult
    func observe(_ uploads: [Upload], in transaction: Transaction) async throws -> Set<UUID> {
        try await change(Array(Set(uploads.map(\.samples.accountID))), in: transaction) { people, surroundings in
            for upload in uploads {
                let account = upload.samples.accountID
                guard let seen = Observation(upload.samples, now: surroundings.now, heldFor: upload.age) else {
                    log.error("an upload with impossible times was left out", ["account": .string(account.description)])
                    continue
                }
                people[account]?.observe(seen, in: surroundings)
            }
        }
    }

    /// Lets `body` change those of the people who are watched. Returns those whose keys are not at hand: they stay as they are.
    func change(
        _ accounts: [UUID], in transaction: Transaction,
        _ body: (inout [UUID: WatchedPerson], WatchedPerson.Surroundings) -> Void
    ) async throws -> Set<UUID> {
        let condition: SQL = "i.account = any(\(accounts)) and i.state <> 'closed' and not i.is_exercise"
        let results = try await transaction.runBatch([
            "select clock_timestamp() as now",
            """
            select e.account, e.rules, e.details, m.state from enrolment e join monitor m on m.account = e.account
            where e.account = any(\(accounts)) and e.is_active order by e.account for update of m
            """,
            "select account, begins_at, ends_at from run_watch where account = any(\(accounts)) and ends_at is not null",
            IncidentStore.select(condition, locked: true),
        ])
        guard let now = try results[0].decodeOne(as: Timestamp.self) else { return [] }
        let surroundings = WatchedPerson.Surroundings(
            incidents: incidents, notices: notices, hooks: hooks, log: log, now: now)
        var (people, keyless) = try await read(results[1], runs: try runs(results[2]), at: now)
        let open = try incidents.decode(results[3])
        for record in open.records {
            people[record.account]?.incident = record
            if let fault = record.fault { report("an incident cannot be read", of: record.account, fault) }
        }
        for incident in open.unreadable {
            people[incident.account]?.unreadable = incident.id
            report("an incident cannot be read", of: incident.account, incident.fault)
        }
        body(&people, surroundings)
        try await write(Array(people.values), surroundings, in: transaction)
        return keyless
    }

    private func write(
        _ people: [WatchedPerson], _ surroundings: WatchedPerson.Surroundings, in transaction: Transaction
    ) async throws {
        var opened: [(index: Int, record: IncidentRecord)] = []
        var statements: [SQL] = []
        for person in people {
            if let opening = try person.opening(surroundings), let record = person.new {
                statements += opening.before
                opened.append((statements.count, record))
                statements.append(opening.open)
            }
            statements += try person.statements(surroundings)
        }
        guard !statements.isEmpty else { return }
        var counts: [Int] = []
        while counts.count < statements.count {
            let next = Array(statements[counts.count..<min(statements.count, counts.count + Connection.batchMax)])
            counts += try await transaction.runBatch(next, deadline: nil).map(\.affectedCount)
        }
        let started = opened.filter { counts[$0.index] > 0 }.map(\.record)
        let changed = people.flatMap(\.changed)
        let hasNotices = people.contains { $0.hasNotices }
        transaction.afterCommit {
            for record in started { desk.start(record) }
            for id in changed { desk.changed(id) }
            if hasNotices { notices.wake() }
        }
    }

    // MARK: Reading

    private func runs(_ rows: ResultSet) throws -> [UUID: [ClosedRange<Timestamp>]] {
        var runs: [UUID: [ClosedRange<Timestamp>]] = [:]
        for (account, from, to) in try rows.decode(as: UUID.self, Timestamp.self, Timestamp.self) where from <= to {
            runs[account, default: []].append(from...to)
        }
        return runs
    }

    private func read(
        _ rows: ResultSet, runs: [UUID: [ClosedRange<Timestamp>]], at now: Timestamp
    ) async throws -> (people: [UUID: WatchedPerson], keyless: Set<UUID>) {
        var (people, keyless): ([UUID: WatchedPerson], Set<UUID>) = ([:], [])
        let rows = try rows.decode(as: UUID.self, String.self, [UInt8].self, [UInt8].self)
        let held = await keys.keysAtHand(of: rows.map(\.0))
        for (account, rules, details, state) in rows {
            do {
                // The key of somebody who is being erased is destroyed.
                guard let key = try held[account]?.get() else { continue }
                let enrolment: EnrolmentDetails = try PersonalColumn.enrolment.open(details, of: account, with: key)
                people[account] = WatchedPerson(
                    wearer: Wearer(
                        account: account, birthDate: enrolment.birthDate, rules: ruleSet(rules, of: account),
                        runs: runs[account] ?? []),
                    key: key, enrolment: enrolment,
                    monitor: .opened(state, of: account, with: key, at: now, log: log))
            } catch  where SubjectKeys.isAway(error) || error is KeyMissing {
                keyless.insert(account)
            } catch {
                report("an enrolment cannot be read, and its person not be watched", of: account, "\(error)")
            }
        }
        if !keyless.isEmpty { unwatched.report(keyless.count) }
        return (people, keyless)
    }

    /// The rule set of that name; the standard one for a name that only a later version knows.
    private func ruleSet(_ name: String, of account: UUID) -> RuleSet {
        if let known = RuleSet(rawValue: name) { return known }
        log.error(
            "an unknown rule set; the standard one watches",
            ["account": .string(account.description), "rules": .string(name)])
        return .standard
    }

    private func report(_ what: StaticString, of account: UUID, _ error: String) {
        log.error(what, ["account": .string(account.description), "error": .string(error)])
    }
}
