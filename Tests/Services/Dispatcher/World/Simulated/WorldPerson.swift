import Contracts
import Domain
import Primitives
import Reactor
import SeededRandom

@testable import Dispatcher

/// A critical state that lasts, as it really is: what the dispatcher finds is judged by it.
final class WorldEmergency: @unchecked Sendable {
    let person: WorldPerson
    let number: Int
    /// The first and the last critical sample, in seconds of the world.
    let from: Int
    let through: Int
    /// When the samples that make it one could be read.
    var visibleAt: Double?
    /// Its first, by any hook that answers 2xx.
    var handedOverAt: Double?
    /// The first message of another incident of the person that a hook has answered since it was found.
    var toldAt: Double?

    init(_ number: Int, of person: WorldPerson, from: Int, through: Int) {
        (self.number, self.person, self.from, self.through) = (number, person, from, through)
    }

    var name: String { "the emergency of \(person.number) at \(from) s" }
    var firstAt: Double { Double(from) + person.phase }
    var lastAt: Double { Double(through) + person.phase }
}

/// Somebody who is watched: a heart that beats as the seed says, and a device that sends it, late, twice, out of order.
final class WorldPerson: @unchecked Sendable {
    static let device = UUID(high: 0x77, low: 0xdead)
    /// Nothing critical happens outside of these seconds.
    private static let emergencies = 25..<150

    let number: Int
    let account: UUID
    let part: Int
    /// Of a second, at which the heart is measured.
    let phase: Double
    private unowned let world: World
    private(set) var emergencies: [WorldEmergency] = []
    private var values: [Double] = []
    /// Seconds between two uploads while all is well.
    private let pace: Int
    private let delayMax: Double
    /// Of 100 uploads so many are sent again.
    private let repeats: Int
    /// How late an upload may be.
    var lateMax: Double { repeats > 0 ? 15 : delayMax }
    /// When its clock is set, and by how much.
    private var clockSet: (from: Int, seconds: Int)?
    private var waiting: [Int] = []
    private var sendsAtOnceUntil = 0

    init(_ number: Int, in world: World) {
        self.number = number
        self.world = world
        account = WorldTemplate.shared.people[number].account
        part = number % World.partsCount
        var random = SeededGenerator(seed: world.seed, stream: 100 + number)
        phase = Double(random.index(below: 10)) / 10
        pace = random.element(of: [1, 3, 5, 5])
        delayMax = random.weighted([(6, 0.15), (2, 0.3), (1, 2.5)])
        repeats = random.weighted([(4, 0), (2, 3), (1, 20)])
        // Three or four of all, at least one.
        let count = number == 3 ? 1 : random.weighted([(17, 0), (2, 1), (1, 2)])
        var from = random.index(below: 60) + Self.emergencies.lowerBound
        for index in 0..<count {
            let length = random.index(below: 34) + 8
            emergencies.append(WorldEmergency(index, of: self, from: from, through: from + length))
            // Far enough for the one before to be over.
            from += length + 40 + random.index(below: 20)
            guard from < Self.emergencies.upperBound else { break }
        }
        let last = emergencies.last?.through ?? 0
        clockSet =
            random.index(below: 3) == 0
            ? (last + 60 + random.index(below: 40), random.element(of: [-86_400, -900, 75, 3600])) : nil
        values = Self.values(&random, emergencies)
    }

    private static func values(_ random: inout SeededGenerator, _ emergencies: [WorldEmergency]) -> [Double] {
        let rest = Double(58 + random.index(below: 30))
        var values = (0..<Int(World.lifetime.components.seconds)).map { _ in rest + Double(random.index(below: 9)) }
        // Single wrong readings, and two of them.
        for second in stride(from: 8, to: values.count - 8, by: 1) where random.index(below: 150) == 0 {
            let isNear = emergencies.contains { second > $0.from - 12 && second < $0.through + 45 }
            guard !isNear, values[second - 4..<second].allSatisfy({ $0 > 45 }) else { continue }
            values[second] = 30
            if random.index(below: 3) == 0 { values[second + 1] = 36 }
        }
        for emergency in emergencies {
            let dithersFrom = emergency.from + 6 + random.index(below: 6)
            for second in emergency.from...emergency.through {
                // At the limit, once it has lasted.
                let isAtLimit = second > dithersFrom && second < emergency.through - 4 && (second - dithersFrom) % 9 < 4
                values[second] = isAtLimit ? Double(41 + random.index(below: 3)) : Double(36 + random.index(below: 4))
            }
        }
        return values
    }

    /// By the device's clock.
    func deviceTime(_ second: Int) -> Timestamp {
        let isSet = clockSet.map { second >= $0.from } ?? false
        let shift = isSet ? clockSet?.seconds ?? 0 : 0
        return World.wallStart + .milliseconds(Int64(phase * 1000)) + .seconds(Int64(second + shift))
    }

