import Contracts
import Domain
import Postgres
import Primitives

/// A device that takes the place of another one: it has its name, provides what that one was to provide, and counts where it
/// counted, so that one history goes on (ACC-14): ingestion counts what the old one has measured in the same place. The old one can
/// send nothing more.
struct DeviceReplacement: Sendable {
    /// Devices one after the other in the same place, whose samples count there.
    private static let rememberedMax = 20
    /// Places of devices that were removed.
    private static let formerMax = 20

    let store: Store
    let account: UUID
    let version: Int64

    /// The new device, which has no secret yet, and its name. The account must be locked. Throws `unknown-device`.
    func replace(
        _ old: UUID, named name: String?, offered: [Int16], in transaction: Transaction
    ) async throws -> (device: UUID, name: String) {
        let found = try await transaction.queryOne(
            """
            select name, data_types, offered_types, replaced from device
            where id = \(old) and account = \(account) for update
            """, as: [UInt8].self, [Int16].self, [Int16].self, [UUID].self)
        guard let (sealed, provided, before, earlier) = found else {
            throw Refusal.invalid("/replaces", "You have no device with this id.", code: "unknown-device")
        }
        let key = try await store.key(of: account)
        let name = try name ?? store.columns.open(sealed, .deviceName, row: old, with: key)
        let source = (
            old: PreferredSource.device(old).description,
            preferences: try await preferences(naming: old, in: transaction)
        )
        // First, since an account has a limited number of devices.
        try await Devices.remove(
            old, of: account, version: version, isReplaced: true, store: store, in: transaction)
        let device = try await Devices.insert(
            name: name, offered: offered, for: account, store: store, in: transaction)
        // What the old one could not provide was never chosen: it is provided.
        let chosen = offered.filter { provided.contains($0) || !before.contains($0) }
        try await transaction.execute(
            """
            update device set data_types = \(chosen), replaced_at = \(store.now()),
              replaced = \(Array(([old] + earlier).prefix(Self.rememberedMax))) where id = \(device)
            """)
        for (type, sources) in source.preferences where offered.contains(type) {
            let replaced = sources.map { $0 == source.old ? PreferredSource.device(device).description : $0 }
            try await transaction.execute(
                """
                insert into source_preference (account, data_type, sources) values (\(account), \(type), \(replaced))
                on conflict on constraint source_preference_key do update set sources = excluded.sources
                """)
        }
        try await AccountFeeds.publishChange(of: account, version: version, store: store, in: transaction)
        return (device, name)
    }

    private func preferences(
        naming device: UUID, in transaction: Transaction
    ) async throws(PostgresError) -> [(type: Int16, sources: [String])] {
        try await transaction.query(
            """
            select data_type, sources from source_preference
            where account = \(account) and \(PreferredSource.device(device).description) = any(sources)
            """, as: Int16.self, [String].self
        ).map { (type: $0.0, sources: $0.1) }
    }

    /// Keeps the place of a device that is removed, so that the hours of before do not become another device's.
    static func keepPlace(
        _ devices: [UUID], of account: UUID, in transaction: Transaction
    ) async throws(PostgresError) {
        // Arrays of arrays need equal lengths, so a place is one text.
        let place = devices.map(\.description).joined(separator: ",")
        try await transaction.execute(
            """
            update person set former_places = (array[\(place)]::text[] || former_places)[1:\(Int32(formerMax))]
            where account = \(account)
            """)
    }

    /// The devices of each account that have taken others' places, each followed by those, the last first; also of devices that were
    /// removed since.
    static func all(of accounts: [UUID], in session: some SQLSession) async throws(PostgresError) -> [UUID: [[UUID]]] {
        let rows = try await session.query(
            """
            select account, array_prepend(id, replaced) as place from device
            where account = any(\(accounts)) and replaced <> '{}'
            union all
            select account, string_to_array(p.place, ',')::uuid[] from person, unnest(former_places) as p (place)
            where account = any(\(accounts))
            order by account, place
            """, as: UUID.self, [UUID].self)
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }
}
