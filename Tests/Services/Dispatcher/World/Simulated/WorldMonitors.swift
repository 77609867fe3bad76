import Contracts
import Primitives
import Reactor
import SeededRandom

@testable import Dispatcher

/// A row of `monitor`, not sealed.
struct WorldMonitor: Sendable {
    let packed: [UInt8]
    let revision: Int64
    let judgeBy: Timestamp?

    init(_ monitor: Monitor, revision: Int64 = 1) {
        (packed, self.revision, judgeBy) = (monitor.packed, revision, monitor.judgeBy)
    }

    /// As a saved one is written over: it waits for nothing.
    init(saved packed: [UInt8], revision: Int64) { (self.packed, self.revision, judgeBy) = (packed, revision, nil) }
}

/// A row of `feed_gap`.
struct WorldGap: Sendable {
    let openedAt: Timestamp
    private(set) var claim: UUID?
    private(set) var claimedUntil = Timestamp(microseconds: .min)

    init(openedAt: Timestamp) { self.openedAt = openedAt }

    mutating func claim(_ claim: UUID, until end: Timestamp) { (self.claim, claimedUntil) = (claim, end) }
}

/// The stored monitors, as one process reaches them: as `StoredMonitors`.
struct WorldMonitorKeeper: MonitorKeeper, @unchecked Sendable {
    unowned let process: WorldProcess
    private var database: WorldDatabase { process.world.database }

    func news(since time: Duration) async throws -> MonitorNews {
        let database = database
        return try await database.transaction(process, deadline: .after(.milliseconds(300)), isReading: true) {
            tables, _ in
            let open = tables.incidents.values.filter { $0.incident.stage != .closed && !$0.incident.isExercise }
            return MonitorNews(time: database.now, open: Set(open.map(\.account)), changed: [])
        }
    }

    func load(_ accounts: [UUID]) async throws -> Set<UUID> {
        let roster = process.standby.roster
        try await database.transaction(process, deadline: .after(.seconds(5)), isReading: true) { tables, _ in
            for account in accounts {
                guard let row = tables.monitors[account] else { continue }
                let enrolled = WorldTemplate.shared.people[Int(account.low)].enrolled
                roster.load(account, Roster.Entry(enrolled: enrolled, monitor: row.packed, revision: row.revision))
            }
        }
        return Set(accounts)
    }

    func save(_ monitors: [Roster.Unsaved]) async throws -> Set<UUID> {
        let locks = WorldLock.monitors(of: monitors.map(\.account))
        return try await database.transaction(process, deadline: .after(.seconds(5)), locks: { _ in locks }) {
            tables, _ in
            var written: Set<UUID> = []
            for known in monitors where tables.monitors[known.account]?.revision == known.revision {
                tables.monitors[known.account] = WorldMonitor(saved: known.monitor, revision: known.revision + 1)
                written.insert(known.account)
            }
            return written
        }
    }

    func openGaps(of accounts: Set<UUID>) async throws {
        let now = database.now
        let locks = WorldLock.monitors(of: accounts)
        try await database.transaction(process, deadline: nil, locks: { _ in locks }) { tables, _ in
            tables.openGaps(of: accounts, at: now)
        }
    }
}

extension WorldDatabase.Tables {
    /// As `GapStore.open(of:)`.
    mutating func openGaps(of accounts: Set<UUID>, at now: Timestamp) {
        for account in accounts where gaps[account] == nil {
            gaps[account] = WorldGap(openedAt: now)
        }
    }
}

extension WorldProcess {
    /// As `WatchedPeople.observe`.
    func observe(
        _ uploads: [WatchedPeople.Upload], _ tables: inout WorldDatabase.Tables,
        _ commit: inout WorldDatabase.Commit
    ) {
        change(Set(uploads.map(\.samples.accountID)), &tables, &commit) { people, surroundings in
            for upload in uploads {
                guard let seen = Observation(upload.samples, now: surroundings.now, heldFor: upload.age) else {
                    continue
                }
                people[upload.samples.accountID]?.observe(seen, in: surroundings)
            }
        }
    }

