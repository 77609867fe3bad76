import Primitives
import Reactor
import SeededRandom

@testable import Dispatcher

/// Knows what is true in a world, and says what has gone wrong in it: after each step, each second, and at the end.
///
/// | what must hold | where it is looked at |
/// |---|---|
/// | each emergency is in exactly one incident, once (where a replica was cut off it may be found there again); none without | `opened`, `end` |
/// | handed over within 5 s, when the first hook answers (`timeFor` says what may take longer, and why) | `end` |
/// | nobody is called once a false alarm was answered, but by who cannot know | `called` |
/// | at most one acceptance is answered; on two sides two, one of which is cancelled within 5 s of healing | `accepted`, `look` |
/// | who need not come has been told so; the earlier acceptance stands | `look`, `end` |
/// | an entry of a journal is applied once | `appliedTwice` |
/// | one courier for each incident, but for the time that a lease lasts | `look` |
final class WorldWatch: @unchecked Sendable {
    static let handOverMax = 5.0
    /// What was apart is one again.
    static let settledMax = 5.0

    private struct Seen {
        var account: UUID
        var calledOffAt: Double?
        var isSuppressed = false
        var isCalled = false
        /// Seconds in a row in which two couriers delivered it.
        var doubled = 0
    }

    private unowned let world: World
    private(set) var wrongs: [String] = []
    private var expected: [UUID: WorldEmergency] = [:]
    private var seen: [UUID: Seen] = [:]
    /// Samples that a monitor has judged.
    private(set) var judgedCount = 0

    init(_ world: World) { self.world = world }

    /// All that are true.
    var emergencies: [WorldEmergency] { world.people.flatMap(\.emergencies) }

    private func wrong(_ what: @autoclosure () -> String) {
        guard !world.isOver, wrongs.count < 5 else { return }
        let line = "\(what()) (at \(world.now) s)"
        world.tell("WRONG: \(line)")
        wrongs.append(line)
    }

    // MARK: Told

    func judged(_ events: [WorldFeed.Event]) { judgedCount += events.reduce(0) { $0 + $1.count } }

    func opened(_ record: IncidentRecord, by process: WorldProcess) {
        world.tell("replica \(process.place) opens \(record.id) of \(world.name(record.account)) in the database")
        know(record.id)
    }

    private func know(_ incident: UUID) {
        guard seen[incident] == nil else { return }
        guard let emergency = expected[incident] else {
            return wrong("incident \(incident) is of no emergency")
        }
        seen[incident] = Seen(account: emergency.person.account)
        if world.random.index(below: 4) == 0 {
            world.loop.task { [self] in await callOff(incident, emergency) }
        }
    }

    func changed(_ row: WorldRow, to record: IncidentRecord, by process: WorldProcess) {
        guard row.incident.acceptedBy != record.incident.acceptedBy || row.incident.stage != record.incident.stage
        else {
            return
        }
        world.tell(
            "\(row.id) is \(record.incident.stage.rawValue)\(record.incident.acceptedBy.map { " by \($0)" } ?? "")")
    }

    func claimed(_ row: WorldRow, by process: WorldProcess) {
        world.tell("replica \(process.place) takes over \(row.id)")
    }

    func appliedTwice(_ entry: UUID, _ incident: UUID) { wrong("entry \(entry) of \(incident) is applied twice") }

    /// A call begins.
    func called(_ incident: UUID, _ service: WorldService, _ kind: WorldService.Kind, by process: WorldProcess) {
        know(incident)
        seen[incident]?.isCalled = true
        guard kind == .alert || kind == .update, let known = seen[incident], let off = known.calledOffAt else { return }
        // Who has the lease hears of it with the next renewal; who does not reach the database, when it does.
        guard world.now > off + 1, let calm = world.faults.calmSince, world.now > calm + 3,
            !hasGoneOn(incident, since: off)
        else { return }
        wrong("\(service.name) is called of \(incident), which was called off at \(off) s")
    }

