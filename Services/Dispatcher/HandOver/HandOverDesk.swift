import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization

/// The couriers of this process, and the leases that share the incidents among processes. A process that stops or dies
/// loses its leases, and another goes on (SOS-07).
final class HandOverDesk: Sendable {
    /// Incidents that one process delivers at the same time.
    static let couriersMax = 2000
    static let claimMax = 100
    /// How long a decision waits for those before it: longer than one takes.
    private static let turnMax = Duration.seconds(5)
    /// The same of an incident that is opened without the database: longer than a disk is waited for.
    private static let openingMax = Duration.seconds(1)

    private struct Entry {
        let courier: Courier
        let task: Task<Void, Never>
    }

    private struct State {
        var entries: [UUID: Entry] = [:]
        var ending: [Task<Void, Never>] = []
        /// Incidents that this process cannot read, with the time until which it leaves them to others.
        var unreadable: [UUID: Deadline] = [:]
        /// Incidents about which something is being decided, and people of whom one is being opened.
        var deciding: Set<UUID> = []
        var isStopping = false
    }

    let services: HandOverServices
    private let loops: EventLoopGroup
    private let couriersMax: Int
    private let state = Mutex(State())
    private let wake = EventCounter()
    private let decided = EventCounter()

    init(_ services: HandOverServices, loops: EventLoopGroup, couriersMax: Int = HandOverDesk.couriersMax) {
        self.services = services
        self.loops = loops
        self.couriersMax = couriersMax
    }

    var log: Log { services.log }
    var runningCount: Int { state.withLock { $0.entries.count } }

    /// By hook, how many incidents of this process have a message due that it has not received.
    func outstanding() async -> [String: Int] {
        var counts: [String: Int] = [:]
        for courier in couriers {
            for hook in await courier.outstandingHooks { counts[hook, default: 0] += 1 }
        }
        return counts
    }

    // MARK: Couriers

    /// Begins to deliver an incident that this process has on lease. When all couriers are busy, the incident waits: its
    /// lease runs out, and the first process with a free place takes it over.
    func start(_ record: IncidentRecord) {
        // What this machine's disk has of it counts, too: somebody may have been told so.
        var journalled = services.local[record.id]
        journalled?.closeOpening()
        start(record, journalled)
    }

    /// The same for what is journalled; with its opening the database may not have the incident.
    func start(_ record: IncidentRecord, _ journalled: JournalledIncident?, isOnDisk: Bool = true) {
        let loop = EventLoop.current ?? loops.next()
        let courier = Courier(record, journalled: journalled, isOnDisk: isOnDisk, on: loop, services: services)
        let isStarted = state.withLock { state in
            guard !state.isStopping else { return true }
            if let known = state.entries[record.id] {
                guard known.courier.fence < record.fence || known.courier.isLost else { return true }
                known.courier.lose()
                state.ending.append(known.task)
            } else if state.entries.count >= couriersMax {
                return false
            }
            let task = loop.task { [self] in
                await courier.run()
                ended(courier)
            }
            state.entries[record.id] = Entry(courier: courier, task: task)
            return true
        }
        guard !isStarted else { return }
        services.bell.ring(OperatorAlarm(.overloaded, about: "couriers"))
        services.log.error(
            "an incident waits: this process delivers as many as it can",
            ["incident": .string(record.id.description), "incidents_max": .integer(Int64(couriersMax))])
    }

    private func ended(_ courier: Courier) {
        state.withLock { state in
            if state.entries[courier.id]?.courier === courier { state.entries[courier.id] = nil }
            if state.entries.isEmpty { state.ending = [] }
        }
    }

    /// In the order of their incidents' ids.
    var couriers: [Courier] {
        state.withLock { $0.entries.values.map(\.courier) }.sorted { $0.id < $1.id }
    }

    /// Those of these people's incidents, in the same order.
    func couriers(of accounts: Set<UUID>) -> [Courier] {
        let found = state.withLock { $0.entries.values.map(\.courier).filter { accounts.contains($0.account) } }
        return found.sorted { $0.id < $1.id }
    }

    /// The courier of this process that delivers it.
    func courier(of id: UUID) -> Courier? { state.withLock { $0.entries[id]?.courier } }

