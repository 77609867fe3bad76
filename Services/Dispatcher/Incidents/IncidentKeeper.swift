import Postgres
import Primitives
import Reactor

/// Stored incidents, as couriers and the desk use them: `IncidentStore`, and a database that is simulated.
protocol IncidentKeeper: Sendable {
    func change<R: Sendable>(
        _ id: UUID, of lease: IncidentStore.Lease?, deadline: Deadline?,
        _ body: @escaping @Sendable (inout IncidentRecord) throws -> R
    ) async throws -> (record: IncidentRecord, result: R)?
    func settle(
        _ journalled: JournalledIncident, seen: IncidentDetails?, deadline: Deadline?
    ) async throws -> IncidentStore.Settlement
    func record(_ id: UUID, deadline: Deadline?) async throws -> IncidentRecord?
    func records(of ids: [UUID]) async throws -> IncidentStore.Found
    func renew(_ ids: [UUID]) async throws(PostgresError) -> [IncidentStore.Lease]
    func claim(max: Int, but skipped: [UUID]) async throws(PostgresError) -> [IncidentStore.Lease]
    func release() async throws(PostgresError)
}

extension IncidentStore: IncidentKeeper {
    func records(of ids: [UUID]) async throws -> Found { try await records("i.id = any(\(ids))") }
}

extension IncidentKeeper {
    func change<R: Sendable>(
        _ id: UUID, of lease: IncidentStore.Lease? = nil, deadline: Deadline? = nil,
        _ body: @escaping @Sendable (inout IncidentRecord) throws -> R
    ) async throws -> (record: IncidentRecord, result: R)? {
        try await change(id, of: lease, deadline: deadline, body)
    }

    /// The same, waited for as long as `time`: of a transaction the deadline does not cut the commit short. What is done later counts.
    /// Call on a loop. Errors: `PostgresError.timedOut` when it is not done by then.
    func change<R: Sendable>(
        _ id: UUID, of lease: IncidentStore.Lease? = nil, within time: Duration,
        _ body: @escaping @Sendable (inout IncidentRecord) throws -> R
    ) async throws -> (record: IncidentRecord, result: R)? {
        let end = Deadline.after(time)
        return try await StartedWork { try await change(id, of: lease, deadline: end, body) }.outcome(by: end)
    }

    func record(_ id: UUID) async throws -> IncidentRecord? { try await record(id, deadline: nil) }

    func settle(
        _ journalled: JournalledIncident, seen: IncidentDetails? = nil, deadline: Deadline? = nil
    ) async throws -> IncidentStore.Settlement {
        try await settle(journalled, seen: seen, deadline: deadline)
    }

    /// Applies a decision of the wearer or an ambulance service. `nil` when there is no such incident.
    func decide(_ event: IncidentEvent, of id: UUID) async throws -> IncidentVerdict? {
        try await change(id) { $0.apply(event) }?.result
    }
}