    /// Another emergency was found in it later, or what went on was found a second time by who was cut off: who says before that that
    /// all is well, and is heard after it, ends nothing.
    private func hasGoneOn(_ incident: UUID, since second: Double) -> Bool {
        guard let row = world.database.tables.incidents[incident], row.incident.stage != .closed else { return false }
        return emergencies.contains { emergency in
            guard emergency.person.account == row.account, emergency.lastAt > second else { return false }
            let origins = origins(of: emergency)
            let found = row.details.findings.filter { origins.contains($0.origin.time) }.count
            return found > (emergency.firstAt > second ? 0 : 1)
        }
    }

    /// The times by its device at which it may be found to begin.
    private func origins(of emergency: WorldEmergency) -> Set<Timestamp> {
        Set((emergency.from...emergency.through).map { emergency.person.deviceTime($0) })
    }

    /// A hook has answered 2xx.
    func received(_ incident: UUID, _ service: WorldService, _ kind: WorldService.Kind) {
        guard kind == .alert || kind == .update, let emergency = expected[incident] else { return }
        emergency.handedOverAt = emergency.handedOverAt ?? world.now
        if seen[incident]?.isSuppressed == true, isCalm(for: 3) {
            wrong("\(incident) was called off before anybody was called")
        }
    }

    func accepted(_ incident: UUID, by service: WorldService, at process: WorldProcess, askedAt: Double) {
        // Its answer to our call may have been lost.
        if let emergency = expected[incident] { emergency.handedOverAt = emergency.handedOverAt ?? world.now }
        guard let calm = world.faults.calmSince, askedAt > calm + Self.settledMax else { return }
        for other in world.services where other !== service && other.known[incident]?.isGoing == true {
            wrong("\(service.name) may come to \(incident), and so may \(other.name)")
        }
    }

    // MARK: The wearer

    /// It is a false alarm.
    private func callOff(_ incident: UUID, _ emergency: WorldEmergency) async {
        let delay = world.random.weighted([(1, 0.1...4.0), (2, 4.0...60.0)])
        guard await world.sleep(world.random.value(in: delay)) else { return }
        for _ in 0..<100 {
            let living = world.livingProcesses.filter(\.isServing)
            if !living.isEmpty {
                let process = world.random.element(of: living)
                let outcome = try? await process.desk.callOff(
                    incident, .calledOff, by: emergency.person.account, at: process.standby.clock.now())
                if !process.isDead, let outcome {
                    guard case .done = outcome else { return }
                    seen[incident]?.calledOffAt = world.now
                    let isNew = seen[incident]?.isCalled == false
                    seen[incident]?.isSuppressed = isNew && emergency.person.hasAbortWindow && isCalm(for: 3)
                    world.tell("\(incident) is called off at replica \(process.place)")
                    return
                }
            }
            guard await world.sleep(1) else { return }
        }
    }

    private func isCalm(for seconds: Double) -> Bool {
        world.faults.calmSince.map { world.now > $0 + seconds } ?? false
    }

    // MARK: Each second

    func run() async {
        for emergency in emergencies { for id in emergency.person.ids(of: emergency) { expected[id] = emergency } }
        while await world.sleep(1) { look() }
    }

    private func look() {
        guard isCalm(for: Self.settledMax) else { return }
        for id in seen.keys.sorted() {
            let going = world.services.filter { $0.known[id]?.isGoing == true }
            if going.count > 1 { wrong("\(going.map(\.name)) come to \(id)") }
            let couriers = world.livingProcesses.filter { $0.desk.courier(of: id).map { !$0.isLost } ?? false }
            let doubled = couriers.count > 1 ? (seen[id]?.doubled ?? 0) + 1 : 0
            seen[id]?.doubled = doubled
            if doubled == 3 { wrong("\(id) has two couriers") }
        }
    }

    // MARK: The end

