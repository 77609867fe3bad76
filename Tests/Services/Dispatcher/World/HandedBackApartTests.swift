import Primitives
import Testing

@testable import Dispatcher

/// What two sides have decided apart, settled in the rows of the simulated world.
@Suite struct HandedBackApartTests {
    private let incidentID = UUID(high: 5, low: 5)

    /// A row of an incident that was opened at `start`, after these events.
    private func row(_ events: [(second: Double, event: IncidentEvent)]) -> WorldRow {
        var incident = Incident()
        for (second, event) in events { _ = incident.apply(event, at: age(second)) }
        let somebody = WorldTemplate.shared.people[0]
        return WorldRow(
            id: incidentID, account: somebody.account, openedAt: start, incident: incident,
            details: IncidentDetails(findings: [], fixes: [], vitals: [], enrolment: somebody.details), dueAt: start,
            leaseUntil: start, steps: [])
    }

    private func settled(
        _ row: WorldRow, _ events: [(second: Double, event: IncidentEvent)]
    ) async throws -> (incident: Incident?, steps: [IncidentStep]) {
        let world = try World(seed: 1)
        let process = WorldProcess(at: 0, in: world)
        var tables = WorldDatabase.Tables()
        tables.incidents[incidentID] = row
        let rows = WorldSettlingRows(tables, process, in: world)
        var journalled = JournalledIncident(incidentID)
        journalled.events = events.map { .init(id: .random(), at: time($0.second), event: $0.event) }
        _ = try await journalled.settle(in: rows, seen: nil, HandOverTimes())
        process.journal.close()
        return (rows.tables.incidents[incidentID]?.incident, rows.tables.incidents[incidentID]?.steps ?? [])
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
        let world = try World(seed: 1)
        let process = WorldProcess(at: 0, in: world)
        let somebody = WorldTemplate.shared.people[0]
        let details = IncidentDetails(findings: [], fixes: [], vitals: [], enrolment: somebody.details)
        for (openedAt, expected) in [(-3.0, 7.0), (2, 10), (-60, 0)] {
            var known = row([])
            known.incident = Incident(abortWindow: .seconds(10))
            var tables = WorldDatabase.Tables()
            tables.incidents[incidentID] = known
            let apart = IncidentRecord(
                id: incidentID, account: somebody.account, openedAt: time(openedAt),
                incident: Incident(abortWindow: .seconds(10)), details: details)
            let rows = WorldSettlingRows(tables, process, in: world)
            _ = try await JournalledIncident(apart, events: []).settle(in: rows, seen: nil, HandOverTimes())
            #expect(rows.tables.incidents[incidentID]?.incident.callsFrom == age(expected))
        }
        process.journal.close()
    }

    @Test("SOS-07c SOS-08c: who was told twice of an incident that gives way when it is settled gets its cancellation")
    func givesWay() async throws {
        let world = try World(seed: 1)
        let process = WorldProcess(at: 0, in: world)
        let somebody = WorldTemplate.shared.people[0]
        let details = IncidentDetails(findings: [], fixes: [], vitals: [], enrolment: somebody.details)
        var tables = WorldDatabase.Tables()
        tables.incidents[incidentID] = row([(0, .handOverBegun("south"))])
        let apart = IncidentRecord(
            id: UUID(high: 5, low: 6), account: somebody.account, openedAt: start, incident: Incident(),
            details: details)
        let said: [IncidentEvent] = [
            .handOverBegun("north"), .received("north", number: 1), .identified(isNews: true),
            .received("north", number: 2),
        ]
        let rows = WorldSettlingRows(tables, process, in: world)
        _ = try await JournalledIncident(apart, events: said).settle(in: rows, seen: nil, HandOverTimes())
        process.journal.close()
        let settled = try #require(rows.tables.incidents[apart.id]?.incident)
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
