import Contracts
import Feed
import Primitives
import RPC
import Reactor
import SeededRandom
import Service
import Telemetry

@testable import Dispatcher

/// One life of a replica: the shipped desk with its couriers, journal, monitors in memory and standby, over the world's database,
/// disk and hooks.
final class WorldProcess: @unchecked Sendable {
    let id = UUID.random()
    let place: Int
    unowned let world: World
    let standby = Standby()
    private(set) var journal: LocalJournal!
    private(set) var desk: HandOverDesk!
    private(set) var people: WatchedPeople!
    private(set) var watch: StandbyWatch!
    private(set) var live: LiveMonitors!
    private(set) var calls: ManualCalls!
    private(set) var followers: [WorldFollower] = []
    private(set) var isDead = false
    /// No way to the database.
    var isCut = false
    private var tasks: [Task<Void, Never>] = []
    /// Raised when this process has begun to follow a part.
    let partsChanged = EventCounter()
    private var keeper: WorldMonitorKeeper { WorldMonitorKeeper(process: self) }

    init(at place: Int, in world: World) {
        self.place = place
        self.world = world
        let template = WorldTemplate.shared
        let parts = template.capabilities.people
        let bell = AlarmBell(Metrics())
        journal = LocalJournal(
            WorldDiskOfProcess(world.disks[place], self), on: WorldDiskThread(world.disks[place], self),
            cipher: template.cipher, log: world.log)
        desk = HandOverDesk(
            HandOverServices(
                store: WorldStore(of: self, in: world), local: journal, hooks: world.hooks, caller: WorldCaller(self),
                accounts: WorldAccounts(world), tokens: template.tokens, baseURL: "https://sos.example.org",
                times: world.times, log: world.log, bell: bell, metrics: template.handOverMetrics),
            loops: .simulated([world.loop]))
        // Whether something has changed is known by each process for itself.
        let incidents = IncidentStore(
            database: parts.incidents.database, sealing: parts.incidents.sealing, notices: parts.notices,
            times: world.times, log: world.log, holder: id)
        people = WatchedPeople(
            incidents: incidents, keys: template.keys, notices: parts.notices, hooks: world.hooks, desk: desk,
            unwatched: parts.unwatched, standby: standby, gaps: parts.gaps, contacts: parts.contacts, bell: bell,
            log: world.log)
        live = LiveMonitors(people: people, keeper: keeper, metrics: Metrics())
        calls = ManualCalls(
            keeper: WorldPressKeeper(process: self), hooks: world.hooks, desk: desk, people: people,
            calls: template.calls)
        watch = StandbyWatch(people: people, desk: desk, metrics: template.metrics)
        followers = (0..<World.partsCount).map { WorldFollower($0, of: self) }
    }

    func start() {
        tasks = [
            world.loop.task { [self] in await run() },
            world.loop.task { [self] in
                // As `Capabilities.runJournal`; it waits for the migrations, as all does at a start.
                _ = await isStarted.wait(after: 0)
                await journal.changes.rounds(every: .seconds(1)) {
                    try await self.journal.open()
                    try await self.desk.settleRest(at: self.standby.clock.now())
                } failed: { _ in
                }
            },
        ]
    }

    private let isStarted = EventCounter()
    /// Whether it answers.
    private(set) var isServing = false

    private func run() async {
        // Migrations, and the database's clock.
        while !isDead, !Task.isCancelled {
            let time = try? await world.database.transaction(self, deadline: nil, isReading: true) { _, _ in
                world.database.now
            }
            if let time {
                standby.clock.learn(time)
                break
            }
            guard await world.sleep(0.25) else { return }
        }
        guard !isDead else { return }
        isServing = true
        isStarted.raise()
        tasks += [
            world.loop.task { [self] in await desk.run() }, world.loop.task { [self] in await keepRoster() },
            world.loop.task { [self] in await readGaps() },
        ]
        await shareParts()
    }

    /// It is gone, at once: nothing that its tasks still do has an effect, as nothing gets through to anything from a dead process.
    func die() {
        guard !isDead else { return }
        isDead = true
        world.tell("replica \(place) is dead")
        if world.processes[place] === self { world.processes[place] = nil }
        world.dead.append(self)
        isStarted.raise()
        for task in tasks { task.cancel() }
        partsChanged.raise()
        world.loop.task { [self] in
            for follower in followers { await follower.stop() }
            await desk.stop()
            journal.close()
        }
    }

