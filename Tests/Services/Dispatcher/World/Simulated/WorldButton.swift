import Postgres
import Primitives
import Reactor
import SeededRandom
import Telemetry

@testable import Dispatcher

/// A press of the SOS button: sent again with the same id, to the other replica, until it is answered.
final class WorldPress: @unchecked Sendable {
    /// Seconds between two tries.
    private static let pause = 1.0
    private static let triesMax = 200
    /// How long an answer is waited for.
    private static let answerMax = Duration.seconds(10)

    let person: WorldPerson
    let form: ManualCallForm
    /// In seconds of the world.
    let at: Double
    let caller: ManualCall.Caller
    private(set) var answeredAt: Double?
    /// The first message that a hook has answered since, of any incident of the person.
    var handedOverAt: Double?

    fileprivate init(_ person: WorldPerson, at: Double, _ caller: ManualCall.Caller, id: UUID) {
        (self.person, self.at, self.caller) = (person, at, caller)
        form = ManualCallForm(id: id, position: .init(latitude: 45.5, longitude: 9.2))
    }

    /// Of the incident that it opens, if none is open.
    var incident: UUID { IncidentID.of(person.account, call: form.id) }
    var name: String { "the press of \(person.number) at \(at) s" }

    /// Some press while they have an emergency, some while they have none, some twice.
    static func planned(in world: World) -> [WorldPress] {
        world.people.flatMap { person in
            var random = SeededGenerator(seed: world.seed, stream: 300 + person.number)
            var at: Double
            if let emergency = person.emergencies.first {
                guard random.index(below: 5) < 2 else { return [WorldPress]() }
                at = max(10, emergency.firstAt + random.value(in: -12...45))
            } else {
                guard random.index(below: 14) == 0 else { return [] }
                at = random.value(in: 20...160)
            }
            return (0..<random.weighted([(3, 1), (1, 2)])).map { number in
                if number > 0 { at += random.value(in: 1...40) }
                let caller: ManualCall.Caller = random.index(below: 2) == 0 ? .person : .device
                return WorldPress(
                    person, at: at, caller, id: UUID(high: 0x99, low: UInt64(person.number * 10 + number)))
            }
        }
    }

    /// A process that dies does not answer.
    private func press(_ process: WorldProcess) async -> UUID? {
        let (form, account, caller) = (form, person.account, caller)
        let work = StartedWork { try await process.calls.call(form, of: account, by: caller) }
        let id = try? await work.outcome(by: .after(Self.answerMax))
        return process.isDead ? nil : id
    }

    func run(in world: World) async {
        guard await world.sleep(until: at) else { return }
        world.tell("person \(person.number) presses the button")
        var place = world.random.index(below: World.replicasCount)
        for _ in 0..<Self.triesMax {
            place = (place + 1) % World.replicasCount
            if let process = world.processes[place], process.isServing, let id = await press(process) {
                answeredAt = world.now
                return world.tell("\(name) is answered by replica \(place): \(id)")
            }
            guard await world.sleep(Self.pause) else { return }
        }
    }
}

/// As `StoredPresses`.
struct WorldPressKeeper: PressKeeper, @unchecked Sendable {
    unowned let process: WorldProcess

    func enrolled(_ account: UUID, log: Log) async throws -> StoredWearer? {
        let packed = try await process.world.database.transaction(process, deadline: nil, isReading: true) {
            tables, _ in
            tables.monitors[account]?.packed
        }
        return StoredWearer(enrolment: WorldTemplate.shared.people[Int(account.low)].details) { now in
            packed.map { packed in Monitor.unpacked({ packed }, of: account, at: now, log: log) }
        }
    }

    func call(
        _ id: UUID, of account: UUID, hooks: [String], _ press: IncidentStore.Press
    ) async throws -> IncidentStore.ManualOpening {
        let (world, process) = (process.world, process)
        return try await world.database.transaction(
            process, deadline: nil, locks: { $0.locks(toWatch: [account]).union([.incident(id)]) }
        ) { tables, commit in
            guard press.isWanted() else { throw PostgresError.cancelled }
            let opening = try tables.call(
                id, of: account, hooks, press, by: process.id, at: world.database.now, world.times)
            let time = press.time(world.database.now)
            world.database.record(.press(holder: process.id, id, account, hooks: hooks, press, at: time))
            if let new = opening.new { commit.effects.append { world.watch.opened(new, by: process) } }
            return opening
        }
    }

    func tellWearer(of record: IncidentRecord) async throws {}
}

extension WorldDatabase.Tables {
    /// As `IncidentStore.call`.
    fileprivate mutating func call(
        _ id: UUID, of account: UUID, _ hooks: [String], _ press: IncidentStore.Press, by holder: UUID,
        at now: Timestamp,
        _ times: HandOverTimes
    ) throws -> IncidentStore.ManualOpening {
        if incidents[id] != nil { return .init(id: id, new: nil, changed: [], countOfDay: 1) }
        if entries.contains(id) {
            let told = incidents.values.filter { $0.account == account }.max {
                ($0.openedAt, $0.id) < ($1.openedAt, $1.id)
            }
            return .init(id: told?.id ?? id, new: nil, changed: [], countOfDay: 1)
        }
        var given: UUID?
        if var open = open(of: account).first?.record(at: now) {
            if let isTold = press.tell(&open, as: id, hooks: hooks, times, at: now) {
                _ = save(open, times)
                return .init(id: open.id, new: nil, changed: isTold ? [open.id] : [], countOfDay: 1)
            }
            open.apply(.superseded(by: id, isTold: open.details != nil))
            _ = save(open, times)
            given = open.id
        }
        let record = try press.make(press.time(now), now, given)
        guard self.open(record, by: holder, at: now, times) else { throw PostgresError.usage("two are open") }
        return .init(id: id, new: record, changed: [given].compactMap(\.self), countOfDay: 1)
    }
}
