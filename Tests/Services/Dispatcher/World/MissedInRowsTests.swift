import Primitives
import Testing

@testable import Dispatcher

/// What becomes of what was found, or pressed, apart beyond an end, in the rows of the simulated world.
@Suite struct MissedInRowsTests {
    private let known = UUID(high: 5, low: 5)
    private let own = UUID(high: 5, low: 6)
    private let somebody = WorldTemplate.shared.people[0]
    private let news = IncidentEvent.emergency(cause: "heart-rate", id: UUID(high: 5, low: 7))

    private typealias Said = (second: Double, event: IncidentEvent)

    private func finding(_ second: Double) -> Finding {
        var monitor = Monitor()
        let found = monitor.live(beats(38, from: second, through: second + 4), of: .aged(70)).dispatched
        return found[0]
    }

    private func details(_ findings: [Finding] = []) -> IncidentDetails {
        var enrolment = somebody.details
        enrolment.abortWindowSeconds = 10
        return IncidentDetails(findings: findings, fixes: [], vitals: [], enrolment: enrolment)
    }

    private func row(
        _ id: UUID, _ events: [Said], _ findings: [Finding] = [], isExercise: Bool = false, openedAt: Timestamp = start
    ) -> WorldRow {
        var incident = Incident(isExercise: isExercise)
        for (second, event) in events { _ = incident.apply(event, at: age(second)) }
        return WorldRow(
            id: id, account: somebody.account, openedAt: openedAt, incident: incident, details: details(findings),
            dueAt: openedAt, leaseUntil: openedAt, steps: [])
    }

    /// All rows once this is settled.
    private func settle(
        _ events: [Said], _ findings: [Finding] = [], over rows: [WorldRow], at now: Double = 30,
        isTooLate: Bool = false
    ) async throws -> [UUID: WorldRow] {
        var journalled = JournalledIncident(known)
        journalled.events = events.map { .init(id: .random(), at: time($0.second), event: $0.event) }
        return try await settle(journalled, seen: details(findings), over: rows, at: now, isTooLate: isTooLate)
    }