    /// As `WatchedPeople.change`.
    func change(
        _ accounts: Set<UUID>, _ tables: inout WorldDatabase.Tables, _ commit: inout WorldDatabase.Commit,
        _ body: (inout [UUID: WatchedPerson], WatchedPerson.Surroundings) -> Void
    ) {
        let world = world
        let now = world.database.now
        standby.clock.learn(now)
        var people: [UUID: WatchedPerson] = [:]
        for account in accounts {
            guard let row = tables.monitors[account] else { continue }
            let somebody = WorldTemplate.shared.people[Int(account.low)]
            let live = standby.roster.live(account)
            let isLive = live?.revision == row.revision
            if !isLive, live?.isUnsaved == true { tables.openGaps(of: [account], at: now) }
            let monitor = Monitor.unpacked(
                { isLive ? live?.monitor ?? row.packed : row.packed }, of: account, at: now, log: world.log)
            var person = WatchedPerson(
                wearer: somebody.wearer, key: somebody.key, enrolment: somebody.details, identity: somebody.identity,
                enrolled: somebody.enrolled, monitor: monitor,
                origin: .init(revision: row.revision, changes: live?.changes))
            person.incident = tables.open(of: account).first?.record(at: now)
            person.over = tables.over(of: account)
            people[account] = person
        }
        body(&people, self.people.surroundings(at: now))
        for account in accounts.sorted() {
            guard let person = people[account] else { continue }
            write(person, at: now, &tables, &commit)
        }
    }

    /// As `WatchedPeople.write`.
    private func write(
        _ person: WatchedPerson, at now: Timestamp, _ tables: inout WorldDatabase.Tables,
        _ commit: inout WorldDatabase.Commit
    ) {
        let (world, account) = (world, person.wearer.account)
        for record in person.superseded { _ = tables.save(record, world.times) }
        var started: IncidentRecord?
        if let new = person.new, tables.open(new, by: id, at: now, world.times) {
            started = new
            commit.effects.append { [self] in world.watch.opened(new, by: self) }
        }
        if let incident = person.incident { _ = tables.save(incident, world.times) }
        if person.new != nil || !person.changed.isEmpty {
            world.database.record(
                .write(holder: id, superseded: person.superseded, opened: person.new, saved: person.incident))
        }
        tables.monitors[account] = WorldMonitor(person.monitor, revision: person.origin.revision + 1)
        let entry = person.rosterEntry
        commit.ifCertain.append { [self] in
            standby.roster.remember(account, entry, from: person.origin.changes)
        }
        let changed = person.changed
        guard started != nil || !changed.isEmpty || person.hasChangedPhase else { return }
        commit.always.append { [self, started] in
            if let started { desk.start(started) }
            for id in changed { desk.changed(id) }
            people.incidents.changed.raise()
        }
    }

    // MARK: Gaps

    /// As `GapReader` with `GapStore`: the last five minutes of whom something was missed, from ingestion's storage.
    func readGaps() async {
        while await world.sleep(1), !isDead {
            guard !world.feed.isStalled, !world.database.tables.gaps.isEmpty else { continue }
            let (world, claim) = (world, UUID.random())
            let claimed = try? await world.database.transaction(
                self, deadline: .after(.seconds(2)),
                locks: { [database = world.database!] tables in
                    WorldLock.monitors(of: tables.gaps.keys).filter { !database.isLocked($0) }
                }
            ) { tables, _ in
                let now = world.database.now
                let end = now + GapStore.claim
                let free = tables.gaps.filter {
                    ($0.value.claimedUntil <= now || $0.value.claimedUntil > end)
                        && !world.database.isLocked(.monitor($0.key))
                }.keys
                for account in free { tables.gaps[account]?.claim(claim, until: end) }
                return free.sorted()
            }
            for account in claimed ?? [] where !world.feed.isStalled {
                let uploads = world.feed.stored(of: account, within: Monitor.backlogMax)
                _ = try? await world.database.transaction(
                    self, deadline: .after(.seconds(5)), locks: { $0.locks(toWatch: [account]) }
                ) { tables, commit in
                    guard tables.gaps[account]?.claim == claim else { return }
                    self.observe(uploads, &tables, &commit)
                    tables.gaps[account] = nil
                }
            }
        }
    }
}
