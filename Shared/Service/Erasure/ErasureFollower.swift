public import Contracts
import Domain
public import Feed
import JSON
public import Postgres
public import Primitives
public import RPC
import Reactor

/// Follows `accounts.erasures`: does the service's part of each erasure once, in one transaction with the note of it, then destroys the
/// account's key, and reports it to accounts until that has taken the report. Keys are destroyed until it is done: what is not reported
/// has its key destroyed before it is, also by who comes after a crash.
///
/// What was on its way while the account was erased (a request whose token was still good, a neighbour's late event) is erased by
/// a second pass. Whoever was restored from a backup is behind in the feed, or gets its snapshot, and lacks the notes: it erases
/// again.
public struct ErasureFollower: FeedHandler {
    /// How long after the first pass the second one is: longer than an access token lives, and than a neighbour's queue
    /// is usually behind.
    public static let sweepPause = Duration.seconds(20 * 60)
    /// Erasures in one transaction: each may delete much.
    public static let batchMax = 10
    private static let catchUpInterval = Duration.seconds(1)

    let part: any ErasurePart
    let database: Database
    let clock: any WallClock
    let reports: ErasureReports
    private let restored: RestoredDatabase

    /// `database` has the tables of `ErasureSchema.follower`, `AuditSchema.people` and `FeedSchema.consumer`; `keys` are those of the
    /// service's people.
    public init<Settings>(
        _ part: any ErasurePart, _ context: ServiceContext<Settings>, in database: Database, keys: SubjectKeys? = nil
    ) {
        self.part = part
        self.database = database
        clock = context.clock
        reports = ErasureReports(
            database: database, accounts: context.peers[ServiceName.accounts.rawValue], keys: keys,
            clock: context.clock, log: context.log)
        restored = RestoredDatabase(database, context.withholding, log: context.log)
    }

    private static var settings: FeedConsumerSettings {
        var settings = FeedConsumerSettings()
        settings.batchMax = batchMax
        return settings
    }

    /// Follows the feed into the follower's database.
    public func consumer<Settings>(_ context: ServiceContext<Settings>) -> FeedConsumer {
        context.consumer(
            of: Accounts.erasuresFeed, from: .accounts, into: database, handler: self, settings: Self.settings)
    }

    /// Adds what follows the feed, reports, erases a second time, and withholds what came back with a backup.
    public func add(to parts: inout ServiceParts, following consumer: FeedConsumer, pacing: any Pacing) {
        parts.tasks.append(BackgroundTask("erasures") { await consumer.run() })
        add(to: &parts, isThere: true, pacing: pacing)
    }

    /// The same beside the consumer; `isThere` says whether the database is when the service starts.
    public func add(to parts: inout ServiceParts, isThere: Bool, pacing: any Pacing) {
        let restored = restored
        if isThere { parts.beforeServing.append { try await restored.look() } }
        parts.readiness.append(ReadinessCheck("erasures", isRequired: false) { restored.behind == nil })
        parts.tasks += [
            reports.task,
            .periodic("erasure-sweeps", every: .seconds(60), pacing: pacing) {
                while try await sweep() { try Task.checkCancellation() }
            },
            BackgroundTask("erasures after a restore") {
                try await restored.look()
                while let time = restored.behind {
                    if try await FeedConsumer.hasCaughtUp(with: Accounts.erasuresFeed, within: time, in: database) {
                        return try await restored.settle()
                    }
                    try await pacing.pause(Self.catchUpInterval)
                }
            },
        ]
    }

    /// Answers accounts, which asks after it was restored itself.
    public func answer<Method: KnownErasuresMethod>(_ method: Method.Type, in router: inout RPCRouter) {
        router.register(method, allow: [ServiceName.accounts.rawValue]) { params, _ in
            let rows = try await database.query(
                """
                select id, account, kind, scope, requested_at from erasure
                where id > \(params.after ?? UUID(high: 0, low: 0)) order by id limit \(KnownErasures.pageMax)
                """, as: UUID.self, UUID.self, String.self, String.self, Timestamp.self)
            let erasures = rows.compactMap { Self.erasure($0.0, $0.1, $0.2, $0.3, $0.4) }
            return KnownErasures.Page(
                erasures: erasures, next: rows.count == KnownErasures.pageMax ? rows.last?.0 : nil)
        }
    }

    private static func erasure(
        _ id: UUID, _ account: UUID, _ kind: String, _ scope: String, _ requestedAt: Timestamp
    ) -> Accounts.Erasure? {
        guard let kind = AccountKind(rawValue: kind), let scope = Accounts.Erasure.Scope(rawValue: scope) else {
            return nil
        }
        return Accounts.Erasure(
            erasureID: id, accountID: account, kind: kind, scope: scope, requestedAt: requestedAt)
    }

    // MARK: The feed

