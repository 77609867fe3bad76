import Feed
import Contracts
import Domain
import Postgres
import Primitives
import Security

/// The devices that deliver a person's data (ACC-14).
struct Devices: Sendable {
    static let devicesMax: Int = 50
    static let nameCharactersMax = 80

    struct Listed: Encodable, Sendable {
        let deviceID: UUID
        let name: String
        /// The types that it provides, of those that it offers.
        let dataTypes: [DataType]
        let offeredTypes: [DataType]
        let createdAt: Timestamp
        /// When it last got a token.
        let seenAt: Timestamp?
        /// When it took the place of another device.
        let replacedAt: Timestamp?
        /// The name that the operator has admitted it by, of an application that the person has authorised.
        let applicationName: String?
    }

    private struct Stored: PostgresRowDecodable {
        let id: UUID
        let name: [UInt8]
        let dataTypes: [Int16]
        let offeredTypes: [Int16]
        let createdAt: Timestamp
        let tokenAt: Timestamp?
        let replacedAt: Timestamp?
        let applicationName: String?

        init(row: PostgresRow) throws(PostgresError) {
            id = try row["id"]
            name = try row["name"]
            dataTypes = try row["data_types"]
            offeredTypes = try row["offered_types"]
            createdAt = try row["created_at"]
            tokenAt = try row["token_at"]
            replacedAt = try row["replaced_at"]
            applicationName = try row["application_name"]
        }
    }

    struct Change: Decodable, Sendable {
        let name: String?
        let dataTypes: [DataType]?
    }

    static let tooMany = Refusal(
        .conflict, "too-many-devices", "At most \(devicesMax) devices belong to one account.")

    let store: Store

    static func check(name: String) throws(Refusal) {
        try PlainText.check(name, charactersMax: nameCharactersMax, at: "/name")
    }

    static func check(name: String, dataTypes: [DataType]) throws(Refusal) {
        try check(name: name)
        guard !dataTypes.isEmpty else { throw .invalid("/data_types", "A device provides at least one type of data.") }
        try check(dataTypes: dataTypes)
    }

    private static func check(dataTypes: [DataType]) throws(Refusal) {
        guard Set(dataTypes).count == dataTypes.count else {
            throw .invalid("/data_types", "Each type of data is named once.")
        }
    }

    /// Adds a device that has no secret yet.
    static func insert(
        name: String, offered: [Int16], for account: UUID, store: Store, in transaction: Transaction
    ) async throws -> UUID {
        let device = UUID.random()
        let count = try await transaction.queryOne(
            "select count(*) from device where account = \(account)", as: Int.self)
        guard (count ?? 0) < devicesMax else {
            throw tooMany
        }
        let sealed = store.columns.seal(name, .deviceName, row: device, with: try await store.key(of: account))
        try await transaction.execute(
            """
            insert into device (id, account, name, offered_types, data_types, created_at)
            values (\(device), \(account), \(sealed), \(offered), \(offered), \(store.now()))
            """)
        return device
    }

    /// All devices of an account, the oldest first.
    func list(of account: UUID) async throws -> [Listed] {
        try await select(of: account, only: nil)
    }

    func get(_ device: UUID, of account: UUID) async throws -> Listed {
        guard let found = try await select(of: account, only: device).first else { throw Refusal.notFound }
        return found
    }

    /// Renames a device, or chooses which types it provides; with none it is silenced.
    func change(_ device: UUID, of account: UUID, _ change: Change) async throws -> Listed {
        if let name = change.name { try Self.check(name: name) }
        if let types = change.dataTypes { try Self.check(dataTypes: types) }
        try await store.transaction { transaction in
            let version = try await Store.requiredVersion(of: account, in: transaction)
            let offered = try await transaction.queryOne(
                "select offered_types from device where id = \(device) and account = \(account) for update",
                as: [Int16].self)
            guard let offered else { throw Refusal.notFound }
            if let name = change.name {
                let key = try await store.key(of: account)
                let sealed = store.columns.seal(name, .deviceName, row: device, with: key)
                try await transaction.execute("update device set name = \(sealed) where id = \(device)")
            }
            guard let types = change.dataTypes.map({ DataType.toStore($0) }) else { return }
            guard types.allSatisfy(offered.contains) else {
                throw Refusal.invalid("/data_types", "The device does not provide all of these types.")
            }
            try await transaction.execute("update device set data_types = \(types) where id = \(device)")
            try await Self.publish(device, of: account, version: version, store: store, in: transaction)
        }
        return try await get(device, of: account)
    }

