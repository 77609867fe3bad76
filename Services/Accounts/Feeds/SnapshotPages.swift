import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Service

/// The snapshots of the feeds, for consumers that start or have lost their position.
struct SnapshotPages: Sendable {
    private static let accountsPerPage = 200
    private static let profilesPerPage = 500
    private static let revocationsPerPage = 1000
    private static let erasuresPerPage = 500

    let database: Database
    let keys: SubjectKeys
    let columns: PersonalColumns
    let clock: any WallClock
    let unreadable: UnreadableRows

    /// The confirmed accounts in the order of their ids, each followed by its devices.
    func changes(after page: String?) async throws -> FeedDefinition.Page {
        let first = page.flatMap { UUID($0) } ?? UUID(high: 0, low: 0)
        let accounts = try await database.query(
            """
            select a.id, a.kind, a.version, p.subject from account a left join person p on p.account = a.id
            where a.confirmed_at is not null and a.id > \(first) order by a.id limit \(Self.accountsPerPage)
            """, as: UUID.self, String.self, Int64.self, Int32?.self)
        let devices = try await database.query(
            """
            select d.id, d.account, array(select unnest(d.data_types) except select unnest(p.excluded_types) order by 1)
            from device d join person p on p.account = d.account where d.account = any(\(accounts.map(\.0))) order by d.id
            """, as: UUID.self, UUID.self, [Int16].self)
        let individuals = accounts.filter { $0.1 == AccountKind.individual.rawValue }.map(\.0)
        let paused = try await DataCollection.paused(of: individuals, in: database)
        let details = ChangeDetails(database: database, keys: keys, columns: columns, unreadable: unreadable)
        let people = try await details.details(of: accounts.map(\.0))
        let devicesByAccount = Dictionary(grouping: devices, by: \.1)
        var entities: [FeedEntity] = []
        for (id, kind, version, subject) in accounts {
            let change = Accounts.AccountChange(
                accountID: id, kind: try AccountKind.stored(kind), subject: subject,
                paused: paused[id], person: people[id])
            entities.append(try Self.entity(id, version, AccountFeeds.accountKind, change))
            for (device, _, types) in devicesByAccount[id] ?? [] {
                let change = Accounts.DeviceChange(
                    deviceID: device, accountID: id, dataTypes: try DataType.stored(types), isRemoved: false)
                entities.append(try Self.entity(id, version, "device", change))
            }
        }
        let isLast = accounts.count < Self.accountsPerPage
        return FeedDefinition.Page(entities: entities, next: isLast ? nil : accounts.last?.0.description)
    }

    /// What the token of a page of erased subjects begins with.
    private static let erasedMark = "erased "

    /// The profiles that were released, in the order of their subject numbers, without those that cannot be read; then the numbers
    /// of erased people that were released.
    func profiles(after page: String?) async throws -> FeedDefinition.Page {
        if let page, page.hasPrefix(Self.erasedMark) {
            return try await erasedSubjects(after: Int32(page.dropFirst(Self.erasedMark.count)) ?? 0)
        }
        let first = page.flatMap { Int32($0) } ?? 0
        let rows = try await database.query(
            """
            select account, profile, subject, subject_version from person
            where subject > \(first) and subject_version > 0 order by subject limit \(Self.profilesPerPage)
            """, as: UUID.self, [UInt8].self, Int32.self, Int64.self)
        let keys = try await keys.keySet(of: rows.map(\.0))
        var entities: [FeedEntity] = []
        for (account, sealed, subject, version) in rows {
            let readable = unreadable.read("accounts.person", account) {
                try columns.open(sealed, as: PersonProfile.self, .person, row: account, with: keys.key(of: account))
            }
            guard let profile = readable else { continue }
            entities.append(
                try Self.entity(
                    AccountFeeds.entity(subject: subject), version, "profile", profile.coarse(subject: subject)))
        }
        let isLast = rows.count < Self.profilesPerPage
        return FeedDefinition.Page(
            entities: entities, next: isLast ? Self.erasedMark + "0" : rows.last.map { String($0.2) })
    }

    private func erasedSubjects(after first: Int32) async throws -> FeedDefinition.Page {
        let rows = try await database.query(
            """
            select subject, version from erased_subject
            where subject > \(first) order by subject limit \(Self.profilesPerPage)
            """, as: Int32.self, Int64.self)
        let entities = try rows.map { subject, version in
            try Self.entity(
                AccountFeeds.entity(subject: subject), version, AccountFeeds.erasedSubjectKind,
                AccountFeeds.ErasedSubject(subject: subject))
        }
        let isLast = rows.count < Self.profilesPerPage
        return FeedDefinition.Page(
            entities: entities, next: isLast ? nil : rows.last.map { Self.erasedMark + String($0.0) })
    }

    /// Revocations whose tokens may still be valid, in the order of the ids.
    func revocations(after page: String?) async throws -> FeedDefinition.Page {
        let first = page.flatMap { UUID($0) } ?? UUID(high: 0, low: 0)
        let rows = try await database.query(
            """
            select id, kind, revoked_at, is_lasting from revocation
            where id > \(first) and (\(sql: Revoking.matters(at: clock.now())))
            order by id limit \(Self.revocationsPerPage)
            """, as: UUID.self, String.self, Timestamp.self, Bool.self)
        var entities: [FeedEntity] = []
        for (id, kindText, time, isLasting) in rows {
            guard let kind = Accounts.Revocation.Kind(rawValue: kindText) else {
                throw StoredValueError(column: "revocation.kind")
            }
            let isOfDevice = kind == .session && isLasting ? true : nil
            entities.append(
                try Self.entity(
                    id, 1, AccountFeeds.revokedKind,
                    Accounts.Revocation(kind: kind, id: id, revokedAt: time, isOfDevice: isOfDevice)))
        }
        let isLast = rows.count < Self.revocationsPerPage
        return FeedDefinition.Page(entities: entities, next: isLast ? nil : rows.last?.0.description)
    }

    /// All erasures that ever were, in the order of their ids, which is that of their times.
    func erasures(after page: String?) async throws -> FeedDefinition.Page {
        let first = page.flatMap { UUID($0) } ?? UUID(high: 0, low: 0)
        let rows = try await database.query(
            """
            select id, account, kind, scope, requested_at from erasure
            where id > \(first) order by id limit \(Self.erasuresPerPage)
            """, as: UUID.self, UUID.self, String.self, String.self, Timestamp.self)
        let entities = try rows.map { id, account, kind, scope, time in
            try Self.entity(
                account, 1, Accounts.erasureKind, AccountFeeds.storedErasure(id, account, kind, scope, time))
        }
        let isLast = rows.count < Self.erasuresPerPage
        return FeedDefinition.Page(entities: entities, next: isLast ? nil : rows.last?.0.description)
    }

    private static func entity(
        _ id: UUID, _ version: Int64, _ kind: String, _ value: some Encodable
    ) throws(JSONError) -> FeedEntity {
        FeedEntity(entity: id, version: version, kind: kind, payload: try JSONRaw(encoding: value))
    }
}
