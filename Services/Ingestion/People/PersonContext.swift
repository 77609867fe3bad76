import Contracts
import Domain
import Postgres
import Primitives
import Security
import Service

/// What decides on a person's local days, and on which of the sources counts.
struct PersonContext: Sendable {
    /// A source of samples that the person has (table `source`).
    struct Source: Sendable, Equatable {
        let number: Int16
        /// The device; `nil` for an import.
        let device: UUID?
    }

    /// Where the person lives; UTC until accounts has told it.
    let zone: TimeZoneRules
    /// `nil` until accounts has told them.
    let details: Accounts.PersonDetails?
    /// In the order of first sight.
    private let sources: [Source]

    init(zone: TimeZoneRules, details: Accounts.PersonDetails? = nil, sources: [Source] = []) {
        self.zone = zone
        self.details = details
        self.sources = sources.sorted { $0.number < $1.number }
    }

    /// Errors: `SecurityError`, `JSONError`, and `SmallFile.Failure` where this machine knows no zones.
    init(_ stored: StoredPerson, of account: UUID, key: SubjectKey) throws {
        let details = try stored.details.map { try Accounts.PersonDetails(opening: $0, with: key, of: account) }
        self.init(zone: try details?.zoneRules ?? .utc, details: details, sources: stored.sources)
    }

    var language: Language { details?.language ?? .italian }

    /// Whether no other source goes before this one: what it has of the type counts, whatever the others have.
    func isFirst(_ source: Int16, of type: DataType) -> Bool {
        sources.isEmpty || order(of: type).first == source
    }

    /// The sources that the person names first, then devices, imports and manual entry, each as they were first seen. A device that
    /// has taken others' places counts where those do (ACC-14b), and before them.
    func order(of type: DataType) -> SourceOrder {
        let devices = devices()
        // Further imports have one number together, and no row.
        let imports = sources.filter { $0.device == nil }.map(\.number) + [ArrivalGroup.furtherImports]
        let named = details?.preferred(type) ?? []
        let first = named.flatMap { source -> [Int16] in
            switch source {
            case .device(let device): numbers(inPlaceOf: device)
            case .imports: imports
            case .manual: [0]
            }
        }
        return SourceOrder(first + devices + imports + [0])
    }

    private func devices() -> [Int16] {
        let numbers = sources.filter { $0.device != nil }.map(\.number)
        guard let replacements = details?.replacements, !replacements.isEmpty else { return numbers }
        let places = replacements.map { place in place.first.map(self.numbers(inPlaceOf:)) ?? [] }
        // Each place is where its first device was seen.
        return numbers.flatMap { number in
            guard let place = places.first(where: { $0.contains(number) }) else { return [number] }
            return place.min() == number ? place : []
        }
    }

    /// The device's source, and those of the devices whose place it has, the last first.
    private func numbers(inPlaceOf device: UUID) -> [Int16] {
        let devices = details?.replacements?.first { $0.first == device } ?? [device]
        return devices.flatMap { device in sources.filter { $0.device == device }.map(\.number) }
    }
}

/// A person's row and sources.
struct StoredPerson: Sendable, PostgresRowDecodable {
    let number: Int32
    /// Sealed.
    let details: [UInt8]?
    let sources: [PersonContext.Source]

    init(row: PostgresRow) throws(PostgresError) {
        number = try row["number"]
        details = try row["details"]
        let (numbers, areDevices, identities): ([Int16], [Bool], [UUID]) = (
            try row["source_numbers"], try row["source_devices"], try row["source_identities"]
        )
        sources = zip(numbers, zip(areDevices, identities)).map { number, source in
            PersonContext.Source(number: number, device: source.0 ? source.1 : nil)
        }
    }

    /// The columns, of `person p` joined with `sources`.
    static let columns: SQL = "p.number, p.details, o.source_numbers, o.source_devices, o.source_identities"

    static let sources: SQL = """
        cross join lateral (
          select coalesce(array_agg(number order by number), '{}') as source_numbers,
            coalesce(array_agg(kind = 'device' order by number), '{}') as source_devices,
            coalesce(array_agg(identity order by number), '{}') as source_identities
          from source where person = p.number) o
        """

    /// The same of several, by `account_id`.
    static func select(of accounts: [UUID]) -> SQL {
        """
        select a.account_id, \(sql: columns) from unnest(\(accounts)) as a (account_id)
        join lateral (select number, details from person where account_id = a.account_id limit 1) p on true
        \(sql: sources)
        """
    }

    static func select(of account: UUID) -> SQL {
        "select \(sql: columns) from person p \(sql: sources) where p.account_id = \(account)"
    }
}

/// Reads what is known of people.
struct PersonContexts: Sendable {
    let database: Database
    let keys: SubjectKeys

    /// Of somebody of whom nothing is known: UTC, and no sources. Errors: the database's, and those of `PersonContext`.
    func context(of account: UUID) async throws -> PersonContext {
        guard let stored = try await database.queryOne(StoredPerson.select(of: account), as: StoredPerson.self),
            let key = try await keys.existingKeys(of: [account])[account]
        else { return PersonContext(zone: .utc) }
        return try PersonContext(stored, of: account, key: key)
    }
}
