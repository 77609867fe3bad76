import Primitives
import Reactor
import SeededRandom

@testable import Dispatcher

/// What goes wrong in a world: around each emergency something does.
final class WorldFaults: @unchecked Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case crash, slowCommits, databaseAway, databaseHangs, lostCommits, lostAnswers, partition, clockSet, feedStalls,
            diskHangs, diskFull, hookAway, hookFails, hookHangs, hookForgets, allHooksAway
    }

    struct Fault: Sendable {
        let kind: Kind
        let from: Double
        let to: Double
        /// Of a replica or hook.
        let place: Int
        let amount: Double

        /// What is to be written on a disk is not.
        var isOfDisks: Bool { [.diskHangs, .diskFull].contains(kind) }
        /// Calls fail meanwhile: one is made again after half a minute at the latest.
        var isOfHooks: Bool { [.hookAway, .hookFails, .hookHangs, .hookForgets, .allHooksAway].contains(kind) }
    }

    private unowned let world: World
    let planned: [Fault]
    /// What was, with its end.
    private(set) var crashes: [Double] = []
    /// A process that is to die after so many steps.
    private var doomed: (id: UUID, steps: Int, downFor: Double)?
    private(set) var underWay: [Fault] = []
    /// Since when nothing has been wrong.
    private(set) var calmSince: Double? = 0
    /// Since when all processes have been there, and have reached the database and their disks, whatever else is wrong.
    private(set) var wholeSince: Double? = 0

    init(_ world: World) {
        self.world = world
        var random = SeededGenerator(seed: world.seed, stream: 2)
        var planned: [Fault] = []
        for begin in world.people.flatMap(\.emergencies).map(\.firstAt) + world.presses.map(\.at) {
            for _ in 0..<random.weighted([(5, 1), (3, 2), (1, 3)]) {
                let from = min(max(8, begin + random.value(in: -3...8)), World.faultsEnd - 1)
                let kind = random.weighted(Kind.allCases.map { ($0 == .crash || $0 == .partition ? 4 : 1, $0) })
                let length =
                    kind == .feedStalls
                    ? 10.0...90.0 : random.weighted([(3, 0.5...4.0), (3, 4.0...20.0), (1, 20.0...60.0)])
                let place = kind == .crash || kind == .partition ? random.index(below: World.replicasCount) : -1
                planned.append(
                    Fault(
                        kind: kind, from: from, to: min(World.faultsEnd, from + random.value(in: length)),
                        place: place < 0 ? random.weighted([(3, 0), (1, 1), (1, 2)]) : place,
                        amount: random.fraction()))
            }
        }
        self.planned = planned.sorted { $0.from < $1.from }
    }

    func run() async {
        var marks = planned.map { (at: $0.from, fault: $0, isBegin: true) }
        marks += planned.filter { $0.kind != .crash && $0.kind != .clockSet }.map { ($0.to, $0, false) }
        for mark in marks.sorted(by: { $0.at < $1.at }) {
            guard await world.sleep(until: mark.at) else { return }
            if mark.isBegin { begin(mark.fault) } else { end(mark.fault) }
        }
    }

    private func begin(_ fault: Fault) {
        world.tell("fault: \(fault.kind.rawValue) of \(fault.place)")
        switch fault.kind {
        case .crash:
            // Whoever works for the emergency; any of them.
            guard let process = world.processes[fault.place] else { return }
            doomed = (process.id, Int(fault.amount * 60), 0.3 + fault.amount * 4)
            return
        case .clockSet:
            let seconds = [-86_400, -600, -2, 2, 90, 600][Int(fault.amount * 6)]
            world.database.clockSet += .seconds(seconds)
            note()
            wholeSince = wholeSince.map { _ in world.now }
            return
        default: underWay.append(fault)
        }
        apply()
    }

    private func end(_ fault: Fault) {
        world.tell("fault over: \(fault.kind.rawValue) of \(fault.place)")
        underWay.removeAll { $0.kind == fault.kind && $0.from == fault.from && $0.place == fault.place }
        apply()
    }

    /// Sets everything as the faults that are under way want it.
    private func apply() {
        func has(_ kind: Kind) -> Fault? { underWay.last { $0.kind == kind } }
        let database = world.database!
        database.condition =
            has(.databaseAway) != nil
            ? .refuses
            : has(.databaseHangs) != nil
                ? .hangs
                : has(.slowCommits).map { .slow(0.3 + $0.amount * 2.5) } ?? .well
        database.commitsLost = has(.lostCommits) == nil ? 0 : 300
        database.answersLost = has(.lostAnswers) == nil ? 0 : 300
        world.feed.isStalled = has(.feedStalls) != nil
        for (place, disk) in world.disks.enumerated() {
            disk.condition =
                has(.diskHangs).map { $0.place % World.replicasCount == place } == true
                ? .hangs
                : has(.diskFull).map { $0.place % World.replicasCount == place } == true ? .isFull : .well
            world.processes[place]?.isCut = underWay.contains { $0.kind == .partition && $0.place == place }
        }
        for (place, service) in world.services.enumerated() {
            func isOn(_ kind: Kind) -> Bool { underWay.contains { $0.kind == kind && $0.place == place } }
            service.condition =
                has(.allHooksAway) != nil || isOn(.hookAway)
                ? .isAway
                : isOn(.hookFails) ? .fails : isOn(.hookHangs) ? .hangs : isOn(.hookForgets) ? .forgets : .well
        }
        note()
    }

    private func note() {
        let isCalm = underWay.isEmpty && doomed == nil && world.processes.allSatisfy { $0 != nil }
        calmSince = isCalm ? world.now : nil
        let isWhole =
            !underWay.contains { WorldWatch.away.contains($0.kind) || $0.isOfDisks } && doomed == nil
            && world.processes.allSatisfy { $0 != nil }
        wholeSince = isWhole ? wholeSince ?? world.now : nil
    }

    // MARK: Crashes

    /// A step of a process, which may be its last.
    func step(_ process: WorldProcess) {
        guard var plan = doomed, plan.id == process.id else { return }
        plan.steps -= 1
        doomed = plan
        guard plan.steps < 0 else { return }
        doomed = nil
        crashes.append(world.now)
        process.die()
        note()
        world.loop.task { [self, plan] in
            guard await world.sleep(plan.downFor) else { return }
            world.startProcess(at: process.place)
            apply()
        }
    }
}
