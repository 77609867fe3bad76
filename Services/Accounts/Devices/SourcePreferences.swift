import Contracts
import Domain
import Postgres
import Primitives

/// Which of a person's sources counts for each data type (ACC-14). What says nothing follows the usual order, which
/// ingestion knows.
struct SourcePreferences: Sendable {
    /// Sources that can be named for one type.
    static let sourcesMax = 10

    /// The form, and the answer.
    struct All: Codable, Sendable {
        let preferences: [SourcePreference]
    }

    let store: Store

    func own(_ account: UUID) async throws -> All {
        All(preferences: try await Self.read(of: [account], in: store.database)[account] ?? [])
    }

    /// Replaces all preferences.
    func replace(_ account: UUID, _ all: All) async throws -> All {
        try Self.check(all.preferences)
        try await store.transaction { transaction in
            let version = try await Store.requiredVersion(of: account, in: transaction)
            try await Self.check(all.preferences, of: account, in: transaction)
            try await transaction.execute("delete from source_preference where account = \(account)")
            let named = all.preferences.filter { !$0.sources.isEmpty }
            // Arrays of arrays need equal lengths, so the sources are passed as one text per type: it holds ids and words.
            let sources = named.map { "{\($0.sources.map(\.description).joined(separator: ","))}" }
            try await transaction.execute(
                """
                insert into source_preference (account, data_type, sources)
                select \(account), t.data_type, t.sources::text[]
                from unnest(\(named.map { Int16($0.dataType.rawValue) }), \(sources)) t (data_type, sources)
                """)
            try await AccountFeeds.publishChange(of: account, version: version, store: store, in: transaction)
        }
        return try await own(account)
    }

    /// Takes a removed device out of the preferences; whether any named it. The account must be locked.
    static func remove(_ device: UUID, of account: UUID, in transaction: Transaction) async throws -> Bool {
        let source = PreferredSource.device(device).description
        let emptied = try await transaction.execute(
            "delete from source_preference where account = \(account) and sources = array[\(source)]")
        let shortened = try await transaction.execute(
            """
            update source_preference set sources = array_remove(sources, \(source))
            where account = \(account) and \(source) = any(sources)
            """)
        return emptied + shortened > 0
    }

    /// The preferences of these accounts, in the order of the types' numbers.
    static func read(
        of accounts: [UUID], in session: some SQLSession
    ) async throws -> [UUID: [SourcePreference]] {
        let rows = try await session.query(
            """
            select account, data_type, sources from source_preference where account = any(\(accounts))
            order by account, data_type
            """, as: UUID.self, Int16.self, [String].self)
        var preferences: [UUID: [SourcePreference]] = [:]
        for (account, type, texts) in rows {
            let sources = try texts.map { text in
                guard let source = PreferredSource(text) else {
                    throw StoredValueError(column: "source_preference.sources")
                }
                return source
            }
            for type in try DataType.stored([type]) {
                preferences[account, default: []].append(SourcePreference(dataType: type, sources: sources))
            }
        }
        return preferences
    }

    private static func check(_ preferences: [SourcePreference]) throws(Refusal) {
        guard Set(preferences.map(\.dataType)).count == preferences.count else {
            throw .invalid("/preferences", "Each type of data is named once.")
        }
        for (number, preference) in preferences.enumerated() {
            let pointer = "/preferences/\(number)/sources"
            guard preference.sources.count <= sourcesMax else {
                throw .invalid(pointer, "At most \(sourcesMax) sources are put in order.")
            }
            guard Set(preference.sources).count == preference.sources.count else {
                throw .invalid(pointer, "Each source is named once.")
            }
        }
    }

    /// That the devices are the account's, and offer the types that they are named for.
    private static func check(
        _ preferences: [SourcePreference], of account: UUID, in transaction: Transaction
    ) async throws {
        let rows = try await transaction.query(
            "select id, offered_types from device where account = \(account)", as: UUID.self, [Int16].self)
        let offered = Dictionary(rows.map { ($0.0, $0.1) }) { first, _ in first }
        for (number, preference) in preferences.enumerated() {
            for (place, source) in preference.sources.enumerated() {
                guard case .device(let device) = source else { continue }
                guard offered[device]?.contains(Int16(preference.dataType.rawValue)) == true else {
                    throw Refusal.invalid(
                        "/preferences/\(number)/sources/\(place)",
                        "None of your devices with this id provides \(preference.dataType).")
                }
            }
        }
    }
}
