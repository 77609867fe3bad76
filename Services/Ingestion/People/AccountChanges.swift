import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives

/// Follows `accounts.changes`: who there is, what is paused, whose a device is; and erases (ACC-12, ING-05, ING-14).
struct AccountChanges: FeedHandler {
    let keys: SubjectKeys
    let clock: any WallClock

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        try await apply(records.map { ($0.kind, $0.version, $0.payload) })
    }

    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        try await apply(entities.map { ($0.kind, $0.version, $0.payload) })
    }

    func beginSnapshot() -> FeedEffect { .none }

    /// People whom the snapshot did not mention stay: that somebody was erased is said, never concluded.
    func endSnapshot() -> FeedEffect { .none }

    private func apply(_ changes: [(kind: String, version: Int64, payload: JSONRaw)]) async throws -> FeedEffect {
        var statements: [SQL] = []
        for (kind, version, payload) in changes {
            switch kind {
            case "account":
                let change = try JSONDecoder().decode(Accounts.AccountChange.self, from: payload.bytes)
                guard change.kind == .individual else { continue }
                if change.state == .erased {
                    // Before the rows: were this process to end in between, the feed brings it here again.
                    try await keys.destroy(change.accountID)
                    statements += PersonStore.erase(change.accountID, version: version, at: clock.now())
                } else {
                    statements.append(
                        PersonStore.set(
                            change.accountID, subject: change.subject, paused: change.paused, version: version))
                }
            case "device":
                let change = try JSONDecoder().decode(Accounts.DeviceChange.self, from: payload.bytes)
                statements.append(
                    PersonStore.setDevice(
                        change.deviceID, of: change.accountID, isRemoved: change.isRemoved, version: version))
            default: continue
            }
        }
        return .statements(statements)
    }
}
