import JSON
import Postgres
import Primitives
import Reactor
import SeededRandom

@testable import Dispatcher

/// PostgreSQL, as far as couriers, the desk and the monitors need it: a transaction takes effect in one moment, as those do that hold
/// the row locks of all they change. `WorldStatements.swift` says which statements stand behind each of its operations.
final class WorldDatabase: @unchecked Sendable {
    /// How it is, or the way to it.
    enum Condition: Sendable, Equatable {
        case well
        /// Commits take so many seconds.
        case slow(Double)
        /// Connections are refused.
        case refuses
        /// Nothing is answered.
        case hangs
    }

    struct Tables {
        var incidents: [UUID: WorldRow] = [:]
        var entries: Set<UUID> = []
        var monitors: [UUID: WorldMonitor] = [:]
        var gaps: [UUID: WorldGap] = [:]
        var parts = (0..<World.partsCount).map { _ in WorldPart() }
        /// Until when replicas count as alive.
        var replicas: [UUID: Timestamp] = [:]
    }

    /// Whether a change of the row is being committed.
    func isLocked(_ row: WorldLock) -> Bool { locked.contains(row) }

    /// What follows from a commit: for who watches the world, and, as far as it knows of it, for the process.
    struct Commit {
        var effects: [@Sendable () -> Void] = []
        var always: [@Sendable () -> Void] = []
        var ifCertain: [@Sendable () -> Void] = []
    }

    /// How long a call waits for an answer that comes without a deadline (`DatabaseConfiguration.queryTime`).
    private static let queryTime = Duration.seconds(30)

    private unowned let world: World
    private(set) var tables = Tables()
    var condition = Condition.well
    /// How often, of 1000, the answer to a commit gets lost …
    var answersLost = 0
    /// … and how often it is lost itself.
    var commitsLost = 0
    /// How far its clock was set.
    var clockSet = Duration.zero
    private var isInside = false
    /// Rows of transactions whose commit is under way.
    private var locked: Set<WorldLock> = []
    private let isRecording: Bool
    /// What has taken effect, in order.
    private(set) var history: [(at: Timestamp, operation: WorldOperation)] = []

    init(_ world: World, isRecording: Bool) {
        self.world = world
        self.isRecording = isRecording
        for person in WorldTemplate.shared.people {
            tables.monitors[person.account] = WorldMonitor(
                Monitor(begunAt: World.wallStart))
        }
    }

    /// `clock_timestamp()`.
    var now: Timestamp {
        Timestamp(microseconds: Int64(world.simulation.nanoseconds / 1000) + world.simulation.wallMicroseconds)
            + clockSet
    }

    /// Notes an operation of the transaction that is under way.
    func record(_ operation: @autoclosure () -> WorldOperation) {
        if isRecording { pending.append(operation()) }
    }

    private var pending: [WorldOperation] = []

    /// `body` runs in one moment: what it awaits does not wait. While commits are slow, it keeps the rows that it locks from then until it
    /// is seen; one that does not wait for the disk (`SQL.commitWithoutWaiting`) is seen at once.
    func transaction<R>(
        _ process: WorldProcess, deadline given: Deadline?, isReading: Bool = false,
        waitsForDisk: Bool = true, locks: (Tables) -> Set<WorldLock> = { _ in [] },
        _ body: (inout Tables, inout Commit) async throws -> R
    ) async throws -> R {
        let deadline = given ?? .after(Self.queryTime)
        try await reach(process, deadline)
        var own = locks(tables)
        while !own.isDisjoint(with: locked) {
            try await wait(0.002, process, deadline)
            try await reach(process, deadline)
            own = locks(tables)
        }
        precondition(!isInside, "a transaction waits for something")
        isInside = true
        pending = []
        var (draft, commit) = (tables, Commit())
        let result: Result<R, any Error>
        do { result = .success(try await body(&draft, &commit)) } catch { result = .failure(error) }
        isInside = false
        let value = try result.get()
        guard !isReading else { return value }
        let operations = pending.map { (now, $0) }
        if case .slow(let seconds) = condition, waitsForDisk {
            let length = Duration.microseconds(Int64(seconds * world.random.value(in: 0.5...1) * 1_000_000))
            locked.formUnion(own)
            // A server goes on with a commit whoever has died, or does not wait for it any more.
            try await world.loop.throwingTask { [self, own, draft, commit] in
                defer { locked.subtract(own) }
                try await world.loop.sleep(until: .after(length))
                try end(commit, operations) { tables.take(own, from: draft) }
            }.value
        } else {
            try end(commit, operations) { tables = draft }
        }
        world.step(process)
        guard isReachable(by: process), world.random.index(below: 1000) >= answersLost else {
            if !process.isDead { for run in commit.always { run() } }
            throw PostgresError.outcomeUnknown(detail: "lost")
        }
        for run in commit.always + commit.ifCertain { run() }
        return value
    }