    public func apply(_ records: [FeedRecord]) async throws -> FeedEffect {
        let erasures = try records.filter { $0.kind == Accounts.erasureKind }.map {
            try JSONDecoder().decode(Accounts.Erasure.self, from: $0.payload.bytes)
        }
        // Told again: accounts lacks the report, perhaps since it was restored and had the account again for a while.
        return effect(erasures, isAskedAgain: true)
    }

    public func apply(snapshot entities: [FeedEntity]) async throws -> FeedEffect {
        let erasures = try entities.filter { $0.kind == Accounts.erasureKind }.map {
            try JSONDecoder().decode(Accounts.Erasure.self, from: $0.payload.bytes)
        }
        return effect(erasures, isAskedAgain: false)
    }

    /// Nothing comes back by being absent from a snapshot.
    public func beginSnapshot() -> FeedEffect { .none }
    public func endSnapshot() -> FeedEffect { .none }

    public func committed(_ records: [FeedRecord]) async {
        let erasures = records.compactMap { try? JSONDecoder().decode(Accounts.Erasure.self, from: $0.payload.bytes) }
        await part.erased(erasures)
        await reports.tryToDestroyKeys(of: erasures.filter { $0.scope == .account }.map(\.accountID))
        reports.wake()
    }

    private func effect(_ erasures: [Accounts.Erasure], isAskedAgain: Bool) -> FeedEffect {
        guard !erasures.isEmpty else { return .none }
        return .transaction { transaction in
            let known = Set(
                try await transaction.query(
                    "select id from erasure where id = any(\(erasures.map(\.erasureID)))", as: UUID.self))
            if isAskedAgain, !known.isEmpty {
                try await transaction.execute(
                    """
                    update erasure set reported_at = null, due_at = '-infinity', swept_at = null
                    where id = any(\(Array(known)))
                    """)
            }
            // In the same order everywhere.
            let new = erasures.filter { !known.contains($0.erasureID) }.sorted { $0.erasureID < $1.erasureID }
            try await part.lock(new, in: transaction)
            for erasure in new { try await self.erase(erasure, in: transaction) }
        }
    }

    private func erase(_ erasure: Accounts.Erasure, in transaction: Transaction) async throws {
        // First, so that who looks for it sees it as soon as something is gone.
        let isNew =
            try await transaction.execute(
                """
                insert into erasure (id, account, kind, scope, requested_at, items, erased_at)
                values (\(erasure.erasureID), \(erasure.accountID), \(erasure.kind.rawValue), \(erasure.scope.rawValue),
                  \(erasure.requestedAt), '[]', \(clock.now()))
                on conflict on constraint erasure_key do nothing
                """) == 1
        guard isNew else { return }
        let erased = try await part.erase(erasure, in: transaction)
        try await forgetPseudonym(of: erasure, in: transaction)
        let text = String(decoding: try JSONEncoder().encode(erased), as: UTF8.self)
        try await transaction.execute("update erasure set items = \(text) where id = \(erasure.erasureID)")
    }

    /// What the audit trail says of the account names nobody from now on.
    private func forgetPseudonym(
        of erasure: Accounts.Erasure, in transaction: Transaction
    ) async throws(PostgresError) {
        guard erasure.scope == .account else { return }
        try await transaction.execute("delete from audit_person where account = \(erasure.accountID)")
    }

    /// Destroys the keys of accounts whose erasure is not reported, and sends the reports that are due.
    public func report(at now: Timestamp) async throws { try await reports.report(at: now) }

    // MARK: The second pass

    /// Erases once more what an erasure has left, if one is due; whether it may be called again at once.
    public func sweep() async throws -> Bool {
        let now = clock.now()
        let swept = try await swept(at: now)
        if let swept { await part.erased([swept]) }
        return swept != nil
    }

    private func swept(at now: Timestamp) async throws -> Accounts.Erasure? {
        do throws(TransactionError) {
            return try await database.transaction { transaction -> Accounts.Erasure? in
                let row = try await transaction.queryOne(
                    """
                    select id, account, kind, scope, requested_at from erasure
                    where swept_at is null and erased_at < \(now - Self.sweepPause)
                    order by erased_at limit 1 for update skip locked
                    """, as: UUID.self, UUID.self, String.self, String.self, Timestamp.self)
                guard let (id, account, kind, scope, requestedAt) = row else { return nil }
                try await transaction.execute("update erasure set swept_at = \(now) where id = \(id)")
                guard let erasure = Self.erasure(id, account, kind, scope, requestedAt) else { return nil }
                // What is collected after an erasure of what was collected stays.
                guard erasure.scope == .account else { return erasure }
                try await part.lock([erasure], in: transaction)
                _ = try await part.erase(erasure, in: transaction)
                try await forgetPseudonym(of: erasure, in: transaction)
                return erasure
            }
        } catch { throw error.underlying }
    }
}