    /// Announces what a device may provide: what was chosen of it, without what no device may.
    static func publish(
        _ device: UUID, of account: UUID, version: Int64, store: Store, in transaction: Transaction
    ) async throws {
        let types = try await transaction.queryOne(
            """
            select d.data_types, p.excluded_types from device d join person p on p.account = d.account
            where d.id = \(device) and d.account = \(account)
            """, as: [Int16].self, [Int16].self)
        guard let (chosen, excluded) = types else { return }
        let event = Accounts.DeviceChange(
            deviceID: device, accountID: account,
            dataTypes: try DataType.stored(chosen.filter { !excluded.contains($0) }), isRemoved: false)
        try await store.feeds.publish([try AccountFeeds.device(event, version: version)], in: transaction)
    }

    /// Removes a device; its tokens are revoked everywhere.
    func remove(_ device: UUID, of account: UUID) async throws {
        try await store.transaction { transaction in
            let version = try await Store.requiredVersion(of: account, in: transaction)
            try await Self.remove(device, of: account, version: version, store: store, in: transaction)
        }
    }

    /// As `remove`; the account must be locked.
    static func remove(
        _ device: UUID, of account: UUID, version: Int64, isReplaced: Bool = false, store: Store,
        in transaction: Transaction
    ) async throws {
        let isRemoved = try await removeIfThere(
            device, of: account, version: version, isReplaced: isReplaced, store: store, in: transaction)
        guard isRemoved else { throw Refusal.notFound }
    }

    /// The same; whether there was such a device. What it has measured goes on counting where it did, unless another one takes its
    /// place.
    static func removeIfThere(
        _ device: UUID, of account: UUID, version: Int64, isReplaced: Bool = false, store: Store,
        in transaction: Transaction
    ) async throws -> Bool {
        let replaced = try await transaction.queryOne(
            "delete from device where id = \(device) and account = \(account) returning replaced", as: [UUID].self)
        guard let replaced else { return false }
        if !isReplaced, !replaced.isEmpty {
            try await DeviceReplacement.keepPlace([device] + replaced, of: account, in: transaction)
        }
        let event = Accounts.DeviceChange(
            deviceID: device, accountID: account, dataTypes: [], isRemoved: true)
        try await store.feeds.publish([try AccountFeeds.device(event, version: version)], in: transaction)
        if try await SourcePreferences.remove(device, of: account, in: transaction) {
            try await AccountFeeds.publishChange(of: account, version: version, store: store, in: transaction)
        }
        try await Revoking.revoke(sessions: [device], areDevices: true, store: store, in: transaction)
        return true
    }

    private func select(of account: UUID, only device: UUID?) async throws -> [Listed] {
        let key = try await store.key(of: account)
        return try await store.database.query(
            """
            select d.id, d.name, data_types, offered_types, created_at, token_at, replaced_at,
              (select a.name from source_application a where a.id = d.application) as application_name
            from device d
            where account = \(account) and (\(device)::uuid is null or d.id = \(device)) order by created_at, d.id
            """, as: Stored.self
        ).map {
            Listed(
                deviceID: $0.id, name: try store.columns.open($0.name, .deviceName, row: $0.id, with: key),
                dataTypes: try DataType.stored($0.dataTypes), offeredTypes: try DataType.stored($0.offeredTypes),
                createdAt: $0.createdAt, seenAt: $0.tokenAt, replacedAt: $0.replacedAt,
                applicationName: $0.applicationName)
        }
    }
}
