import Contracts
import Domain
import JSON
import Postgres
import Primitives
import RPC
import Service

/// `ingestion.collected` (SUB-04).
enum CollectedMethod {
    /// `shard` gives a person's shard. Nothing of what it tells was measured, so it is no entry of the audit trail.
    static func register(
        in router: inout RPCRouter, log: Log, of shard: @escaping @Sendable (UUID) async throws -> Shard
    ) {
        router.register(Ingestion.Collected.self, allow: [ServiceName.query.rawValue]) { params, _ in
            guard (1...Ingestion.Collected.peopleMax).contains(params.accountIDs.count) else {
                throw RPCError(.invalidParams, "account_ids must be from 1 to \(Ingestion.Collected.peopleMax).")
            }
            return .init(people: try await people(params.accountIDs, log, of: shard))
        }
    }

    /// Shard by shard. One that cannot be read fails its people alone, unless none can.
    private static func people(
        _ accounts: [UUID], _ log: Log, of shard: @escaping @Sendable (UUID) async throws -> Shard
    ) async throws -> [Ingestion.Collected.Person] {
        var parts: [Int: (database: Database, accounts: [UUID])] = [:]
        var failure: (any Error)?
        for account in accounts {
            do {
                let shard = try await shard(account)
                parts[shard.number, default: (shard.database, [])].accounts.append(account)
            } catch let error as PostgresError { failure = error }
        }
        var found: [Ingestion.Collected.Person] = []
        for part in parts.values {
            do throws(PostgresError) {
                let types = try await types(of: part.accounts, in: part.database)
                found += part.accounts.map { account in
                    .init(accountID: account, types: types[account].map(DataType.types) ?? DataType.allCases)
                }
            } catch { failure = error }
        }
        if let failure {
            guard !found.isEmpty else { throw failure }
            log.warning("of some people it is not known what is collected", ["error": Log.text(of: failure)])
        }
        return found
    }

    /// Masks of the types of which something may come, by account; nothing of who is not known.
    private static func types(
        of accounts: [UUID], in database: Database
    ) async throws(PostgresError) -> [UUID: Int64] {
        let rows = try await database.query(
            """
            select a.account_id, p.paused, p.provided_types, d.types from unnest(\(accounts)) as a (account_id)
            join lateral (
              select paused, provided_types from person
              where account_id = a.account_id and erased_at is null limit 1) p on true
            cross join lateral (
              select coalesce(bit_or(coalesce(types, -1)), 0) as types from device
              where account_id = a.account_id and not is_removed) d
            """, as: UUID.self, [String].self, Int64.self, Int64.self)
        return Dictionary(
            rows.map { account, paused, provided, now in
                let groups = paused.compactMap(DataType.Group.init(rawValue:))
                let without = DataType.mask(DataType.allCases.filter { groups.contains($0.group) })
                return (account, (now | ~provided) & ~without)
            }, uniquingKeysWith: { first, _ in first })
    }
}
