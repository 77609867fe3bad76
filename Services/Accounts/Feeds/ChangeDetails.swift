import Contracts
import Domain
import Feed
import JSON
import Postgres
import Primitives
import Service

/// Adds to the events of `accounts.changes` what ingestion must know of the person. It is read when the events are: so it
/// does not rest in the feed, is as new as the profile, and of an erased account there is none.
struct ChangeDetails: Sendable {
    let database: Database
    let keys: SubjectKeys
    let columns: PersonalColumns
    let unreadable: UnreadableRows

    /// The records with details of the accounts that are active.
    func reveal(_ records: [FeedRecord]) async throws -> [FeedRecord] {
        let accounts = Set(records.filter { $0.kind == AccountFeeds.accountKind }.map(\.entity))
        let details = try await details(of: Array(accounts))
        return try records.map { record in
            guard record.kind == AccountFeeds.accountKind, let person = details[record.entity] else { return record }
            var change = try record.decode(Accounts.AccountChange.self)
            change.person = person
            return record.with(payload: try JSONRaw(encoding: change))
        }
    }

    /// Of those of the accounts that are individuals whose profile can be read.
    func details(of accounts: [UUID]) async throws -> [UUID: Accounts.PersonDetails] {
        guard !accounts.isEmpty else { return [:] }
        let rows = try await database.query(
            """
            select a.id, a.language, p.profile from account a join person p on p.account = a.id
            where a.id = any(\(accounts))
            """, as: UUID.self, String.self, [UInt8].self)
        let preferences = try await SourcePreferences.read(of: accounts, in: database)
        let replacements = try await DeviceReplacement.all(of: accounts, in: database)
        let keys = try await keys.keySet(of: rows.map(\.0))
        var details: [UUID: Accounts.PersonDetails] = [:]
        for (account, language, sealed) in rows {
            details[account] = unreadable.read("accounts.person", account) {
                let profile = try columns.open(
                    sealed, as: PersonProfile.self, .person, row: account, with: keys.key(of: account))
                return Accounts.PersonDetails(
                    zone: profile.zone ?? .rome, language: try Language.stored(language), birthDate: profile.birthDate,
                    sex: profile.fiscalCode.sex, preferredSources: preferences[account] ?? [],
                    replacements: replacements[account])
            }
        }
        return details
    }
}
