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
/// | who presses the button is answered, and is in an incident that no earlier false alarm has ended | `end` |
/// | nobody is called once a false alarm was answered, but by who cannot know | `called` |
/// | at most one acceptance is answered; on two sides two, one of which is cancelled within 5 s of healing; one service comes to a person | `accepted`, `look` |
/// | who need not come has been told so; the earlier acceptance stands, and who has it comes | `look`, `end` |
/// | an entry of a journal is applied once | `appliedTwice` |
/// | one courier for each incident, but for the time that a lease lasts | `look` |
final class WorldWatch: @unchecked Sendable {
    static let handOverMax = 5.0
    /// What was apart is one again.
    static let settledMax = 5.0
    /// Within this a courier has asked a disk again that has not taken what it did.
    private static let askedAgainMax = 2.0

    private struct Seen {
        var account: UUID
        var calledOffAt: Double?
        /// When that was said first: an answer may have been long in coming.
        var saidOverAt: Double?
        var isSuppressed = false
        var isCalled = false
        /// Seconds in a row in which two couriers delivered it.
        var doubled = 0
    }

    unowned let world: World
    private(set) var wrongs: [String] = []
    private var expected: [UUID: WorldEmergency] = [:]
    private var pressed: [UUID: WorldPress] = [:]
    private var seen: [UUID: Seen] = [:]
    /// Incidents that have given way after they stood.
    private var superseded: Set<UUID> = []
    /// When parts of the feed changed hands, in seconds.
    private(set) var moves: [(part: Int, at: Double)] = []
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
        guard let person = expected[incident]?.person ?? pressed[incident]?.person else {
            return wrong("incident \(incident) is of no emergency")
        }
        seen[incident] = Seen(account: person.account)
        if world.random.index(below: 4) == 0 {
            world.loop.task { [self] in await callOff(incident, person, isPress: pressed[incident] != nil) }
        }
    }

    func moved(_ part: Int) { moves.append((part, world.now)) }

    func changed(_ row: WorldRow, to record: IncidentRecord, by process: WorldProcess) {
        guard row.incident.acceptedBy != record.incident.acceptedBy || row.incident.stage != record.incident.stage
        else {
            return
        }
        if record.incident.messages.last?.reason == .superseded { superseded.insert(row.id) }
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
            !hasGoneOn(incident, since: known.saidOverAt ?? off), !isClockSetApart(of: known.account, before: off)
        else { return }
        wrong("\(service.name) is called of \(incident), which was called off at \(off) s")
    }

    /// Another emergency was found in it later, or what went on was found a second time by who was cut off: who says before that that
    /// all is well, and is heard after it, ends nothing.
    private func hasGoneOn(_ incident: UUID, since second: Double) -> Bool {
        guard let row = world.database.tables.incidents[incident], row.incident.stage != .closed else { return false }
        return world.presses.contains { $0.person.account == row.account && ($0.answeredAt ?? $0.at) > second }
            || emergencies.contains { emergency in
                guard emergency.person.account == row.account,
                    max(emergency.lastAt, foundAt(emergency)) > second || isFoundLate(emergency, in: row, after: second)
                else { return false }
                let origins = origins(of: emergency)
                // Of what was found by who has died the id alone may be known.
                let parts = row.details.findings.flatMap(\.parts).map { IncidentID.of(row.account, $0.origin) }
                let lost = Set(emergency.person.ids(of: emergency).filter(row.incident.knows)).subtracting(parts).count
                let found = row.details.findings.filter { origins.contains($0.origin.time) }.count + lost
                return found > (foundAt(emergency) > second || pressed[incident] != nil ? 0 : 1)
            }
    }

    /// The database was away when it could be found, and until after that time, by when nobody had found it.
    private func isFoundLate(_ emergency: WorldEmergency, in row: WorldRow, after second: Double) -> Bool {
        let time = World.wallStart + .milliseconds(Int64(second * 1000))
        guard let age = row.incident.foundAt, row.openedAt + (age - .zero) > time else { return false }
        return world.faults.planned.contains {
            Self.away.contains($0.kind) && outageFrom($0) < foundAt(emergency) && $0.to > second
        }
    }

    /// The times by its device at which it may be found to begin.
    private func origins(of emergency: WorldEmergency) -> Set<Timestamp> {
        Set((emergency.from...emergency.through).map { emergency.person.deviceTime($0) })
    }

    /// A hook has answered 2xx.
    func received(_ incident: UUID, _ service: WorldService, _ kind: WorldService.Kind) {
        guard kind == .alert || kind == .update else { return }
        handedOver(incident)
        if seen[incident]?.isSuppressed == true, isCalm(for: 3) {
            wrong("\(incident) was called off before anybody was called")
        }
    }

    /// It is told that it comes; unless `isNew` it had said so, and was not told.
    func accepted(_ incident: UUID, by service: WorldService, isNew: Bool, askedAt: Double) {
        // Its answer to our call may have been lost.
        handedOver(incident)
        guard isNew, let whole = world.faults.wholeSince, askedAt > whole + Self.settledMax,
            let account = seen[incident]?.account, !isClockSetApart(of: account, before: askedAt)
        else { return }
        // Whoever has lost what it had answered with 2xx may believe anything.
        for other in world.services
        where other !== service && other.known[incident]?.isGoing == true && !other.forgotten.contains(incident) {
            wrong("\(service.name) may come to \(incident), and so may \(other.name)")
        }
    }

    private func handedOver(_ incident: UUID) {
        let own = expected[incident]
        if let own { own.handedOverAt = own.handedOverAt ?? world.now }
        guard let account = seen[incident]?.account else { return }
        for emergency in emergencies
        where emergency.person.account == account && emergency !== own && foundAt(emergency) <= world.now {
            emergency.toldAt = emergency.toldAt ?? world.now
        }
        for press in world.presses where press.person.account == account && press.at <= world.now {
            press.handedOverAt = press.handedOverAt ?? world.now
        }
    }

    // MARK: The wearer

    /// It is a false alarm.
    private func callOff(_ incident: UUID, _ person: WorldPerson, isPress: Bool) async {
        let delay = world.random.weighted([(1, 0.1...4.0), (2, 4.0...60.0)])
        guard await world.sleep(world.random.value(in: delay)) else { return }
        let wasOver = world.database.tables.incidents[incident]?.incident.stage == .closed
        // Who dies, or asks to send it again, may have taken it, and not have said so.
        var askedAt: Double?
        for _ in 0..<100 {
            let living = world.livingProcesses.filter(\.isServing)
            if !living.isEmpty {
                let (process, now) = (world.random.element(of: living), world.now)
                var outcome: HandOverDesk.CallingOff?
                do {
                    outcome = try await process.desk.callOff(
                        incident, .calledOff, by: person.account, at: process.standby.clock.now())
                } catch { askedAt = askedAt ?? now }
                if process.isDead { askedAt = askedAt ?? now }
                if seen[incident]?.saidOverAt == nil { seen[incident]?.saidOverAt = now }
                if !process.isDead, let outcome {
                    guard case .done = outcome, !wasOver else {
                        let row = world.database.tables.incidents[incident]
                        let isSaid = row.map { $0.incident.outcome?.isSaid == true || $0.hasNeverStood } ?? false
                        if !wasOver, isSaid { seen[incident]?.calledOffAt = askedAt }
                        return
                    }
                    seen[incident]?.calledOffAt = world.now
                    let isNew = seen[incident]?.isCalled == false
                    seen[incident]?.isSuppressed =
                        isNew && !isPress && person.hasAbortWindow && isCalm(for: 3)
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
        for press in world.presses { pressed[press.incident] = press }
        while await world.sleep(1) { look() }
    }

    private func look() {
        guard isCalm(for: Self.settledMax) else { return }
        let isHeard = !world.faults.planned.contains { $0.isOfHooks && $0.from < world.now && $0.to > world.now - 35 }
        for id in seen.keys.sorted() {
            let coming = going(to: id)
            if coming.count > 1, isHeard { wrong("\(coming.map(\.name)) come to \(id)") }
            let couriers = world.livingProcesses.filter { $0.desk.courier(of: id).map { !$0.isLost } ?? false }
            let doubled = couriers.count > 1 ? (seen[id]?.doubled ?? 0) + 1 : 0
            seen[id]?.doubled = doubled
            if doubled == 3 { wrong("\(id) has two couriers") }
        }
        // A cancellation is sent again after half a minute at the latest. Of what died with a process and its disk nobody knows.
        guard isCalm(for: 35) else { return }
        let known = world.database.tables.incidents
        // What is told by an age that stands still may have a lower number than what died with a process.
        let isUnknown =
            hasDiedUnsecured && world.faults.planned.contains { $0.kind == .clockSet && $0.from < world.now }
        for person in world.people {
            let own = seen.filter { $0.value.account == person.account && known[$0.key] != nil }
            let coming = own.keys.sorted().flatMap { id in going(to: id).map { ($0.name, id) } }
            if coming.count > 1, !isUnknown {
                wrong("to person \(person.number) come \(coming.map { "\($0) (\($1))" })")
            }
        }
    }

    /// Those that come, but for who has lost a message of it.
    private func going(to id: UUID) -> [WorldService] {
        world.services.filter { $0.known[id]?.isGoing == true && !$0.forgotten.contains(id) }
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
                // Of what was told before a process died, and called off, the id alone is known.
                let ids = emergency.person.ids(of: emergency)
                let isKnown = rows.contains { row in ids.contains { row.incident.knows(emergency: $0) } }
                if found.isEmpty, !isKnown, !isForgotten(emergency.handedOverAt, since: emergency.firstAt) {
                    wrong("\(emergency.name) is in no incident")
                }
                // What was opened apart and gave way is news of another incident, for which nobody waits.
                check(
                    timeOf: emergency,
                    found.first {
                        !hasGivenWay($0) && !isOverByAnother($0, rows) && expected[$0.id] === emergency
                    })
            case .tooLate:
                if !found.isEmpty { wrong("\(emergency.name) was over when it was read, and is an incident") }
            case .either: break
            }
            // Of two that were opened apart one gives way, and what was found in it is found in the other.
            let isSuperseded = found.contains(where: hasGivenWay)
            // Where it is not known that an incident was called off before this was found, it is told of that one first.
            let foundAt = foundAt(emergency)
            let isDisturbed = isDisturbed(emergency)
            let standing = found.filter { row in
                // Who has pressed on one side is not well by saying so of what was found on the other; where it is not known of what a false
                // alarm was told, it is found again.
                if isDisturbed, pressed[row.id] != nil || isCalledOff(row, before: .infinity) { return false }
                return !hasGivenWay(row) && !isCalledOff(row, before: foundAt) && !isOverByAnother(row, rows)
            }
            // Whoever was there first is told what was found in one that gives way when it is settled.
            if case .handedOver = fate(of: emergency), !found.isEmpty,
                !isClockSetApart(of: emergency.person.account, before: emergency.lastAt),
                !found.contains(where: {
                    (!$0.hasNeverStood || seen[$0.id]?.calledOffAt != nil)
                        && !isCalledOff($0, before: emergency.firstAt)
                })
            {
                wrong("\(emergency.name) is in no incident that stands, or stood")
            }
            // Who is cut off goes on from what it knew before, and finds what goes on a second time: news of the same incident.
            let isOnce = !isSuperseded && !isDisturbed
            let isTwice = isOnce ? standing.count > 1 : Set(standing.map(\.id)).count > 1
            if isTwice, !isSplit(emergency), !isClockSetApart(of: emergency.person.account, before: emergency.lastAt) {
                wrong("\(emergency.name) was found \(found.count) times, in \(Set(found.map(\.id)).count) incidents")
            }
        }
        for press in world.presses { check(press, rows.filter { $0.account == press.person.account }) }
        for row in rows { check(row) }
    }

    /// When it can be found at the earliest.
    private func foundAt(_ emergency: WorldEmergency) -> Double {
        let visibleAt = emergency.visibleAt ?? emergency.firstAt
        let stalls = world.faults.planned.filter {
            $0.kind == .feedStalls && $0.from < visibleAt && $0.to > visibleAt
        }
        return max(visibleAt, stalls.map(\.to).max() ?? 0)
    }

    /// Whoever presses is heard, whatever was said before.
    private func check(_ press: WorldPress, _ rows: [WorldRow]) {
        guard let answeredAt = press.answeredAt else { return wrong("\(press.name) is not answered") }
        // Who says after it that all is well is well.
        guard !rows.contains(where: { seen[$0.id]?.calledOffAt.map { $0 > press.at } ?? false }) else { return }
        let standing = rows.filter {
            $0.details.manual != nil && !$0.hasNeverStood && !isCalledOff($0, before: press.at)
        }
        if standing.isEmpty, !isClockSetApart(of: press.person.account, before: answeredAt),
            !isForgotten(press.handedOverAt, since: press.at)
        {
            wrong("\(press.name) is in no incident that stands, or stood")
        }
        // An emergency that is open is told of further presses now and then only.
        let isFirst = world.presses.first { $0.person === press.person } === press
        guard isFirst, let due = timeFor(press) else { return }
        // Who has it may hand it back, and all others may have rejected it before: the operator is alarmed.
        let isRefused = standing.contains { row in
            row.incident.stage == .unaccepted
                && world.services.allSatisfy {
                    row.incident.handOver(to: $0.name)?.rejectedAt != nil
                }
        }
        let isApart = isClockSetApart(of: press.person.account, before: answeredAt)
        if press.handedOverAt ?? .infinity > due, !isRefused, !isApart {
            wrong(
                "\(press.name) was handed over at \(press.handedOverAt.map { "\($0)" } ?? "no time"), and should have been at \(due)"
            )
        }
    }

    /// An ambulance service has heard of it, and nobody else: the disk did not take it, and its process has died.
    private func isForgotten(_ handedOverAt: Double?, since second: Double) -> Bool {
        guard let handedOverAt else { return false }
        let faults = world.faults.planned.filter { $0.from < handedOverAt + 2 && $0.to > second }
        let disks = world.faults.planned.filter(\.isOfDisks)
        return faults.contains { Self.away.contains($0.kind) } && faults.contains(where: \.isOfDisks)
            && world.faults.crashes.contains { crash in
                crash > second && disks.contains { $0.from < crash && crash < $0.to + Self.askedAgainMax }
            }
    }

    /// The wearer has called another one off, of which it was news on the other side.
    private func isOverByAnother(_ row: WorldRow, _ rows: [WorldRow]) -> Bool {
        row.incident.outcome?.isSaid == true && seen[row.id]?.calledOffAt == nil
            && rows.contains { $0.account == row.account && seen[$0.id]?.calledOffAt != nil }
    }

    /// One that went on, since another emergency was found in it before that was heard, was not.
    private func isCalledOff(_ row: WorldRow, before time: Double) -> Bool {
        guard row.incident.outcome == .falseAlarm || row.incident.outcome == .suppressed else { return false }
        return seen[row.id]?.calledOffAt.map { $0 < time } ?? false
    }

    /// Another incident of the person has taken its place.
    private func hasGivenWay(_ row: WorldRow) -> Bool {
        row.incident.outcome == .unanswered || superseded.contains(row.id)
    }

    private func check(_ row: WorldRow) {
        if expected[row.id] == nil, pressed[row.id] == nil { wrong("incident \(row.id) is of no emergency") }
        let origins = row.details.findings.map(\.origin)
        if Set(origins.map(\.time)).count < origins.count { wrong("\(row.id) has the same finding twice") }
        // Who is to be told has so long.
        if let last = row.steps.map(\.at).max(), last > world.database.now - .seconds(Int64(Self.settledMax)) { return }
        let hasDiedUnsecured = hasDiedUnsecured
        for service in world.services {
            guard let known = service.known[row.id], known.number > 0, !service.forgotten.contains(row.id) else {
                continue
            }
            let hasRejected = row.incident.handOver(to: service.name)?.rejectedAt != nil
            let isTold = known.kind == .cancel || known.kind == .resolved || hasRejected || known.isRefused
            switch row.incident.stage {
            case .closed:
                if !isTold, !hasDiedUnsecured { wrong("\(row.id) is closed, and \(service.name) does not know") }
            case .accepted:
                let isWinner = row.incident.acceptedBy == service.name
                if isWinner, isTold { wrong("\(service.name) has accepted \(row.id), and believes that it is over") }
                if isWinner, !isTold, !known.isGoing {
                    wrong("\(service.name) has accepted \(row.id), and does not come")
                }
                if !isWinner, !isTold, !hasDiedUnsecured {
                    wrong("\(row.id) was accepted by another, and \(service.name) does not know")
                }
            case .unaccepted:
                if known.isGoing { wrong("\(service.name) comes to \(row.id), and nobody knows") }
            }
        }
        for service in going(to: row.id) where service.name != row.incident.acceptedBy {
            wrong("\(service.name) comes to \(row.id) in vain")
        }
    }

    /// A process has died whose disk did not take what it did: what it told somebody then nobody knows.
    private var hasDiedUnsecured: Bool {
        world.faults.planned.contains { disk in
            disk.isOfDisks && world.faults.crashes.contains { $0 > disk.from && $0 < disk.to + Self.askedAgainMax }
        }
    }

    /// The database's clock was set where a replica could not hear of it, since it was cut off, or had nothing to judge; or while an
    /// incident of the person was open, of whose age each side has another idea then: of what it says nobody can tell whether it was before.
    private func isClockSetApart(of account: UUID, before second: Double) -> Bool {
        let faults = world.faults.planned
        let begins =
            emergencies.filter { $0.person.account == account }.map(\.firstAt)
            + world.presses.filter { $0.person.account == account }.map(\.at)
        return faults.contains { clock in
            guard clock.kind == .clockSet, clock.from < second else { return false }
            let isOpen = begins.contains { $0 < clock.from + 1 }
            return faults.contains {
                (Self.away.contains($0.kind) || $0.kind == .feedStalls) && $0.to > clock.from
                    && $0.from < (isOpen ? second : clock.from + 1)
            }
        }
    }

    /// Whether a replica could not reach the database then.
    private func isDisturbed(_ emergency: WorldEmergency, until end: Double? = nil) -> Bool {
        world.faults.planned.contains {
            Self.away.contains($0.kind) && $0.from < end ?? emergency.lastAt + 5 && $0.to > emergency.firstAt - 5
        }
    }

    /// What one process has handed over without the database rests on its disk, and it is dead: another one that reads the samples late
    /// may find another beginning. Both are settled when it is back.
    private func isSplit(_ emergency: WorldEmergency) -> Bool {
        world.faults.crashes.contains { $0 > emergency.firstAt && $0 < emergency.lastAt + 60 } && isDisturbed(emergency)
    }

    private func check(timeOf emergency: WorldEmergency, _ row: WorldRow?) {
        guard let row, expected[row.id] === emergency, seen[row.id]?.calledOffAt == nil else { return }
        // Where it is not known that another one is over, whoever had that is told first.
        let toldAt = isDisturbed(emergency, until: foundAt(emergency) + 5) ? emergency.toldAt ?? .infinity : .infinity
        guard let due = timeFor(emergency), min(emergency.handedOverAt ?? .infinity, toldAt) > due else { return }
        wrong(
            "\(emergency.name) was handed over at \(emergency.handedOverAt.map { "\($0)" } ?? "no time"), and should have been at \(due)"
        )
    }
}

extension WorldRow {
    /// It was opened apart, and gave way when it was settled.
    fileprivate var hasNeverStood: Bool {
        incident.outcome == .unanswered && steps.contains { $0.kind == .closed && $0.at == openedAt }
    }
}

extension WorldPerson {
    var hasAbortWindow: Bool { WorldTemplate.shared.people[number].details.abortWindowSeconds > 0 }
}