    // MARK: Parts of the feed

    /// As `PartLeases.time` …
    private static let leaseTime = Duration.milliseconds(1200)
    /// … and `PartLeases.interval`.
    private static let leaseInterval = 0.3

    /// As `ShardConsumer+Sharing` with `PartLeases`, for two replicas: each says that it is alive, and takes the parts of those that
    /// were not heard for too long.
    private func shareParts() async {
        while !Task.isCancelled, !isDead, !world.isOver {
            if let shared = try? await shareOnce(), !isDead {
                for (follower, part) in zip(followers, shared) { await follower.follow(part.holder == id ? part : nil) }
            }
            guard await world.sleep(Self.leaseInterval) else { return }
        }
    }

    private var pause = ClaimPause()

    private func shareOnce() async throws -> [WorldPart] {
        let (parts, order) = try await renew()
        pause.renewed(at: .now())
        var (claims, surplus): ([Int], [Int]) = ([], [])
        for (index, part) in parts.enumerated() {
            let isDue = order[index % order.count] == id
            if isDue, part.holder.map({ !order.contains($0) }) ?? true { claims.append(index) }
            if !isDue, part.holder == id { surplus.append(index) }
        }
        if !pause.isOver { claims = [] }
        guard !claims.isEmpty || !surplus.isEmpty else { return parts }
        for index in surplus { await followers[index].stop() }
        if !surplus.isEmpty {
            try await change(surplus) { part, _ in if part.holder == self.id { part.give(to: nil) } }
        }
        if !claims.isEmpty {
            // Nobody's, or of who is not alive.
            try await change(claims) { part, alive in
                if part.holder.map({ !alive.contains($0) }) ?? true { part.give(to: self.id) }
            }
        }
        return try await renew().parts
    }

    /// As `PartLeases.renew`; the replicas that are alive, in their order.
    private func renew() async throws -> (parts: [WorldPart], order: [UUID]) {
        let (database, id) = (world.database!, id)
        return try await database.transaction(self, deadline: .after(Self.leaseTime), waitsForDisk: false) {
            tables, _ in
            tables.replicas[id] = database.now + Self.leaseTime
            return (tables.parts, Self.alive(tables, at: database.now).union([id]).sorted())
        }
    }

    /// As `PartLeases.claim` and `release`.
    private func change(_ parts: [Int], _ body: (inout WorldPart, Set<UUID>) -> Void) async throws {
        let (database, world) = (world.database!, world)
        let locks = Set(parts.map { WorldLock.part($0) })
        try await database.transaction(self, deadline: .after(Self.leaseTime), locks: { _ in locks }) { tables, _ in
            let alive = Self.alive(tables, at: database.now)
            for part in parts {
                let before = tables.parts[part].fence
                body(&tables.parts[part], alive)
                if tables.parts[part].fence != before { world.watch.moved(part) }
            }
        }
    }

    private static func alive(_ tables: WorldDatabase.Tables, at now: Timestamp) -> Set<UUID> {
        Set(tables.replicas.filter { $0.value > now && $0.value <= now + leaseTime }.keys)
    }

    /// As `RosterKeeper`, which reads everybody of new parts.
    private func keepRoster() async {
        while !isDead, !world.isOver {
            let seen = partsChanged.value
            let roster = standby.roster
            let missing = world.people.map(\.account).filter { account in
                followers.contains { $0.follows(account) } && roster[account] == nil
            }
            if !missing.isEmpty, (try? await keeper.load(missing)) == nil {
                guard await world.sleep(0.25) else { return }
                continue
            }
            _ = await partsChanged.wait(after: seen)
        }
    }
}

/// Who people are, from accounts, which is away now and then.
struct WorldAccounts: RPCCaller {
    static let nobody = WorldAccounts(nil)
    /// Which holds the processes that ask.
    private weak let world: World?

    init(_ world: World?) { self.world = world }

    func call<M: RPCMethod>(_: M.Type, _: M.Params, deadline: Deadline?) async throws(RPCError) -> M.Result {
        guard let world, await world.sleep(world.random.value(in: 0.002...0.4)), world.random.index(below: 3) > 0,
            let result = WorldTemplate.shared.identity as? M.Result
        else { throw RPCError(.unavailable) }
        return result
    }
}
