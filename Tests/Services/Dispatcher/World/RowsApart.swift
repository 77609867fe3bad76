import Primitives

@testable import Dispatcher

/// What two sides have done apart, settled in the rows of the simulated world.
struct RowsApart {
    let incidentID = UUID(high: 5, low: 5)
    let somebody = WorldTemplate.shared.people[0]
    var details: IncidentDetails {
        IncidentDetails(findings: [], fixes: [], vitals: [], enrolment: somebody.details)
    }

    /// A row of an incident that was opened at `start`, after these events.
    func row(_ events: [(second: Double, event: IncidentEvent)]) -> WorldRow {
        var incident = Incident()
        for (second, event) in events { _ = incident.apply(event, at: age(second)) }
        return WorldRow(
            id: incidentID, account: somebody.account, openedAt: start, incident: incident, details: details,
            dueAt: start, leaseUntil: start, steps: [])
    }

    /// An incident that was opened elsewhere.
    func opened(_ id: UUID, at time: Timestamp, _ incident: Incident) -> IncidentRecord {
        IncidentRecord(id: id, account: somebody.account, openedAt: time, incident: incident, details: details)
    }

    /// All rows once it is settled, where the database has `row`, and `noted` of the entries.
    func settle(
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
}