    private func settle(
        _ journalled: JournalledIncident, seen: IncidentDetails?, over rows: [WorldRow], at now: Double = 30,
        isTooLate: Bool = false
    ) async throws -> [UUID: WorldRow] {
        let world = try World(seed: 1)
        world.database.clockSet = .microseconds(Int64(now * 1_000_000))
        let process = WorldProcess(at: 0, in: world)
        var tables = WorldDatabase.Tables()
        for row in rows { tables.incidents[row.id] = row }
        let settled = WorldSettlingRows(tables, process, in: world)
        // Settled twice it counts once.
        for isFirst in [true, false] {
            let outcome = try await journalled.settle(in: settled, seen: seen, HandOverTimes())
            guard case .settled(let result, _) = outcome else { throw IncidentFault.unreadable }
            #expect(result.isTooLate == (isTooLate && isFirst))
        }
        process.journal.close()
        // Whoever comes first may take what was missed.
        let new = settled.tables.incidents.values.filter { row in
            row.id != journalled.id && !rows.contains { $0.id == row.id }
        }
        withExtendedLifetime(world) { #expect(new.allSatisfy { $0.leaseUntil <= world.database.now }) }
        return settled.tables.incidents
    }

    @Test("SOS-12a SOS-08b: a press beyond a false alarm on the other side opens an incident, one before it does not")
    func pressed() async throws {
        let off = Said(10, .calledOff)
        for (second, isMissed) in [(5.0, false), (9.5, true), (12, true)] {
            let rows = try await settle([(second, .calledByHand)], over: [row(known, [off])])
            #expect(rows[known]?.incident.stage == .closed && rows.count == (isMissed ? 2 : 1))
            guard let next = rows.values.first(where: { $0.id != known }) else { continue }
            #expect(next.incident.stage == .unaccepted && next.details.manual?.at == time(second))
            #expect(next.details.supersedes == known)
            #expect(next.dueAt == next.openedAt)
        }
    }

    /// An incident that was opened without the database.
    private func opened(_ id: UUID, at second: Double, _ details: IncidentDetails) -> JournalledIncident {
        JournalledIncident(
            IncidentRecord(
                id: id, account: somebody.account, openedAt: time(second), incident: Incident(), details: details),
            events: [])
    }

    @Test("SOS-12a SOS-14: a press is in the record also where what was seen with it is lost, or it was over by then")
    func recorded() async throws {
        for said in [[], [Said(20, .calledOff)]] {
            var journalled = JournalledIncident(known)
            journalled.events = [.init(id: .random(), at: time(12), event: .calledByHand)]
            let rows = try await settle(journalled, seen: nil, over: [row(known, said)])
            #expect(rows.count == 1 && rows[known]?.details.manual?.at == time(12))
        }
    }

    @Test(
        "SOS-12a SOS-08b: a press within half a minute of another, in an incident that gives way, outlives a false alarm that was told before it"
    )
    func pressedAgain() async throws {
        var (first, second) = (details(), details())
        first.manual = ManualCall(at: time(5), by: .person)
        second.manual = ManualCall(at: time(12), by: .device)
        for openedAt in [0.0, 14] {
            var other = WorldRow(
                id: known, account: somebody.account, openedAt: time(openedAt), incident: Incident(isPressed: true),
                details: first, dueAt: start, leaseUntil: start, steps: [])
            let told = try await settle(opened(own, at: 12, second), seen: nil, over: [other])
            other = try #require(told[known])
            #expect(told[own]?.incident.stage == .closed && other.details.manual?.at == time(12))
            // The false alarm is written now.
            let rows = try await settle([(10, .calledOff)], over: [other])
            #expect(rows.count == 1 && rows[known]?.incident.stage == .unaccepted)
        }
    }

    @Test(
        "SOS-08b SOS-05a: what was called off on one side as news of another incident is over where it is an incident of its own"
    )
    func calledOffAsNews() async throws {
        let finding = finding(6)
        let emergency = IncidentEvent.emergency(finding, of: somebody.account)
        let id = IncidentID.of(somebody.account, finding.origin)
        for (second, isOver) in [(20.0, true), (11, false)] {
            let other = row(own, [(10, emergency), (second, .calledOff)], [finding])
            let rows = try await settle(opened(id, at: 12, details([finding])), seen: nil, over: [other])
            #expect(rows[id]?.incident.stage == (isOver ? .closed : .unaccepted))
            #expect(rows[id]?.incident.outcome?.isSaid == (isOver ? true : nil))
        }
    }

    @Test(
        "SOS-07c SOS-12a: a service that has accepted apart before hears of the press of an incident that gives way to its own"
    )
    func pressGivesWay() async throws {
        var (first, journalled) = (details(), opened(own, at: 2, details()))
        journalled.events = [
            (2.0, IncidentEvent.handOverBegun("north")), (3, .received("north", number: 1)),
            (5, .acceptedApart("north", at: age(3))),
        ].map { .init(id: .random(), at: time($0.0), event: $0.1) }
        first.manual = ManualCall(at: time(12), by: .person)
        let other = WorldRow(
            id: known, account: somebody.account, openedAt: time(12), incident: Incident(isPressed: true),
            details: first, dueAt: start, leaseUntil: start, steps: [])
        let rows = try await settle(journalled, seen: nil, over: [other])
        let standing = try #require(rows[own])
        #expect(rows[known]?.incident.stage == .closed && standing.details.manual?.at == time(12))
        let north = try #require(standing.incident.handOver(to: "north"))
        #expect(standing.incident.acceptedBy == "north" && north.isOutstanding && north.dueNumber ?? 0 > 1)
    }

    @Test(
        "SOS-07c: what follows from a decision that is written late has a number of now: others may have told more since"
    )
    func toldNow() async throws {
        let said: [Said] = [(1, .handOverBegun("north")), (2, .accepted("north")), (3, .handOverBegun("south"))]
        var other = row(known, said)
        other.incident = other.incident.numbered(from: start)
        let rows = try await settle([(10, .acceptedApart("south", at: age(10)))], over: [other], at: 30)
        let south = try #require(rows[known]?.incident.handOver(to: "south"))
        #expect(rows[known]?.incident.acceptedBy == "north" && south.isWithdrawn)
        #expect(south.dueNumber.map { $0 > Int(time(29).milliseconds) } == true)
    }

    @Test("SOS-07c SOS-12a: what was written by a clock that was a day ahead does not end the incident by its time")
    func clockAhead() async throws {
        let day = 86_400.0
        var details = details()
        details.manual = ManualCall(at: time(day), by: .device)
        for said in [
            [Said(10, .accepted("north"))], [(10, .handOverBegun("north")), (11, .received("north", number: 1))],
        ] {
            let isAccepted = said.count == 1
            for journalled in isAccepted ? [IncidentEvent.calledByHand, .seen("vitals")] : [.calledByHand] {
                let rows = try await settle([(day, journalled)], over: [row(known, said)])
                let open = try #require(rows[known]).incident
                #expect(open.stage != .closed && rows.count == 1)
                #expect(open.endsAt(HandOverTimes()).map { $0 >= open.changedAt + .seconds(3600) } ?? true)
            }
            // So it is where all of it is an incident of its own, which gives way.
            let told = try await settle(opened(own, at: day, details), seen: nil, over: [row(known, said)])
            let open = try #require(told[known]).incident
            #expect(open.stage != .closed && open.changedAt >= age(day))
            #expect(open.endsAt(HandOverTimes()).map { $0 >= open.changedAt + .seconds(3600) } ?? true)
        }
    }

    @Test("SOS-08b: who pressed on a side, or was found there, and said on it that all is well has said so")
    func calledOffThere() async throws {
        let finding = finding(6)
        let emergency = IncidentEvent.emergency(finding, of: somebody.account)
        for end in [IncidentEvent.calledOff, .calledOffByDevice, .resolved("north")] {
            let said: [Said] = [(12, emergency), (12, .calledByHand), (12.5, .accepted("north")), (13, end)]
            let rows = try await settle(said, [finding], over: [row(known, [(5, .calledOff)])])
            #expect(rows.count == 1)
            // Its samples are read again: it is over.
            #expect(rows[known]?.incident.knows(emergency: IncidentID.of(somebody.account, finding.origin)) == true)
        }
    }

    @Test("SOS-05a SOS-07a: what was found beyond the end opens its incident, once, or is told to the one that is open")
    func found() async throws {
        let finding = finding(12)
        let id = IncidentID.of(somebody.account, finding.origin)
        let said: [Said] = [(16, .emergency(finding, of: somebody.account)), (17, .calledByHand)]
        let ended = row(known, [(10, .calledOff)])
        let opened = try await settle(said, [finding], over: [ended])
        #expect(opened[id]?.incident.stage == .unaccepted && opened[id]?.details.findings == [finding])
        #expect(opened[id]?.details.manual != nil && opened.count == 2)
        // Its samples have been read on the other side: the press is news of it.
        let told = try await settle(said, [finding], over: [ended, row(id, [], [finding])])
        #expect(told.count == 2 && told[id]?.details.manual?.at == time(17) && told[id]?.details.findings.count == 1)
        #expect((told[id]?.incident.report.number ?? 0) > 1)
        // So is all of it of another one.
        let other = try await settle(said, [finding], over: [ended, row(own, [(0, .handOverBegun("north"))])])
        #expect(other.count == 2 && other[own]?.incident.knows(emergency: id) == true)
        #expect(other[own]?.details.findings == [finding] && other[own]?.details.manual?.at == time(17))
    }

    @Test("SOS-08b: what is called off was found before it also where the database opened its incident later than both")
    func openedLater() async throws {
        let (earlier, later) = (finding(2), finding(6))
        let id = IncidentID.of(somebody.account, later.origin)
        let other = opened(IncidentID.of(somebody.account, earlier.origin), at: 6, details([earlier]))
        for (second, isOver) in [(14.0, true), (4, false)] {
            let told = try await settle(other, seen: nil, over: [row(id, [], [later], openedAt: time(20))])
            let open = try #require(told[id])
            #expect(open.incident.stage == .unaccepted && open.details.findings.count == 2)
            var journalled = JournalledIncident(id)
            journalled.events = [.init(id: .random(), at: time(second), event: .calledOff)]
            let rows = try await settle(journalled, seen: nil, over: [open])
            #expect(rows[id]?.incident.stage == (isOver ? .closed : .unaccepted))
        }
    }

    @Test("SOS-08b SOS-07a: what was called off with another incident on the other side is over")
    func calledOffElsewhere() async throws {
        let finding = finding(12)
        let emergency = IncidentEvent.emergency(finding, of: somebody.account)
        let id = IncidentID.of(somebody.account, finding.origin)
        let said: [Said] = [(16, emergency), (17, .calledByHand)]
        let ended = row(known, [(10, .calledOff)])
        for other in [
            row(id, [(20, .calledOff)], [finding]), row(own, [(15, emergency), (20, .calledOff)], [finding]),
        ] {
            let rows = try await settle(said, [finding], over: [ended, other])
            #expect(rows.count == 2 && rows.values.allSatisfy { $0.incident.stage == .closed })
        }
        // Settled first, what was pressed outlives what is written of the other one later.
        let opened = try await settle(said, [finding], over: [ended])
        let next = try #require(opened[id])
        var late = JournalledIncident(id)
        late.events = [.init(id: .random(), at: time(16.5), event: .calledOff)]
        #expect(try await settle(late, seen: nil, over: [next])[id]?.incident.stage == .unaccepted)
        // What was found is over, and what was pressed after that is not.
        let earlier = row(own, [(15, emergency), (15.5, .calledOff)], [finding])
        let rows = try await settle(said, [finding], over: [ended, earlier])
        let pressed = rows.values.first { $0.incident.stage != .closed }
        #expect(rows.count == 3 && pressed?.details.manual != nil && pressed?.details.findings.isEmpty == true)
    }

    @Test(
        "SOS-08d SOS-13a: what was missed keeps what is left of its time to be called off, and who has accepted it there is called first"
    )
    func opening() async throws {
        let finding = finding(2)
        let id = IncidentID.of(somebody.account, finding.origin)
        let emergency = Said(6, .emergency(finding, of: somebody.account))
        let accepted = Said(8, .acceptedApart("south", at: age(8)))
        let ended = row(known, [(10, .timeIsUp)])
        let opened = try #require(try await settle([emergency, accepted], [finding], over: [ended])[id])
        #expect(opened.incident.handOver(to: "south")?.begunAt == .zero && opened.incident.callsFrom == .zero)
        let waiting = try #require(try await settle([emergency], [finding], over: [ended], at: 10)[id]).incident
            .callsFrom
        #expect(waiting > age(4) && waiting <= age(6))
        let pressed = try await settle([emergency, (7, .calledByHand)], [finding], over: [ended])[id]
        #expect(pressed?.incident.callsFrom == .zero && pressed?.incident.handOvers.isEmpty == true)
        // Written two hours later: the ambulance that came then was called for this, too.
        let before = start - .seconds(7200)
        let help = row(own, [(15, .handOverBegun("west")), (16, .accepted("west"))], openedAt: before)
        let off = row(known, [(10, .calledOff)], openedAt: before)
        let rows = try await settle([(17 - 7200, .calledByHand)], over: [off, help])
        #expect(rows.count == 2 && rows[own]?.incident.acceptedBy == "west")
    }

    @Test(
        "SOS-12a SOS-14: what was missed longer ago than an incident is remembered is told to the operator, not handed over"
    )
    func tooLate() async throws {
        let rows = try await settle([(-90_000, .calledByHand)], over: [row(known, [(10, .timeIsUp)])], isTooLate: true)
        #expect(rows.count == 1)
    }

    @Test("SOS-07a: beyond an end that nobody told all is heard; of an exercise nothing is")
    func otherEnds() async throws {
        let press: [Said] = [(8, .calledByHand)]
        #expect(try await settle(press, over: [row(known, [(10, .timeIsUp)])]).count == 2)
        #expect(try await settle(press, over: [row(known, [(5, .calledOff)], isExercise: true)]).count == 1)
        // Of what was found nothing is known here: its samples are read again.
        #expect(try await settle([(8, news)], over: [row(known, [(5, .calledOff)])]).count == 1)
    }
}
