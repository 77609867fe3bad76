import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Security

/// Follows `accounts.changes`: which people there are, what has to be known of them, what is paused, whose a device is and what
/// it provides; and erases (ACC-12, ACC-14, ING-05, ING-14).
struct AccountChanges: FeedHandler {
    let keys: SubjectKeys
    let clock: any WallClock

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        try await apply(records.map { ($0.kind, $0.version, $0.payload) }, isSnapshot: false)
    }

    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        try await apply(entities.map { ($0.kind, $0.version, $0.payload) }, isSnapshot: true)
    }

    func beginSnapshot() -> FeedEffect { .none }

    /// People that the snapshot lacks stay: only an event of the erasure erases.
    func endSnapshot() -> FeedEffect { .none }

    private func apply(
        _ changes: [(kind: String, version: Int64, payload: JSONRaw)], isSnapshot: Bool
    ) async throws -> FeedEffect {
        var accounts: Set<UUID> = []
        var statements: [SQL] = []
        let known = try await keys(of: changes)
        for (kind, version, payload) in changes {
            switch kind {
            case "account":
                let change = try JSONDecoder().decode(Accounts.AccountChange.self, from: payload.bytes)
                guard change.kind == .individual else { continue }
                accounts.insert(change.accountID)
                if change.state == .erased {
                    // Before the rows: should this process end in between, the feed brings the event again.
                    try await keys.destroy(change.accountID)
                    statements += PersonStore.erase(change.accountID, version: version, at: clock.now())
                } else {
                    // Without a key the person is erased, as a later event tells.
                    let details = try change.person.flatMap { details in
                        try known[change.accountID].map { try details.sealed(with: $0, of: change.accountID) }
                    }
                    statements += PersonStore.set(
                        change.accountID, subject: change.subject, paused: change.paused, details: details,
                        version: version, replaces: isSnapshot, at: clock.now())
                }
            case "device":
                let change = try JSONDecoder().decode(Accounts.DeviceChange.self, from: payload.bytes)
                accounts.insert(change.accountID)
                statements += PersonStore.setDevice(
                    change.deviceID, of: change.accountID, types: DataType.mask(change.dataTypes),
                    isRemoved: change.isRemoved, version: version, replaces: isSnapshot)
            default: continue
            }
        }
        guard !statements.isEmpty else { return .none }
        // Before any row, as writers of arrivals do, so that the two do not deadlock.
        return .statements([ArrivalStore.lock(Array(accounts))] + statements)
    }

    /// The keys with which details are sealed, made where there is none.
    private func keys(
        of changes: [(kind: String, version: Int64, payload: JSONRaw)]
    ) async throws -> [UUID: SubjectKey] {
        var accounts: Set<UUID> = []
        for (kind, _, payload) in changes where kind == "account" {
            let change = try JSONDecoder().decode(Accounts.AccountChange.self, from: payload.bytes)
            if change.kind == .individual, change.state == .active, change.person != nil {
                accounts.insert(change.accountID)
            }
        }
        return try await keys.keys(of: accounts)
    }
}
