import Primitives
import Testing

@testable import Dispatcher

/// What two sides have decided apart, settled in the rows of the simulated world.
@Suite struct HandedBackApartTests {
    private let incidentID = UUID(high: 5, low: 5)
    private let somebody = WorldTemplate.shared.people[0]
    private var details: IncidentDetails {
        IncidentDetails(findings: [], fixes: [], vitals: [], enrolment: somebody.details)
    }

    /// A row of an incident that was opened at `start`, after these events.
    private func row(_ events: [(second: Double, event: IncidentEvent)]) -> WorldRow {
        var incident = Incident()
        for (second, event) in events { _ = incident.apply(event, at: age(second)) }
        return WorldRow(
            id: incidentID, account: somebody.account, openedAt: start, incident: incident, details: details,
            dueAt: start, leaseUntil: start, steps: [])
    }

    /// An incident that was opened elsewhere.
    private func opened(_ id: UUID, at time: Timestamp, _ incident: Incident) -> IncidentRecord {
        IncidentRecord(id: id, account: somebody.account, openedAt: time, incident: incident, details: details)
    }

    /// All rows once it is settled, where the database has `row`, and `noted` of the entries.
    private func settle(
        _ journalled: JournalledIncident, over row: WorldRow, noted: Set<UUID> = []
    ) async throws -> [UUID: WorldRow] {
        let world = try World(seed: 1)
        let process = WorldProcess(at: 0, in: world)
        var tables = WorldDatabase.Tables()
        tables.incidents[row.id] = row
        tables.entries = noted
        let rows = WorldSettlingRows(tables, process, in: world)
        _ = try await journalled.settle(in: rows, seen: nil, HandOverTimes())
        process.journal.close()
        return rows.tables.incidents
    }

    private func settled(
        _ row: WorldRow, _ events: [(second: Double, event: IncidentEvent)]
    ) async throws -> (incident: Incident?, steps: [IncidentStep]) {
        var journalled = JournalledIncident(incidentID)
        journalled.events = events.map { .init(id: .random(), at: time($0.second), event: $0.event) }
        let settled = try await settle(journalled, over: row)[incidentID]
        return (settled?.incident, settled?.steps ?? [])
    }

    @Test(
        "SOS-07c SOS-13a: who accepts and hands back on one side takes nothing from who has accepted on the other since"
    )
    func handedBack() async throws {
        let west = row([(0, .handOverBegun("west")), (1, .received("west", number: 1)), (68, .accepted("west"))])
        let (incident, steps) = try await settled(
            west, [(60, .acceptedApart("south", at: age(60))), (67, .rejected("south"))])
        #expect(incident?.acceptedBy == "west" && incident?.stage == .accepted)
        #expect(incident?.handOver(to: "west")?.isWithdrawn == false)
        #expect(steps.contains { $0.kind == .accepted && $0.hook == "south" && $0.at == time(60) })
    }

    @Test("SOS-08d SOS-07a: of an incident that was opened on two sides the abort window that began first holds")
    func abortWindow() async throws {
        let window = Incident(abortWindow: .seconds(10))
        for (openedAt, expected) in [(-3.0, 7.0), (2, 10), (-60, 0)] {
            var known = row([])
            known.incident = window
            let apart = JournalledIncident(opened(incidentID, at: time(openedAt), window), events: [])
            let settled = try await settle(apart, over: known)[incidentID]
            #expect(settled?.incident.callsFrom == age(expected))
        }
    }

