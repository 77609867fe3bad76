import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Security
import Service

/// Follows `accounts.changes`: which people there are, what has to be known of them, what is paused, whose a device is and what
/// it provides (ACC-14, ING-05, ING-14).
struct AccountChanges: FeedHandler {
    let keys: SubjectKeys
    let database: Database
    let live: LiveFeed
    let clock: any WallClock

    func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        let now = clock.now()
        return try await apply(
            records.map { Change(kind: $0.kind, version: $0.version, payload: $0.payload, time: now - $0.age) },
            isSnapshot: false)
    }

    func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        let now = clock.now()
        return try await apply(
            entities.map { Change(kind: $0.kind, version: $0.version, payload: $0.payload, time: now) },
            isSnapshot: true)
    }

    func beginSnapshot() -> FeedEffect { .statements([DeviceSnapshot.begin]) }

    /// Devices that the snapshot lacks are removed: nothing of them is taken until accounts tells of them again. People whom it
    /// lacks stay: a key that was destroyed does not come back, and accounts that were restored from a backup, or are empty,
    /// lack people who are still there. Only news of the erasure erases (`SampleErasure`).
    func endSnapshot() async throws -> FeedEffect {
        try await DeviceSnapshot.removeOthers(in: database, telling: live)
        return .none
    }

    private struct Change {
        let kind: String
        let version: Int64
        let payload: JSONRaw
        /// When it happened, by this service's clock; of a snapshot now.
        let time: Timestamp
    }

    private func apply(_ changes: [Change], isSnapshot: Bool) async throws -> FeedEffect {
        var accounts: Set<UUID> = []
        var statements: [SQL] = []
        let known = try await keys(of: changes)
        for event in changes {
            switch event.kind {
            case "account":
                let change = try JSONDecoder().decode(Accounts.AccountChange.self, from: event.payload.bytes)
                guard change.kind == .individual else { continue }
                accounts.insert(change.accountID)
                // Without a key the person is erased, as `accounts.erasures` tells; or the key is missing, and what was known stays.
                let details = try change.person.flatMap { details in
                    try known[change.accountID].map { try details.sealed(with: $0, of: change.accountID) }
                }
                statements += PersonStore.set(
                    change.accountID, subject: change.subject, paused: change.paused, details: details,
                    version: event.version, replaces: isSnapshot, at: event.time)
                if let key = known[change.accountID] {
                    statements += try deletions(of: change, since: event.time, key)
                }
            case "device":
                let change = try JSONDecoder().decode(Accounts.DeviceChange.self, from: event.payload.bytes)
                accounts.insert(change.accountID)
                statements += PersonStore.setDevice(
                    change.deviceID, of: change.accountID, types: DataType.mask(change.dataTypes),
                    isRemoved: change.isRemoved, version: event.version, replaces: isSnapshot)
            default: continue
            }
        }
        guard !statements.isEmpty else { return .none }
        // Before any row, as writers of arrivals do, so that none of them deadlock.
        let (people, changes) = (Array(accounts), statements)
        return .transaction { transaction in
            try await transaction.batch([ArrivalStore.lock(people)] + changes)
            try await live.tellCollection(of: people, in: transaction)
        }
    }

    /// Of what was measured since a pause began and has come before the news of it.
    private func deletions(
        of change: Accounts.AccountChange, since: Timestamp, _ key: SubjectKey
    ) throws -> [SQL] {
        let now = clock.now()
        return try (change.paused ?? []).compactMap(DataType.Group.init(rawValue:)).map { group in
            let id = UUID.timeOrdered(at: now)
            let content = SpanDeletion.Content(
                types: DataType.mask(DataType.allCases.filter { $0.group == group }), from: since,
                to: now + SampleClock.aheadMax, isPause: true)
            let sealed = try content.sealed(with: key, at: SpanDeletion.location(id, of: change.accountID))
            return DeletionStore.add(
                id, of: change.accountID, content: sealed, forPauseOf: group, since: since, at: now)
        }
    }

    /// The keys with which details and deletions are sealed, made where there is none.
    private func keys(of changes: [Change]) async throws -> [UUID: SubjectKey] {
        var accounts: Set<UUID> = []
        for event in changes where event.kind == "account" {
            let change = try JSONDecoder().decode(Accounts.AccountChange.self, from: event.payload.bytes)
            let isNeeded = change.person != nil || change.paused?.isEmpty == false
            if change.kind == .individual, isNeeded { accounts.insert(change.accountID) }
        }
        return try await keys.keys(of: accounts)
    }
}