    /// The ids that an incident of an emergency may have.
    func ids(of emergency: WorldEmergency) -> [UUID] {
        (emergency.from...emergency.through).map { IncidentID.of(account, origin($0)) }
    }

    func origin(_ second: Int) -> Finding.Origin {
        .init(source: Self.device, type: .heartRate, time: deviceTime(second))
    }

    // MARK: Device

    /// Measures; returns uploads with their delays.
    func measure(at second: Int) -> [(samples: Ingestion.LiveSamples, delay: Double)] {
        waiting.append(second)
        if values[second] <= 45 { sendsAtOnceUntil = second + 60 }
        let isSet = clockSet.map { $0.from == second + 1 } ?? false
        guard waiting.count >= pace || second < sendsAtOnceUntil || isSet else { return [] }
        defer { waiting = [] }
        let first = waiting[0]
        var series = [
            SampleSeries(
                type: .heartRate, start: deviceTime(first), offsets: waiting.map { Int64($0 - first) * 1000 },
                values: waiting.map { value(at: $0) })
        ]
        if second % 10 < pace {
            series.append(
                SampleSeries(
                    type: .position, start: deviceTime(second), offsets: [0],
                    latitudes: [45.4 + Double(number) / 1000], longitudes: [9.19]))
        }
        let samples = Ingestion.LiveSamples(
            accountID: account, deviceID: Self.device, receivedAt: deviceTime(second), sentAt: deviceTime(second),
            series: series)
        var uploads = [(samples, world.random.value(in: 0.02...delayMax))]
        for emergency in emergencies where (emergency.from...emergency.from + 3).contains(second) {
            let arrival = Double(second) + phase + uploads[0].1
            emergency.visibleAt = max(emergency.visibleAt ?? 0, arrival)
        }
        if world.random.index(below: 100) < repeats { uploads.append((samples, world.random.value(in: 0.1...15))) }
        return uploads
    }

    private func value(at second: Int) -> Double {
        let value = values[second]
        return world.mutant == .noHysteresis && (41...43).contains(value) ? 60 : value
    }
}

/// `ingestion.live`, as it is read: parts of uploads, each with the time at which ingestion received it.
final class WorldFeed: @unchecked Sendable {
    struct Event: Sendable {
        let samples: Ingestion.LiveSamples
        let receivedAt: Deadline

        func upload(in world: World) -> WatchedPeople.Upload {
            let age = world.mutant == .ageWithoutLag ? .zero : Deadline.now().since(receivedAt)
            return .init(samples: samples, age: age)
        }

        var count: Int { samples.series.reduce(0) { $0 + $1.count } }
    }

    private static let ticks = 10

    private unowned let world: World
    let news = EventCounter()
    /// Nothing more can be read: ingestion is away from the dispatcher, not from the devices.
    var isStalled = false
    private var parts: [[Event]] = Array(repeating: [], count: World.partsCount)
    private var held: [(part: Int, event: Event)] = []
    private var coming: [[(part: Int, samples: Ingestion.LiveSamples)]] = []

    init(_ world: World) {
        self.world = world
        coming = Array(repeating: [], count: (Int(World.lifetime.components.seconds) + 30) * Self.ticks)
    }

    func events(ofPart part: Int, from cursor: Int) -> [Event] { Array(parts[part][cursor...].prefix(500)) }

    /// What ingestion has stored of a person and received so lately.
    func stored(of account: UUID, within time: Duration) -> [WatchedPeople.Upload] {
        parts.joined().filter { $0.samples.accountID == account && Deadline.now().since($0.receivedAt) <= time }
            .map { $0.upload(in: world) }
    }

    func run() async {
        let end = Int(World.lifetime.components.seconds) - 15
        for tick in 0..<end * Self.ticks {
            guard await world.sleep(until: Double(tick) / Double(Self.ticks)) else { return }
            let (second, tenth) = (tick / Self.ticks, tick % Self.ticks)
            for person in world.people where Int((person.phase * 10).rounded()) == tenth {
                for (samples, delay) in person.measure(at: second) {
                    let arrival = tick + 1 + Int(delay * Double(Self.ticks))
                    if arrival < coming.count { coming[arrival].append((person.part, samples)) }
                }
            }
            var hasNews = false
            for (part, samples) in coming[tick] {
                held.append((part, Event(samples: samples, receivedAt: .now())))
            }
            coming[tick] = []
            if !isStalled, !held.isEmpty {
                for (part, event) in held { parts[part].append(event) }
                held = []
                hasNews = true
            }
            if hasNews { news.raise() }
        }
    }
}
