import Postgres
import Primitives
import Service
import Telemetry

/// The database, as a press of the SOS button needs it (SOS-12a).
protocol PressKeeper: Sendable {
    /// What is stored of somebody who may press; `nil` of who is not enrolled. Errors: the database's.
    func enrolled(_ account: UUID, log: Log) async throws -> StoredWearer?

    /// Opens the emergency, or tells the one that is open of the press: as `IncidentStore.call`.
    func call(
        _ id: UUID, of account: UUID, hooks: [String], _ press: IncidentStore.Press
    ) async throws -> IncidentStore.ManualOpening

    /// Puts into the wearer's inbox that the press was taken.
    func tellWearer(of record: IncidentRecord) async throws
}

/// What the database has of somebody who presses.
struct StoredWearer: Sendable {
    let enrolment: EnrolmentDetails
    /// As it was saved last; `nil` when there is none, or no key to it.
    let monitor: @Sendable (_ now: Timestamp) -> Monitor?
}

struct StoredPresses: PressKeeper {
    let store: IncidentStore
    let enrolments: EnrolmentStore
    let notices: NoticeOutbox

    func enrolled(_ account: UUID, log: Log) async throws -> StoredWearer? {
        guard let enrolment = try await enrolments.find(account) else { return nil }
        let state = try await store.database.queryOne(
            "select state from monitor where account = \(account)", as: [UInt8].self)
        let key = try await enrolments.keys.existingKey(of: account)
        return StoredWearer(enrolment: enrolment.details) { now in
            guard let state, let key else { return nil }
            return .opened(state, of: account, with: key, at: now, log: log)
        }
    }

    func call(
        _ id: UUID, of account: UUID, hooks: [String], _ press: IncidentStore.Press
    ) async throws -> IncidentStore.ManualOpening {
        try await store.call(id, of: account, hooks: hooks, press)
    }

    func tellWearer(of record: IncidentRecord) async throws {
        try await store.database.execute(try notices.insert([.calledByHand(record)], at: record.openedAt))
        notices.wake()
    }
}