    @Test(
        "SOS-08c SOS-07b: whoever was told something new on the side where the incident began earlier hears of a false alarm on the other"
    )
    func beganEarlier() async throws {
        let here = IncidentRecord(
            id: incidentID, account: somebody.account, openedAt: time(10),
            incident: Incident(abortWindow: .seconds(30)),
            details: details)
        let known = WorldRow(
            id: incidentID, account: somebody.account, openedAt: here.openedAt, incident: here.incident,
            details: details, dueAt: time(10), leaseUntil: start, steps: [])
        let there = JournalledIncident(
            opened(incidentID, at: start, Incident(abortWindow: .seconds(30))), events: [.identified(isNews: false)])
        var journal = IncidentJournal(try #require(there.openedRecord(at: start)), journalled: there.events)
        for (second, event) in [(30, IncidentEvent.handOverBegun("north")), (30.2, .seen("position"))] {
            journal.add(event, at: age(second))
        }
        let told = journal.incident.lastNumber
        journal.add(.received("north", number: told), at: age(30.5))
        var apart = there
        apart.events = journal.unwritten.map(\.journalled)
        var settled = try #require(try await settle(apart, over: known)[incidentID]?.incident)
        #expect(settled.handOver(to: "north")?.isOutstanding == false)
        _ = settled.apply(.calledOff, at: age(26))
        #expect(settled.handOver(to: "north")?.isOutstanding == true && settled.lastNumber > told)
        // Also where the row has no common times for its numbers.
        var old = Incident()
        _ = old.apply(.received("north", number: told), at: age(1))
        _ = old.apply(.calledOff, at: age(2))
        #expect(old.handOver(to: "north")?.isOutstanding == true)
    }

    @Test(
        "SOS-08c SOS-07b: who was told of a press from here, which the database has from elsewhere, hears that it was called off there"
    )
    func toldFromHere() async throws {
        let known: [(second: Double, event: IncidentEvent)] = [
            (0, .handOverBegun("north")), (1, .received("north", number: 1)), (2, .accepted("north")),
        ]
        let incident = row(known).incident.numbered(from: start)
        let press = UUID.random()
        var journal = IncidentJournal(opened(incidentID, at: start, incident))
        journal.add(.calledByHand, as: press, at: age(12))
        let told = journal.incident.lastNumber
        var (there, here) = (row(known), JournalledIncident(incidentID))
        there.incident = incident
        _ = there.incident.apply(.calledByHand, at: age(11))
        _ = there.incident.apply(.calledOff, at: age(11.5))
        here.events = journal.unwritten.map(\.journalled)
        let settled = try await settle(here, over: there, noted: [press])[incidentID]
        let north = try #require(settled?.incident.handOver(to: "north"))
        #expect(settled?.incident.stage == .closed && north.isOutstanding && north.dueNumber ?? 0 > told)
        #expect(journal.unwritten[0].journalled.basis?.told == ["north": told])
        // Once that is so, nothing is told again.
        let again = try await settle(here, over: try #require(settled), noted: [press])[incidentID]
        #expect(again?.incident.handOver(to: "north")?.dueNumber == north.dueNumber)
    }

    private typealias Later = (second: Double, event: (IncidentJournal) -> IncidentEvent)

    /// Settles a journal of `north`, which accepts at 5 s, and this, over a row in which the button was pressed at 9 s.
    private func acceptedBefore(
        _ later: [Later], by other: String? = nil, told: Bool = false
    ) async throws -> (settled: WorldRow, told: Int) {
        let begun: [IncidentEvent] = [.handOverBegun("north"), .received("north", number: 1)]
        let incident = row(begun.enumerated().map { (Double($0), $1) }).incident.numbered(from: start)
        var journal = IncidentJournal(opened(incidentID, at: start, incident))
        journal.add(.acceptedApart("north", at: age(5)), at: age(5))
        for (second, event) in later { journal.add(event(journal), at: age(second)) }
        var (there, here) = (row([]), JournalledIncident(incidentID))
        there.incident = incident
        _ = there.incident.apply(.calledByHand, at: age(9))
        if told { _ = there.incident.apply(.received("north", number: there.incident.lastNumber), at: age(9.1)) }
        if let other { _ = there.incident.apply(.accepted(other), at: age(9.5)) }
        here.events = journal.unwritten.map(\.journalled)
        return (try #require(try await settle(here, over: there)[incidentID]), journal.incident.lastNumber)
    }

    private let isWell = Later(6, { _ in .calledOff })
    private let isTold = Later(7, { .received("north", number: $0.incident.lastNumber) })

    @Test(
        "SOS-07a SOS-07c SOS-08c: who has accepted, and was told that all is well, gets a cancellation and then an alert of a later press",
        arguments: [false, true])
    func toldThatAllIsWell(_ hasHeardOfPress: Bool) async throws {
        for later in [[isWell], [isWell, isTold], [(6, { _ in .resolved("north") })]] {
            var (settled, told) = try await acceptedBefore(later, told: hasHeardOfPress)
            #expect(settled.incident.stage == .unaccepted && settled.incident.acceptedBy == nil)
            #expect(settled.steps.contains { $0.kind == .accepted && $0.hook == "north" && $0.at == time(5) })
            let cancelled = try #require(settled.incident.handOver(to: "north"))
            let message = try #require(cancelled.dueNumber.flatMap(settled.incident.message))
            #expect(cancelled.isOutstanding && message.number > told)
            #expect(message.kind == .cancel && message.reason == .falseAlarm)
            // Nobody else is called while that takes no longer than a receipt may.
            let hooks = ["north", "south"]
            let (times, at) = (HandOverTimes(), cancelled.begunAt)
            var calls = CallSchedule()
            #expect(
                settled.incident.due(at: at, hooks: hooks, times: times, calls: &calls)
                    == [.call(hook: "north", number: message.number)])
            _ = settled.incident.apply(.received("north", number: message.number), at: at)
            let called = try #require(settled.incident.handOver(to: "north"))
            #expect(called.isOutstanding && !called.isWithdrawn && called.firstNumber > message.number)
            #expect(called.dueNumber.flatMap(settled.incident.message)?.kind == .report)
            _ = settled.incident.apply(.accepted("north"), at: at + .seconds(3))
            #expect(settled.incident.acceptedBy == "north")
        }
    }

    @Test("SOS-07b SOS-13: who cannot be told that all was well holds up nobody, and is called all the same")
    func cannotBeTold() async throws {
        var incident = try await acceptedBefore([isWell]).settled.incident
        let times = HandOverTimes()
        let (begunAt, due) = try #require(incident.handOver(to: "north").map { ($0.begunAt, $0.dueNumber) })
        func begun(_ hooks: [String]) -> [Incident.Action] {
            var calls = CallSchedule()
            return incident.due(at: begunAt + times.receiptMax, hooks: hooks, times: times, calls: &calls)
        }
        #expect(begun(["north", "south"]).contains(.begin(hook: "south")))
        #expect(begun(["north"]).contains(.alarmOperator(.exhausted, hook: "north")))
        #expect(!begun(["north"]).contains(.begin(hook: "north")))
        _ = incident.apply(.withdrawalGivenUp("north"), at: begunAt + times.cancellationMax)
        #expect(incident.handOver(to: "north")?.isWithdrawn == false)
        #expect(incident.handOver(to: "north")?.firstNumber ?? 0 > due ?? .max)
        // Who accepts by an old call meanwhile has a newer message to get than that cancellation.
        var other = try await acceptedBefore([isWell]).settled.incident
        _ = other.apply(.accepted("north"), at: begunAt + .seconds(1))
        #expect(other.acceptedBy == "north" && other.handOver(to: "north")?.dueNumber ?? 0 > due ?? .max)
    }

    @Test(
        "SOS-07c SOS-08c: who has accepted on the other side comes, whatever one was told there that had accepted before"
    )
    func otherComes() async throws {
        let settled = try await acceptedBefore([isWell, isTold], by: "south").settled.incident
        #expect(settled.acceptedBy == "south" && settled.stage == .accepted)
        #expect(settled.handOver(to: "south")?.isWithdrawn == false)
        #expect(settled.handOver(to: "north")?.dueNumber.flatMap(settled.message)?.kind == .cancel)
    }

    @Test("SOS-07c SOS-08c: who has said since that it comes, or was told nothing, comes to a later press")
    func comesAllTheSame() async throws {
        for said in [IncidentEvent.acceptedApart("north", at: age(8)), .progress("north", .dispatched)] {
            let settled = try await acceptedBefore([isWell, isTold, (8, { _ in said })]).settled.incident
            #expect(settled.acceptedBy == "north" && settled.stage == .accepted)
        }
        var here = JournalledIncident(incidentID)
        let events: [IncidentEvent] = [.acceptedApart("north", at: age(5)), .calledOff]
        here.events = events.enumerated().map { .init(id: .random(), at: time(5 + Double($0)), event: $1) }
        let there = row([(0, .handOverBegun("north")), (9, .calledByHand)])
        #expect(try await settle(here, over: there)[incidentID]?.incident.acceptedBy == "north")
    }

    @Test("SOS-13: a resolution counts that was told before an emergency which was known then is found again elsewhere")
    func resolvedBefore() async throws {
        let (id, incident) = (UUID(high: 5, low: 9), row([(0, .handOverBegun("north"))]).incident)
        var journal = IncidentJournal(opened(incidentID, at: start, incident.numbered(from: start)))
        let said: [(Double, IncidentEvent)] = [
            (4, .emergency(cause: "heart-rate", id: id)), (5, .acceptedApart("north", at: age(5))),
            (30, .resolved("north")),
        ]
        for (second, event) in said { journal.add(event, at: age(second)) }
        var (there, here) = (row([]), JournalledIncident(incidentID))
        there.incident = incident.numbered(from: start)
        _ = there.incident.apply(.emergency(cause: "heart-rate", id: id), at: age(35))
        here.events = journal.unwritten.map(\.journalled)
        let settled = try await settle(here, over: there)[incidentID]?.incident
        #expect(settled?.stage == .closed && settled?.outcome == .resolved)
    }

    @Test("SOS-07a SOS-07c: a journal that is settled again, since an answer was lost, tells nobody anything anew")
    func settledAgain() async throws {
        let known: [(second: Double, event: IncidentEvent)] = [
            (0, .handOverBegun("north")), (1, .received("north", number: 1)), (2, .handOverBegun("south")),
        ]
        let incident = row(known).incident.numbered(from: start)
        var journal = IncidentJournal(opened(incidentID, at: start, incident))
        journal.add(.acceptedApart("south", at: age(5)), at: age(5))
        var (before, journalled) = (row(known), JournalledIncident(incidentID))
        before.incident = incident
        journalled.events = journal.unwritten.map(\.journalled)
        let first = try #require(try await settle(journalled, over: before)[incidentID])
        #expect(first.incident.handOver(to: "north")?.dueNumber == journal.incident.lastNumber)
        let second = try await settle(journalled, over: first, noted: Set(journalled.entryIDs))[incidentID]
        #expect(second?.incident.handOvers == first.incident.handOvers)
    }

    @Test("SOS-08c SOS-07a: numbers that were given out before a courier took a journal up are known to it")
    func takenUp() throws {
        var journal = IncidentJournal(opened(incidentID, at: start, Incident().numbered(from: start)))
        journal.add(.handOverBegun("north"), at: age(1))
        journal.add(.calledByHand, at: age(2))
        journal.add(.received("north", number: journal.incident.lastNumber), at: age(3))
        let taken = IncidentJournal(journal.written, journalled: journal.unwritten.map(\.journalled))
        #expect(taken.unwritten.map(\.ownNumber) == journal.unwritten.map(\.ownNumber))
        #expect(taken.unwritten.last?.ownNumber == journal.incident.lastNumber)
    }

    @Test("SOS-07c SOS-08c: who was told twice of an incident that gives way when it is settled gets its cancellation")
    func givesWay() async throws {
        let apart = opened(UUID(high: 5, low: 6), at: start, Incident())
        let said: [IncidentEvent] = [
            .handOverBegun("north"), .received("north", number: 1), .identified(isNews: true),
            .received("north", number: 2),
        ]
        let rows = try await settle(JournalledIncident(apart, events: said), over: row([(0, .handOverBegun("south"))]))
        let settled = try #require(rows[apart.id]?.incident)
        let north = try #require(settled.handOver(to: "north"))
        #expect(settled.stage == .closed && north.isOutstanding)
        #expect(north.dueNumber.flatMap(settled.message)?.kind == .cancel)
    }

    @Test(
        "SOS-07c: who has accepted earlier and has not handed back stands, and nobody is accepted who has handed back")
    func others() async throws {
        let west = row([(0, .handOverBegun("west")), (68, .accepted("west"))])
        let earlier = try await settled(west, [(60, .acceptedApart("south", at: age(60)))])
        #expect(earlier.incident?.acceptedBy == "south")
        #expect(earlier.incident?.handOver(to: "west")?.isWithdrawn == true)
        let open = try await settled(
            row([(0, .handOverBegun("west"))]),
            [(60, .acceptedApart("south", at: age(60))), (67, .rejected("south"))])
        #expect(open.incident?.stage == .unaccepted && open.incident?.handOver(to: "south")?.rejectedAt != nil)
    }
}