    /// Call after this process has changed the incident on disk. Without a courier here there may be something to take over.
    func changed(_ id: UUID) {
        guard let courier = courier(of: id), !courier.isLost else { return wake.raise() }
        courier.announceChange()
    }

    /// Lets `body` decide about an incident after what was decided before: of two services that accept while the database is slow,
    /// the second must not be stored before the first one is answered. Errors: `PostgresError.timedOut` when the ones before take
    /// too long.
    func inTurn<R: Sendable>(_ id: UUID, _ body: () async throws -> R) async throws -> R {
        guard await takeTurn(id, within: Self.turnMax) else { throw PostgresError.timedOut }
        defer { endTurn(id) }
        return try await body()
    }

    /// Lets `body` look for the person's open incident, and open one, after those who do so now: until the disk has taken it, or has not
    /// in time, nobody else knows of it. Goes on when they take too long.
    func opening<R>(of account: UUID, _ body: () async throws -> R) async rethrows -> R {
        let isTaken = await takeTurn(account, within: Self.openingMax)
        defer { if isTaken { endTurn(account) } }
        return try await body()
    }

    /// False when the ones before take too long.
    private func takeTurn(_ id: UUID, within time: Duration) async -> Bool {
        let deadline = Deadline.after(time)
        while true {
            let seen = decided.value
            if state.withLock({ $0.deciding.insert(id).inserted }) { return true }
            guard !deadline.hasPassed, !Task.isCancelled else { return false }
            _ = await decided.wait(after: seen, deadline: deadline)
        }
    }

    private func endTurn(_ id: UUID) {
        state.withLock { _ = $0.deciding.remove(id) }
        decided.raise()
    }

    // MARK: Leases

    /// Renews leases and takes over due incidents without a holder, until cancelled. Call on a loop.
    func run() async {
        var renewDue = Deadline.now()
        await wake.rounds(every: services.times.leaseRound) {
            let isDue = renewDue.hasPassed
            if isDue { renewDue = .after(services.times.leaseRound / 2) }
            try await round(renews: isDue)
        } failed: { error in
            services.log.warning("leases could not be renewed", ["error": Log.text(of: error)])
        }
    }

    /// One round.
    func round(renews: Bool = true) async throws {
        if renews { try await renew() }
        try await takeOver()
    }

    private func renew() async throws {
        // Of what the database does not have there is no lease.
        let running = couriers.filter(\.isStored)
        guard !running.isEmpty else { return }
        let held = try await services.store.renew(running.map(\.id))
        let byID = Dictionary(held.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for courier in running {
            if let lease = byID[courier.id], lease.fence == courier.fence {
                courier.announce(lease.revision)
            } else {
                courier.lose()
            }
        }
    }

    private func takeOver() async throws {
        let room = couriersMax - runningCount
        guard room > 0 else { return }
        let skipped = state.withLock { state in
            state.unreadable = state.unreadable.filter { !$0.value.hasPassed }
            return Array(state.unreadable.keys)
        }
        let claimed = try await services.store.claim(max: min(room, Self.claimMax), but: skipped)
        guard !claimed.isEmpty else { return }
        let ids = claimed.map(\.id)
        let found = try await services.store.records(of: ids)
        for record in found.records {
            guard let fault = record.fault else {
                start(record)
                continue
            }
            leave(record.id, because: fault)
        }
        for incident in found.unreadable { leave(incident.id, because: incident.fault) }
    }

    private func leave(_ id: UUID, because fault: String) {
        state.withLock { $0.unreadable[id] = .after(services.times.unreadablePause) }
        services.bell.ring(OperatorAlarm(.unreadableIncident, about: id.description, incident: id))
        services.log.error(
            "an incident cannot be read, and not be handed over",
            ["incident": .string(id.description), "error": .string(fault)])
    }

    /// Ends all couriers and gives the leases back, so that another process goes on at once.
    func stop() async {
        let tasks = state.withLock { state in
            state.isStopping = true
            defer {
                state.entries = [:]
                state.ending = []
            }
            return state.entries.sorted { $0.key < $1.key }.map(\.value.task) + state.ending
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        do throws(PostgresError) { try await services.store.release() } catch {
            services.log.warning("leases were not given back", ["error": Log.text(of: error)])
        }
    }
}