    func end() {
        let rows = world.database.tables.incidents.values.sorted { $0.id < $1.id }
        for emergency in emergencies {
            let origins = origins(of: emergency)
            let found = rows.filter { $0.account == emergency.person.account }.flatMap { row in
                row.details.findings.filter { origins.contains($0.origin.time) }.map { finding in
                    world.tell(
                        "\(emergency.name): from \(finding.origin.time) in \(row.id), read at \(finding.receivedAt)")
                    return row
                }
            }
            switch fate(of: emergency) {
            case .handedOver:
                if found.isEmpty { wrong("\(emergency.name) is in no incident") }
                // What was opened apart and gave way is news of another incident, for which nobody waits.
                check(timeOf: emergency, found.first { !$0.hasGivenWay && expected[$0.id] === emergency })
            case .tooLate:
                if !found.isEmpty { wrong("\(emergency.name) was over when it was read, and is an incident") }
            case .either: break
            }
            // Of two that were opened apart one gives way, and what was found in it is found in the other.
            let hasGivenWay = found.contains { $0.hasGivenWay }
            // Where it is not known that an incident was called off before this was found, it is told of that one first.
            let foundAt = emergency.visibleAt ?? emergency.firstAt
            let standing = found.filter { row in
                !row.hasGivenWay && !isCalledOff(row, before: foundAt)
            }
            // Whoever was there first is told what was found in one that gives way when it is settled.
            if case .handedOver = fate(of: emergency), !found.isEmpty, !isClockSetApart(before: emergency),
                !found.contains(where: { !$0.hasNeverStood && !isCalledOff($0, before: emergency.firstAt) })
            {
                wrong("\(emergency.name) is in no incident that stands, or stood")
            }
            // Who is cut off goes on from what it knew before, and finds what goes on a second time: news of the same incident.
            let isOnce = !hasGivenWay && !isDisturbed(emergency)
            let isTwice = isOnce ? standing.count > 1 : Set(standing.map(\.id)).count > 1
            if isTwice, !isSplit(emergency) {
                wrong("\(emergency.name) was found \(found.count) times, in \(Set(found.map(\.id)).count) incidents")
            }
        }
        for row in rows { check(row) }
    }

    /// One that went on, since another emergency was found in it before that was heard, was not.
    private func isCalledOff(_ row: WorldRow, before time: Double) -> Bool {
        guard row.incident.outcome == .falseAlarm || row.incident.outcome == .suppressed else { return false }
        return seen[row.id]?.calledOffAt.map { $0 < time } ?? false
    }

    private func check(_ row: WorldRow) {
        if expected[row.id] == nil { wrong("incident \(row.id) is of no emergency") }
        // Who is to be told has so long.
        if let last = row.steps.map(\.at).max(), last > world.database.now - .seconds(Int64(Self.settledMax)) { return }
        for service in world.services {
            guard let known = service.known[row.id], known.number > 0, !service.forgotten.contains(row.id) else {
                continue
            }
            let hasRejected = row.incident.handOver(to: service.name)?.rejectedAt != nil
            let isTold = known.kind == .cancel || known.kind == .resolved || hasRejected
            switch row.incident.stage {
            case .closed: if !isTold { wrong("\(row.id) is closed, and \(service.name) does not know") }
            case .accepted:
                let isWinner = row.incident.acceptedBy == service.name
                if isWinner, isTold { wrong("\(service.name) has accepted \(row.id), and believes that it is over") }
                if !isWinner, !isTold {
                    wrong("\(row.id) was accepted by another, and \(service.name) does not know")
                }
            case .unaccepted:
                if known.isGoing { wrong("\(service.name) comes to \(row.id), and nobody knows") }
            }
        }
        let going = world.services.filter {
            row.incident.acceptedBy != $0.name && $0.known[row.id]?.isGoing == true && !$0.forgotten.contains(row.id)
        }
        for service in going { wrong("\(service.name) comes to \(row.id) in vain") }
    }

    /// The database's clock was set where a replica could not hear of it: of what it says nobody can tell whether it was before.
    private func isClockSetApart(before emergency: WorldEmergency) -> Bool {
        let faults = world.faults.planned
        return faults.contains { clock in
            clock.kind == .clockSet && clock.from < emergency.lastAt
                && faults.contains { Self.away.contains($0.kind) && $0.from < clock.from && $0.to > clock.from }
        }
    }

    /// Whether a replica could not reach the database then.
    private func isDisturbed(_ emergency: WorldEmergency) -> Bool {
        world.faults.planned.contains {
            Self.away.contains($0.kind) && $0.from < emergency.lastAt + 5 && $0.to > emergency.firstAt - 5
        }
    }

    /// What one process has handed over without the database rests on its disk, and it is dead: another one that reads the samples late
    /// may find another beginning. Both are settled when it is back.
    private func isSplit(_ emergency: WorldEmergency) -> Bool {
        world.faults.crashes.contains { $0 > emergency.firstAt && $0 < emergency.lastAt + 60 } && isDisturbed(emergency)
    }

