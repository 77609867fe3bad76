import Postgres
import Primitives
import Service

/// Makes the files of incidents (SOS-14) from what is stored: open, put away, or restricted.
struct IncidentFiles: Sendable {
    let store: IncidentStore
    let contacts: OwnContacts
    let clock: any WallClock

    /// Of the person's own incident; `nil` when there is none of that number.
    func file(of incident: UUID, of account: UUID) async throws -> IncidentFile? {
        guard let view = try await store.view(incident, of: account) else { return nil }
        return try await file(view)
    }

    /// Whoever's it is. Call when it is in the audit trail.
    func file(of incident: UUID) async throws -> IncidentFile? {
        guard let view = try await store.view(incident) else { return nil }
        return try await file(view)
    }

    private func file(_ view: IncidentView) async throws -> IncidentFile {
        let details = try await store.details(of: view.id)
        let told = try await contacts.told(of: view.id, to: details?.enrolment.contacts ?? [])
        let restrictedAt = try await store.database.queryOne(
            "select restricted_at from incident where id = \(view.id)", as: Timestamp?.self)
        return IncidentFile(
            view, details, contactsTold: told, restrictedAt: restrictedAt ?? nil, at: clock.now())
    }
}
