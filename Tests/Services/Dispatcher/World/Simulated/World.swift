import Primitives
import Reactor
import SeededRandom
import Telemetry

@testable import Dispatcher

/// A mistake that the world has to notice: made where the world stands in for what it replaces, so that no shipped code knows of it.
enum WorldMutant: String, CaseIterable, Sendable {
    /// What was read late counts as just received.
    case ageWithoutLag = "age-without-lag"
    /// Who has lost a lease hears of it late, and may write meanwhile.
    case leaseCheckedLate = "lease-checked-late"
    /// The database forgets which entries of a journal it has.
    case journalReplayedTwice = "journal-replayed-twice"
    /// A cancellation overtakes its alert.
    case cancellationBeforeAlert = "cancellation-before-alert"
    /// Values close to a limit count as clearly normal.
    case noHysteresis = "no-hysteresis"
    /// Leases are taken over that have not ended.
    case twoCouriers = "two-couriers"
}

/// One seed's world: people whose hearts are known, replicas that are the shipped parts, a database, disks, ambulance services, and
/// what goes wrong. One loop, one clock, one thread; nothing in it depends on anything but the seed. `README.md` says what is shipped
/// and what stands in.
final class World: @unchecked Sendable {
    /// How long one lives.
    static let lifetime = Duration.seconds(330)
    /// Nothing goes wrong after this.
    static let faultsEnd = 200.0
    static let peopleCount = 20
    /// The wall clocks at the beginning: 2026-05-01T08:00:00Z.
    static let wallStart = Timestamp(microseconds: 1_777_622_400_000_000)
    static let partsCount = 2
    static let replicasCount = 2

    let seed: UInt64
    let mutant: WorldMutant?
    let loop: EventLoop
    let simulation: Simulation
    let start: Deadline
    /// For what the world itself does.
    var random: SeededGenerator
    let hooks: Hooks
    let times = HandOverTimes()
    private(set) var database: WorldDatabase!
    private(set) var feed: WorldFeed!
    private(set) var services: [WorldService] = []
    private(set) var people: [WorldPerson] = []
    private(set) var presses: [WorldPress] = []
    private(set) var watch: WorldWatch!
    private(set) var faults: WorldFaults!
    /// By place; `nil` while none runs there.
    var processes: [WorldProcess?] = []
    /// Those that have died: what was under way in them ends later, without effect.
    var dead: [WorldProcess] = []
    private(set) var disks: [WorldDisk] = []
    private(set) var isOver = false
    /// Calls through what the world stands in for.
    private(set) var steps = 0

    /// Each event in a line, when it is told.
    private(set) var story: [String] = []
    private let isTelling: Bool
    /// Of the shipped parts; told as the rest.
    private(set) var log = WorldTemplate.shared.log

    init(seed: UInt64, mutant: WorldMutant? = nil, isTelling: Bool = false, isRecording: Bool = false) throws {
        self.seed = seed
        self.mutant = mutant
        self.isTelling = isTelling
        loop = try EventLoop.simulated()
        // A machine that has been up for a while.
        simulation = Simulation(
            seed: seed ^ 0x5151, at: 10_000_000_000_000,
            wallMicroseconds: Self.wallStart.microseconds - 10_000_000_000)
        simulation.isShuffling = seed % 2 == 1
        start = simulation.now
        random = SeededGenerator(seed: seed, stream: 1)
        hooks = Hooks(WorldService.names.map(WorldService.hook))
        database = WorldDatabase(self, isRecording: isRecording)
        feed = WorldFeed(self)
        services = WorldService.names.map { WorldService($0, in: self) }
        watch = WorldWatch(self)
        people = (0..<Self.peopleCount).map { WorldPerson($0, in: self) }
        presses = WorldPress.planned(in: self)
        faults = WorldFaults(self)
        if isTelling { log = Log(service: "dispatcher", level: .warning, sink: StorySink(self)) }
        disks = (0..<Self.replicasCount).map { _ in WorldDisk() }
        processes = disks.map { _ in nil }
    }

    /// Lives it; returns what was wrong.
    func live() -> [String] {
        let tasks = [loop.task { [self] in await begin() }]
        loop.run(simulation, until: start.advanced(by: Self.lifetime))
        simulation.run { watch.end() }
        isOver = true
        feed.news.raise()
        for process in processes { process?.die() }
        for task in tasks { task.cancel() }
        loop.run(simulation, until: .never)
        return watch.wrongs
    }

    private func begin() async {
        for place in disks.indices { startProcess(at: place) }
        loop.task { [self] in await feed.run() }
        loop.task { [self] in await faults.run() }
        loop.task { [self] in await watch.run() }
        for press in presses { loop.task { [self] in await press.run(in: self) } }
    }

    func startProcess(at place: Int) {
        guard !isOver, processes[place] == nil else { return }
        let process = WorldProcess(at: place, in: self)
        processes[place] = process
        tell("replica \(place) starts")
        process.start()
    }

    // MARK: For the parts

    /// Seconds since the beginning.
    var now: Double { seconds(simulation.now) }
    func seconds(_ time: Deadline) -> Double { Double(time.since(start).microseconds) / 1_000_000 }
    func deadline(_ second: Double) -> Deadline { start.advanced(by: .microseconds(Int64(second * 1_000_000))) }

    /// False when the world is over.
    @discardableResult
    func sleep(_ seconds: Double) async -> Bool {
        try? await loop.sleep(for: .microseconds(Int64(seconds * 1_000_000)))
        return !isOver
    }

    func sleep(until second: Double) async -> Bool {
        guard second > now else { return !isOver }
        return await sleep(second - now)
    }

    var livingProcesses: [WorldProcess] { processes.compactMap { $0 }.filter { !$0.isDead } }

    /// Counts a step of a process; it may be its last.
    func step(_ process: WorldProcess) {
        steps += 1
        faults.step(process)
    }

    func tell(_ line: @autoclosure () -> String) {
        guard isTelling else { return }
        let millis = Int(now * 1000)
        let rest = String(millis % 1000)
        story.append("\(millis / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s  \(line())")
    }

    func name(_ account: UUID) -> String { "person \(account.low)" }
}

/// What the shipped parts log.
private struct StorySink: LogSink {
    private unowned let world: World

    init(_ world: World) { self.world = world }

    func write(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self)
        guard let from = text.firstRange(of: #""message":""#)?.upperBound else { return }
        world.tell("log: \(text[from...].dropLast())")
    }
}