    private enum Fate { case handedOver, tooLate, either }

    /// What the feed's lag makes of an emergency.
    private func fate(of emergency: WorldEmergency) -> Fate {
        guard let visible = emergency.visibleAt else { return .either }
        for stall in world.faults.planned where stall.kind == .feedStalls {
            guard visible > stall.from - 1, visible < stall.to + 1 else { continue }
            // An upload that comes late looks new.
            if stall.to > emergency.lastAt + 13 + emergency.person.lateMax {
                return visible > stall.from + 1 ? .tooLate : .either
            }
            if stall.to > emergency.lastAt - 3 { return .either }
        }
        // Who could go on only when it was over.
        guard let due = timeFor(emergency), due - Self.handOverMax < emergency.lastAt - 3 else { return .either }
        return .handedOver
    }

    private func check(timeOf emergency: WorldEmergency, _ row: WorldRow?) {
        guard let row, expected[row.id] === emergency, seen[row.id]?.calledOffAt == nil else { return }
        let due = timeFor(emergency)
        guard let due, emergency.handedOverAt ?? .infinity > due else { return }
        wrong(
            "\(emergency.name) was handed over at \(emergency.handedOverAt.map { "\($0)" } ?? "no time"), and should have been at \(due)"
        )
    }

    private static let away: Set<WorldFaults.Kind> = [
        .databaseAway, .databaseHangs, .slowCommits, .lostCommits, .lostAnswers, .partition,
    ]
    private static let moving: Set<WorldFaults.Kind> = [
        .lostCommits, .lostAnswers, .slowCommits, .partition, .clockSet,
    ]

    /// By when it has to be handed over; `nil` when no time is promised. What is away alone changes nothing: not the database, nor the
    /// disk, nor accounts.
    private func timeFor(_ emergency: WorldEmergency) -> Double? {
        let faults = world.faults.planned
        let promised = Self.handOverMax + (emergency.person.hasAbortWindow ? 10.5 : 0)
        // Samples that come late.
        var base = max(emergency.firstAt, (emergency.visibleAt ?? emergency.firstAt) - 3.3)
        var before = -1.0
        while before < base {
            before = base
            let due = base + promised
            // Another replica goes on within 2 s, once it reaches the database, which divides the parts.
            for crash in world.faults.crashes where crash > emergency.firstAt - 12 && crash < due {
                base = max(base, crash + 4)
            }
            // While parts change hands the database is needed: after a crash, or after commits were lost.
            for fault in faults
            where Self.away.contains(fault.kind) && fault.to > emergency.firstAt - 3 && fault.from < due {
                // Leases of parts end while their renewals are lost.
                let isInTransit =
                    fault.kind == .lostCommits
                    || world.faults.crashes.contains { $0 > fault.from - 10 && $0 < fault.to + 4 }
                    || faults.contains {
                        Self.moving.contains($0.kind) && $0.from < fault.to + 4 && $0.to > fault.from - 5
                            && !($0.kind == fault.kind && $0.from == fault.from)
                    }
                if isInTransit { base = max(base, fault.to + 4) }
            }
            for fault in faults where fault.from < due && fault.to > emergency.firstAt - 3 {
                switch fault.kind {
                case .feedStalls: base = max(base, fault.to - 1)
                // Whom the first hook in turn does not answer is called 15 s later.
                case .hookAway, .hookFails, .hookHangs, .allHooksAway: base = max(base, fault.to + 19)
                case .clockSet: base = max(base, fault.from + 3)
                default: break
                }
            }
            guard base < World.faultsEnd + 60 else { return nil }
        }
        return base + promised
    }
}

extension WorldRow {
    /// It was opened apart, and gave way when it was settled.
    fileprivate var hasNeverStood: Bool {
        incident.outcome == .unanswered && steps.contains { $0.kind == .closed && $0.at == openedAt }
    }

    /// Another incident of the person has taken its place.
    fileprivate var hasGivenWay: Bool {
        incident.outcome == .unanswered || incident.messages.last?.reason == .superseded
    }
}

extension WorldPerson {
    var hasAbortWindow: Bool { WorldTemplate.shared.people[number].details.abortWindowSeconds > 0 }
}
