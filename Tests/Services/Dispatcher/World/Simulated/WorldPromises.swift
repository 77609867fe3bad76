import SeededRandom

@testable import Dispatcher

/// What is promised of an emergency, or a press, in spite of the faults that are planned around it.
extension WorldWatch {
    enum Fate { case handedOver, tooLate, either }

    /// What the feed's lag makes of an emergency.
    func fate(of emergency: WorldEmergency) -> Fate {
        guard let visible = emergency.visibleAt else { return .either }
        for stall in world.faults.planned where stall.kind == .feedStalls {
            guard visible > stall.from - 1, visible < stall.to + 1 else { continue }
            // An upload that comes late looks new.
            if stall.to > emergency.lastAt + 13 + emergency.person.lateMax {
                return visible - 3.3 > stall.from ? .tooLate : .either
            }
            if stall.to > emergency.lastAt - 3 { return .either }
        }
        // Who could go on only when it was over.
        guard let due = timeFor(emergency), due - Self.handOverMax < emergency.lastAt - 3 else { return .either }
        return .handedOver
    }

    static let away: Set<WorldFaults.Kind> = [
        .databaseAway, .databaseHangs, .slowCommits, .lostCommits, .lostAnswers, .partition,
    ]

    /// When the outage began of which a fault is part.
    func outageFrom(_ fault: WorldFaults.Fault) -> Double {
        world.faults.planned.reversed().reduce(fault.from) { from, other in
            Self.away.contains(other.kind) && other.from < from && other.to > from - 1 ? other.from : from
        }
    }

    private static let moving: Set<WorldFaults.Kind> = [
        .lostCommits, .lostAnswers, .slowCommits, .partition, .clockSet,
    ]

    /// By when it has to be handed over; `nil` when no time is promised. What is away alone changes nothing: not the database, nor the
    /// disk, nor accounts.
    func timeFor(_ emergency: WorldEmergency) -> Double? {
        // Samples that come late.
        timeFor(
            emergency.person, from: emergency.firstAt,
            seenAt: max(emergency.firstAt, (emergency.visibleAt ?? emergency.firstAt) - 3.3),
            Self.handOverMax + (emergency.person.hasAbortWindow ? 10.5 : 0))
    }

    /// A replica that does not follow the person asks the database for as long as the device waits; the device goes to the other one.
    private static let pressMax = 8.0

    func timeFor(_ press: WorldPress) -> Double? {
        let isDisturbed = world.faults.planned.contains {
            Self.away.contains($0.kind) && $0.from < press.at + Self.handOverMax && $0.to > press.at - 5
        }
        return timeFor(
            press.person, from: press.at, seenAt: press.at, Self.handOverMax + (isDisturbed ? Self.pressMax : 0),
            isPress: true)
    }

    private func timeFor(
        _ person: WorldPerson, from firstAt: Double, seenAt: Double, _ promised: Double, isPress: Bool = false
    ) -> Double? {
        let faults = world.faults.planned
        var base = seenAt
        var before = -1.0
        while before < base {
            before = base
            let due = base + promised
            // Another replica goes on within 2 s, once it reaches the database, which divides the parts.
            for crash in world.faults.crashes where crash > firstAt - 12 && crash < due {
                base = max(base, crash + 4)
            }
            // While parts change hands the database is needed: after a crash, or after commits were lost.
            for fault in faults
            where Self.away.contains(fault.kind) && fault.to > firstAt - 3 && fault.from < due {
                // Leases of parts end while their renewals are lost.
                let first = outageFrom(fault)
                let last = fault.kind == .lostCommits ? fault.to + 4 : fault.from + 0.5
                let isMoved = moves.contains { $0.part == person.part && $0.at > first - 2 && $0.at < last }
                let isInTransit =
                    isMoved
                    || world.faults.crashes.contains { $0 > first - 10 && $0 < fault.to + 4 }
                    // What was pressed is on the disk of who has died, which has to reach the database.
                    || isPress && world.faults.crashes.contains { $0 > firstAt && $0 < fault.to }
                    // Another replica delivers the incident, and has not heard yet of what is stored.
                    || isPress && fault.from > firstAt && fault.from < firstAt + 1.5
                    || faults.contains {
                        Self.moving.contains($0.kind) && $0.from < fault.to + 4 && $0.to > fault.from - 5
                            && !($0.kind == fault.kind && $0.from == fault.from)
                    }
                if isInTransit { base = max(base, fault.to + 4) }
            }
            for fault in faults where fault.from < due && fault.to > firstAt - 3 {
                switch fault.kind {
                case .feedStalls: base = max(base, fault.to - 1)
                // Whom the first hook in turn does not answer is called 15 s later.
                case .hookAway, .hookFails, .hookHangs, .allHooksAway: base = max(base, fault.to + 19)
                case .clockSet: base = max(base, fault.from + 3)
                // What was pressed is on a disk that its process has to read when it starts.
                case .diskHangs where isPress && world.faults.crashes.contains { $0 > firstAt && $0 < fault.to }:
                    base = max(base, fault.to + 4)
                default: break
                }
            }
            guard base < World.faultsEnd + 60 else { return nil }
        }
        return base + promised
    }
}