    /// The end of a commit: lost, or seen by all.
    private func end(
        _ commit: Commit, _ operations: [(at: Timestamp, operation: WorldOperation)], _ show: () -> Void
    ) throws {
        if world.random.index(below: 1000) < commitsLost { throw PostgresError.connection(detail: "lost") }
        show()
        if isRecording { history += operations }
        for run in commit.effects { run() }
    }

    /// Whether this process gets through to it now.
    func isReachable(by process: WorldProcess) -> Bool {
        condition != .refuses && condition != .hangs && !process.isCut && !process.isDead
    }

    private func reach(_ process: WorldProcess, _ deadline: Deadline) async throws {
        world.step(process)
        try await wait(0.0002 + world.random.fraction() * 0.002, process, deadline)
        while !isReachable(by: process) {
            guard !process.isDead else { throw PostgresError.connection(detail: "dead") }
            guard condition == .hangs || process.isCut else { throw PostgresError.connection(detail: "refused") }
            try await wait(0.05, process, deadline)
        }
    }

    private func wait(_ seconds: Double, _ process: WorldProcess, _ deadline: Deadline) async throws {
        do throws(IOError) {
            try await world.loop.sleep(until: min(deadline, .after(.microseconds(Int64(seconds * 1_000_000)))))
        } catch { throw PostgresError.cancelled }
        guard !process.isDead else { throw PostgresError.connection(detail: "dead") }
        guard !deadline.hasPassed else { throw PostgresError.timedOut }
    }
}

/// A row that a transaction locks, with those that belong to it.
enum WorldLock: Hashable, Sendable {
    /// With what of it was journalled.
    case incident(UUID)
    /// With the gap of the person.
    case monitor(UUID)
    case part(Int)

    static func monitors(of accounts: some Sequence<UUID>) -> Set<WorldLock> { Set(accounts.map { .monitor($0) }) }
}

extension WorldDatabase.Tables {
    /// What a transaction has written of these rows, and the incidents that it has opened.
    mutating func take(_ locks: Set<WorldLock>, from draft: WorldDatabase.Tables) {
        entries.formUnion(draft.entries)
        for (id, row) in draft.incidents where incidents[id] == nil { incidents[id] = row }
        for lock in locks {
            switch lock {
            case .incident(let id): incidents[id] = draft.incidents[id]
            case .monitor(let account):
                monitors[account] = draft.monitors[account]
                gaps[account] = draft.gaps[account]
            case .part(let part): parts[part] = draft.parts[part]
            }
        }
    }
}

/// A row of `incident`, with those of `incident_step`.
struct WorldRow: Sendable {
    let id: UUID
    let account: UUID
    let openedAt: Timestamp
    var incident: Incident
    var details: IncidentDetails
    var dueAt: Timestamp?
    var holder: UUID?
    var fence: Int64 = 1
    var leaseUntil: Timestamp
    var revision: Int64 = 1
    var steps: [IncidentStep]

    /// As `IncidentStore.select` reads it; the age is rounded, as PostgreSQL does.
    func record(at now: Timestamp) -> IncidentRecord {
        let age = (now - openedAt + .microseconds(500)).microseconds
        return IncidentRecord(
            id: id, account: account, openedAt: openedAt, incident: incident, details: details, revision: revision,
            fence: fence, age: IncidentAge(milliseconds: age >= 0 ? age / 1000 : (age - 999) / 1000))
    }
}

/// A row of `feed_cursor`.
struct WorldPart: Sendable {
    var holder: UUID?
    var fence: Int64 = 0
    var cursor = 0

    mutating func give(to holder: UUID?) {
        self.holder = holder
        fence += 1
    }
}
