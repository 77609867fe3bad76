import Postgres
import Primitives
import Reactor
import Service
import Synchronization

/// Who is in which shard (table `directory` of the service's own schema), where there are several. A person gets a shard at first
/// sight and stays in it; a shard may move.
struct Directory: Sendable {
    /// People who are looked up or added together.
    static let togetherMax = 200
    static let waitingMax = 10_000

    /// Shards there are, for new people.
    let count: Int
    private let database: Database
    private let known: Known
    private let adding: GroupCommit<UUID, Int>

    private final class Known: Sendable {
        let shards: Mutex<GenerationCache<UUID, Int16>>

        init(peopleMax: Int) { shards = Mutex(GenerationCache(entriesMax: peopleMax)) }
    }

    /// `database` is that of the service's own schema, which is shard 0's. So many people are kept in memory, about 50 bytes
    /// each.
    init(count: Int, in database: Database, peopleMax: Int) {
        self.count = count
        self.database = database
        known = Known(peopleMax: peopleMax)
        adding = GroupCommit(itemsMax: Self.togetherMax, waitingMax: Self.waitingMax) { accounts in
            let found = try await Self.shards(of: Set(accounts), count, database)
            return try accounts.map { account in
                guard let shard = found[account] else { throw PostgresError.usage("a person in no shard") }
                return shard
            }
        }
    }

    /// The shard of a person, who is added when not there yet.
    func shard(of account: UUID) async throws -> Int {
        if let shard = known.shards.withLock({ $0[account] }) { return Int(shard) }
        let shard = try await adding.submit(account)
        known.shards.withLock { $0.insert(Int16(shard), for: account) }
        return shard
    }

    /// The same of many.
    func shards(of accounts: Set<UUID>) async throws -> [UUID: Int] {
        var found: [UUID: Int] = [:]
        known.shards.withLock { known in
            for account in accounts { found[account] = known[account].map { Int($0) } }
        }
        var rest = accounts.filter { found[$0] == nil }.sorted()[...]
        while !rest.isEmpty {
            let more = try await Self.shards(of: Set(rest.prefix(Self.togetherMax)), count, database)
            rest = rest.dropFirst(Self.togetherMax)
            found.merge(more) { $1 }
            known.shards.withLock { known in
                for (account, shard) in more { known.insert(Int16(shard), for: account) }
            }
        }
        return found
    }

    private static func shards(
        of accounts: Set<UUID>, _ count: Int, _ database: Database
    ) async throws -> [UUID: Int] {
        var found = try rows(try await database.run(find(Array(accounts))))
        let new = accounts.filter { found[$0] == nil }.sorted()
        guard !new.isEmpty else { return found }
        let answers = try await database.runBatch([ArrivalStore.lock(new), add(new, count), find(new)])
        found.merge(try rows(answers[2])) { $1 }
        return found
    }

    private static func rows(_ result: ResultSet) throws(PostgresError) -> [UUID: Int] {
        Dictionary(uniqueKeysWithValues: try result.decode(as: UUID.self, Int.self))
    }

    // MARK: Statements

    private static func find(_ accounts: [UUID]) -> SQL {
        "select account_id, shard from directory where account_id = any(\(accounts))"
    }

    /// People must be locked, as those who add them to shard 0 do: whoever was added there while it was the only one stays.
    private static func add(_ accounts: [UUID], _ count: Int) -> SQL {
        """
        insert into directory (account_id, shard)
        select a.account_id, case when exists (select from person where account_id = a.account_id) then 0 else a.shard end
        from unnest(\(accounts), \(accounts.map { Int16(shard(for: $0, count)) })) as a (account_id, shard)
        order by a.account_id
        on conflict (account_id) do nothing
        """
    }

    /// Where new people go: evenly, as a hash of the account says.
    static func shard(for account: UUID, _ count: Int) -> Int {
        Int(((account.high ^ account.low) &* 0x9e37_79b9_7f4a_7c15 >> 32) % UInt64(count))
    }
}
