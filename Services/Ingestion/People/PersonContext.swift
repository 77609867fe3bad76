import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Security

/// What decides on a person's local days, and on which of the sources counts.
struct PersonContext: Sendable {
    /// A source of samples that the person has (table `source`).
    struct Source: Sendable, Equatable {
        let number: Int16
        /// The device; `nil` for an import.
        let device: UUID?
    }

    /// Where the person lives.
    let zone: TimeZoneRules
    private let preferred: [SourcePreference]
    /// In the order of first sight.
    private let sources: [Source]

    init(zone: TimeZoneRules, preferred: [SourcePreference] = [], sources: [Source] = []) {
        self.zone = zone
        self.preferred = preferred
        self.sources = sources.sorted { $0.number < $1.number }
    }

    /// The sources that the person names first, then devices, imports and manual entry, each as they were first seen.
    func order(of type: DataType) -> SourceOrder {
        let devices = sources.filter { $0.device != nil }.map(\.number)
        let imports = sources.filter { $0.device == nil }.map(\.number)
        let named = preferred.first { $0.dataType == type }?.sources ?? []
        let first = named.flatMap { source -> [Int16] in
            switch source {
            case .device(let device): sources.filter { $0.device == device }.map(\.number)
            case .imports: imports
            case .manual: [0]
            }
        }
        return SourceOrder(first + devices + imports + [0])
    }
}

/// Reads it.
struct PersonContexts: Sendable {
    let database: Database
    let keys: SubjectKeys

    /// Errors: the database's, `SecurityError`, `JSONError`, and `SmallFile.Failure` where this machine knows no zones.
    func context(of account: UUID) async throws -> PersonContext {
        let rows = try await database.run(Self.statement(of: account)).rows
        var sources: [PersonContext.Source] = []
        var details: [UInt8]?
        for row in rows {
            details = try row["details"]
            guard let number: Int16 = try row["number"], let kind: String = try row["kind"] else { continue }
            sources.append(.init(number: number, device: kind == "device" ? try row["identity"] : nil))
        }
        guard let details, let key = try await keys.existingKeys(of: [account])[account] else {
            return PersonContext(zone: .utc, sources: sources)
        }
        let known = try Accounts.PersonDetails(opening: details, with: key, of: account)
        let zone = try SealWork(account: account, key: key, details: details).zone()
        return PersonContext(zone: zone, preferred: known.preferredSources, sources: sources)
    }

    private static func statement(of account: UUID) -> SQL {
        """
        select p.details, s.number, s.kind, s.identity from person p left join source s on s.person = p.number
        where p.account_id = \(account)
        """
    }
}
