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
        /// Ingestion has not stored it (`ProvisionalMethod`).
        let isProvisional: Bool
        private let ageAtReceipt: Duration
        private let receivedAt: Deadline

        /// Ingestion received it `age` before `time`.
        init(
            samples: Ingestion.LiveSamples, age: Duration, at time: Deadline = .now(), isProvisional: Bool = false
        ) {
            self.samples = samples
            self.isProvisional = isProvisional
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
    let standby: Standby
    let gaps: GapStore
    let contacts: ContactDesk
    let bell: AlarmBell
    let log: Log

    /// Returns the people whose keys are not at hand: nothing of them was observed.
    @discardableResult
    func observe(_ uploads: [Upload], in transaction: Transaction) async throws -> Set<UUID> {
        try await change(Array(Set(uploads.map(\.samples.accountID))), in: transaction) { people, surroundings in
            for upload in uploads {
                let account = upload.samples.accountID
                guard var seen = Observation(upload.samples, now: surroundings.now, heldFor: upload.age) else {
                    log.error("an upload with impossible times was left out", ["account": .string(account.description)])
                    continue
                }
                seen.isProvisional = upload.isProvisional
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
            \(sql: Self.select(accounts)) order by e.account for update of m
            """,
            Self.runs(of: accounts),
            IncidentStore.select(condition, locked: true),
            PastEmergencies.select(accounts),
        ])
        guard let now = try results[0].decodeOne(as: Timestamp.self) else { return [] }
        standby.clock.learn(now)
        let surroundings = surroundings(at: now)
        var (people, keyless, overtaken) = try await read(results[1], runs: try Self.runs(results[2]), at: now)
        // What was in memory alone of them is read from storage again.
        if !overtaken.isEmpty { try await transaction.execute(gaps.open(of: overtaken)) }
        let open = try incidents.decode(results[3])
        for record in open.records {
            people[record.account]?.incident = record
            if let fault = record.fault { report("an incident cannot be read", of: record.account, fault) }
        }
        for incident in open.unreadable {
            people[incident.account]?.unreadable = incident.id
            report("an incident cannot be read", of: incident.account, incident.fault)
        }
        for (account, past) in try PastEmergencies.decode(results[4]) { people[account]?.over = past }
        body(&people, surroundings)
        try await write(Array(people.values), surroundings, in: transaction)
        return keyless
    }

    func surroundings(at now: Timestamp) -> WatchedPerson.Surroundings {
        WatchedPerson.Surroundings(
            incidents: incidents, notices: notices, hooks: hooks, bell: bell, standby: standby, log: log,
            now: now)
    }

    private func write(
        _ people: [WatchedPerson], _ surroundings: WatchedPerson.Surroundings, in transaction: Transaction
    ) async throws {
        var opened: [(index: Int, record: IncidentRecord)] = []
        var statements: [SQL] = []
        var entries: [(account: UUID, entry: Roster.Entry, changes: UInt32?)] = []
        for person in people {
            if let opening = try person.opening(surroundings), let record = person.new {
                statements += opening.before
                opened.append((statements.count, record))
                statements.append(opening.open)
            }
            statements += try person.statements(surroundings)
            entries.append((person.wearer.account, person.rosterEntry, person.origin.changes))
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
        transaction.afterCommit(onlyIfCertain: true) { [entries] in
            for (account, entry, changes) in entries { standby.roster.remember(account, entry, from: changes) }
        }
        let isNews = !started.isEmpty || !changed.isEmpty || people.contains { $0.hasChangedPhase }
        let concernsContacts = people.contains { $0.hasContactEvents } || !started.isEmpty || !changed.isEmpty
        transaction.afterCommit {
            for record in started { desk.start(record) }
            for id in changed { desk.changed(id) }
            if hasNotices { notices.wake() }
            if isNews { incidents.changed.raise() }
            if concernsContacts { contacts.wake() }
        }
    }

    // MARK: Reading

    /// Those of these people who are watched, as they are stored.
    static func select(_ accounts: [UUID]) -> SQL {
        """
        select e.account, e.version, e.rules, e.details, p.identity, t.own, m.state, m.revision from enrolment e
        join monitor m on m.account = e.account left join enrolled_person p on p.account = e.account
        left join thresholds t on t.account = e.account
        where e.account = any(\(accounts)) and e.is_active
        """
    }

    static func runs(of accounts: [UUID]) -> SQL {
        "select account, begins_at, ends_at from run_watch where account = any(\(accounts)) and ends_at is not null"
    }

    static func runs(_ rows: ResultSet) throws -> [UUID: [ClosedRange<Timestamp>]] {
        var runs: [UUID: [ClosedRange<Timestamp>]] = [:]
        for (account, from, to) in try rows.decode(as: UUID.self, Timestamp.self, Timestamp.self) where from <= to {
            runs[account, default: []].append(from...to)
        }
        return runs
    }

    private func read(
        _ rows: ResultSet, runs: [UUID: [ClosedRange<Timestamp>]], at now: Timestamp
    ) async throws -> (people: [UUID: WatchedPerson], keyless: Set<UUID>, overtaken: Set<UUID>) {
        var (people, keyless, overtaken): ([UUID: WatchedPerson], Set<UUID>, Set<UUID>) = ([:], [], [])
        var unreadable = 0
        let rows = try rows.rows.map { try StoredPerson($0) }
        let held = await keys.keysAtHand(of: rows.map(\.account))
        for row in rows {
            let account = row.account
            do {
                // The key of somebody who is being erased is destroyed.
                guard let key = try held[account]?.get() else { continue }
                let live = standby.roster.live(account)
                let isLive = live?.revision == row.revision
                if !isLive, live?.isUnsaved == true { overtaken.insert(account) }
                let monitor = Monitor.unpacked(
                    {
                        if let live, isLive { return live.monitor }
                        return try PersonalColumn.monitor.open(bytes: row.monitor, of: account, with: key)
                    }, of: account, at: now, log: log)
                people[account] = try person(
                    account, row.enrolled, monitor, runs: runs[account] ?? [], key: key,
                    from: .init(revision: row.revision, changes: live?.changes))
            } catch  where SubjectKeys.isAway(error) || error is KeyMissing {
                keyless.insert(account)
            } catch {
                report("an enrolment cannot be read, and its person not be watched", of: account, "\(error)")
                unreadable += 1
            }
        }
        if keyless.count + unreadable > 0 { unwatched.report(keyless.count + unreadable) }
        return (people, keyless, overtaken)
    }

    /// Somebody as stored in the database, or kept in memory.
    func person(
        _ account: UUID, _ enrolled: Roster.Enrolled, _ monitor: Monitor, runs: [ClosedRange<Timestamp>],
        key: SubjectKey, from origin: WatchedPerson.Origin = .init()
    ) throws -> WatchedPerson {
        let (wearer, details) = try wearer(account, enrolled, runs: runs, key: key)
        return WatchedPerson(
            wearer: wearer, key: key, enrolment: details, identity: identity(enrolled, of: account, with: key),
            enrolled: enrolled, monitor: monitor, origin: origin)
    }

    /// Somebody who is kept in memory, as far as samples were read.
    func person(_ account: UUID, _ entry: Roster.Entry, key: SubjectKey, at now: Timestamp) throws -> WatchedPerson {
        try person(
            account, entry.enrolled, .unpacked({ entry.monitor }, of: account, at: now, log: log), runs: entry.runs,
            key: key)
    }

    /// What somebody is judged by.
    func wearer(
        _ account: UUID, _ enrolled: Roster.Enrolled, runs: [ClosedRange<Timestamp>], key: SubjectKey
    ) throws -> (Wearer, EnrolmentDetails) {
        let details = try PersonalColumn.enrolment.open(
            packed: enrolled.details, as: EnrolmentDetails.self, of: account, with: key)
        let wearer = Wearer(
            account: account, birthDate: details.birthDate, rules: ruleSet(enrolled.rules, of: account),
            thresholds: thresholds(enrolled.thresholds, of: account, with: key), runs: runs)
        return (wearer, details)
    }

    /// `nil` when accounts has not told it yet, or it cannot be read: then accounts is asked.
    private func identity(
        _ enrolled: Roster.Enrolled, of account: UUID, with key: SubjectKey
    ) -> IncidentDetails.Person? {
        do {
            return try enrolled.identity.map { try PersonalColumn.identity.open(packed: $0, of: account, with: key) }
        } catch {
            report("who an enrolled person is cannot be read", of: account, "\(error)")
            return nil
        }
    }

    /// The rule set of that name; the standard one for a name that only a later version knows.
    private func ruleSet(_ name: String, of account: UUID) -> RuleSet {
        if let known = RuleSet(rawValue: name) { return known }
        log.error(
            "an unknown rule set; the standard one watches",
            ["account": .string(account.description), "rules": .string(name)])
        return .standard
    }

    /// Limits that cannot be read are those of the rule set: nobody is watched less for it.
    private func thresholds(_ own: [UInt8]?, of account: UUID, with key: SubjectKey) -> PersonalThresholds? {
        guard let own else { return nil }
        do { return try PersonalColumn.thresholds.open(own, of: account, with: key) } catch {
            report("personal thresholds cannot be read; those of the rule set watch", of: account, "\(error)")
            return nil
        }
    }

    private func report(_ what: StaticString, of account: UUID, _ error: String) {
        log.error(what, ["account": .string(account.description), "error": .string(error)])
    }
}
