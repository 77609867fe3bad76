import Primitives
import Testing

@testable import Dispatcher

/// What two sides have decided apart, settled in the rows of the simulated world.
@Suite struct HandedBackApartTests {
    private let rows = RowsApart()
    private var incidentID: UUID { rows.incidentID }
    private var somebody: WorldTemplate.Somebody { rows.somebody }
    private var details: IncidentDetails { rows.details }

    private func settled(
        _ row: WorldRow, _ events: [(second: Double, event: IncidentEvent)]
    ) async throws -> (incident: Incident?, steps: [IncidentStep]) {
        var journalled = JournalledIncident(incidentID)
        journalled.events = events.map { .init(id: .random(), at: time($0.second), event: $0.event) }
        let settled = try await rows.settle(journalled, over: row)[incidentID]
        return (settled?.incident, settled?.steps ?? [])
    }

    @Test(
        "SOS-07c SOS-13a: who accepts and hands back on one side takes nothing from who has accepted on the other since"
    )
    func handedBack() async throws {
        let west = rows.row([(0, .handOverBegun("west")), (1, .received("west", number: 1)), (68, .accepted("west"))])
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
            var known = rows.row([])
            known.incident = window
            let apart = JournalledIncident(rows.opened(incidentID, at: time(openedAt), window), events: [])
            let settled = try await rows.settle(apart, over: known)[incidentID]
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
            rows.opened(incidentID, at: start, Incident(abortWindow: .seconds(30))),
            events: [.identified(isNews: false)])
        var journal = IncidentJournal(try #require(there.openedRecord(at: start)), journalled: there.events)
        for (second, event) in [(30, IncidentEvent.handOverBegun("north")), (30.2, .seen("position"))] {
            journal.add(event, at: age(second))
        }
        let told = journal.incident.lastNumber
        journal.add(.received("north", number: told), at: age(30.5))
        var apart = there
        apart.events = journal.unwritten.map(\.journalled)
        var settled = try #require(try await rows.settle(apart, over: known)[incidentID]?.incident)
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
        let incident = rows.row(known).incident.numbered(from: start)
        let press = UUID.random()
        var journal = IncidentJournal(rows.opened(incidentID, at: start, incident))
        journal.add(.calledByHand, as: press, at: age(12))
        let told = journal.incident.lastNumber
        var (there, here) = (rows.row(known), JournalledIncident(incidentID))
        there.incident = incident
        _ = there.incident.apply(.calledByHand, at: age(11))
        _ = there.incident.apply(.calledOff, at: age(11.5))
        here.events = journal.unwritten.map(\.journalled)
        let settled = try await rows.settle(here, over: there, noted: [press])[incidentID]
        let north = try #require(settled?.incident.handOver(to: "north"))
        #expect(settled?.incident.stage == .closed && north.isOutstanding && north.dueNumber ?? 0 > told)
        #expect(journal.unwritten[0].journalled.basis?.told == ["north": told])
        // Once that is so, nothing is told again.
        let again = try await rows.settle(here, over: try #require(settled), noted: [press])[incidentID]
        #expect(again?.incident.handOver(to: "north")?.dueNumber == north.dueNumber)
    }

    @Test("SOS-07a SOS-07c: a journal that is settled again, since an answer was lost, tells nobody anything anew")
    func settledAgain() async throws {
        let known: [(second: Double, event: IncidentEvent)] = [
            (0, .handOverBegun("north")), (1, .received("north", number: 1)), (2, .handOverBegun("south")),
        ]
        let incident = rows.row(known).incident.numbered(from: start)
        var journal = IncidentJournal(rows.opened(incidentID, at: start, incident))
        journal.add(.acceptedApart("south", at: age(5)), at: age(5))
        var (before, journalled) = (rows.row(known), JournalledIncident(incidentID))
        before.incident = incident
        journalled.events = journal.unwritten.map(\.journalled)
        let first = try #require(try await rows.settle(journalled, over: before)[incidentID])
        #expect(first.incident.handOver(to: "north")?.dueNumber == journal.incident.lastNumber)
        let second = try await rows.settle(journalled, over: first, noted: Set(journalled.entryIDs))[incidentID]
        #expect(second?.incident.handOvers == first.incident.handOvers)
    }

    @Test("SOS-08c SOS-07a: numbers that were given out before a courier took a journal up are known to it")
    func takenUp() throws {
        var journal = IncidentJournal(rows.opened(incidentID, at: start, Incident().numbered(from: start)))
        journal.add(.handOverBegun("north"), at: age(1))
        journal.add(.calledByHand, at: age(2))
        journal.add(.received("north", number: journal.incident.lastNumber), at: age(3))
        let taken = IncidentJournal(journal.written, journalled: journal.unwritten.map(\.journalled))
        #expect(taken.unwritten.map(\.ownNumber) == journal.unwritten.map(\.ownNumber))
        #expect(taken.unwritten.last?.ownNumber == journal.incident.lastNumber)
    }

    @Test("SOS-07c SOS-08c: who was told twice of an incident that gives way when it is settled gets its cancellation")
    func givesWay() async throws {
        let apart = rows.opened(UUID(high: 5, low: 6), at: start, Incident())
        let said: [IncidentEvent] = [
            .handOverBegun("north"), .received("north", number: 1), .identified(isNews: true),
            .received("north", number: 2),
        ]
        let rows = try await rows.settle(
            JournalledIncident(apart, events: said), over: rows.row([(0, .handOverBegun("south"))]))
        let settled = try #require(rows[apart.id]?.incident)
        let north = try #require(settled.handOver(to: "north"))
        #expect(settled.stage == .closed && north.isOutstanding)
        #expect(north.dueNumber.flatMap(settled.message)?.kind == .cancel)
    }

    @Test(
        "SOS-07c: who has accepted earlier and has not handed back stands, and nobody is accepted who has handed back")
    func others() async throws {
        let west = rows.row([(0, .handOverBegun("west")), (68, .accepted("west"))])
        let earlier = try await settled(west, [(60, .acceptedApart("south", at: age(60)))])
        #expect(earlier.incident?.acceptedBy == "south")
        #expect(earlier.incident?.handOver(to: "west")?.isWithdrawn == true)
        let open = try await settled(
            rows.row([(0, .handOverBegun("west"))]),
            [(60, .acceptedApart("south", at: age(60))), (67, .rejected("south"))])
        #expect(open.incident?.stage == .unaccepted && open.incident?.handOver(to: "south")?.rejectedAt != nil)
    }
}
