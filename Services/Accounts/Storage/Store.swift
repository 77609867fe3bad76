import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import Telemetry

/// What all parts of this service use: database, keys, columns, clock and feeds.
struct Store: Sendable {
    let database: Database
    /// A key for each account, made with it and destroyed after it.
    let keys: SubjectKeys
    let columns: PersonalColumns
    let clock: any WallClock
    let feeds: FeedProducer
    let unreadable: UnreadableRows
    let log: Log
    /// Raised when mail was put into the outbox.
    let mailArrived: EventCounter
    /// Raised when a push message was put into the outbox.
    let pushArrived: EventCounter

    func now() -> Timestamp { clock.now() }

    /// The key of an account that there is. Errors: `Refusal.notFound` for one that is being erased, `KeyMissing`, the key store's.
    func key(of account: UUID) async throws -> SubjectKey {
        guard let key = try await keys.existingKey(of: account) else { throw Refusal.notFound }
        return key
    }

    /// The keys of these accounts, by one question. Errors: the key store's.
    func keys(of accounts: some Sequence<UUID>) async throws -> SubjectKeySet {
        try await keys.keySet(of: accounts)
    }

    /// Runs `body`, which stores new accounts, with their keys: one question for all. What it refuses leaves no keys.
    func withNewKeys<Value>(
        for accounts: [UUID], _ body: (SubjectKeySet) async throws -> Value
    ) async throws -> Value {
        let made = try await keys.make(for: accounts)
        do { return try await body(made) } catch {
            // Only where it is certain that nothing was stored with them; what stays otherwise opens nothing.
            if error is Refusal || (error as? PostgresError)?.isOfOneRow == true { await discardKeys(of: accounts) }
            throw error
        }
    }

    private func discardKeys(of accounts: [UUID]) async {
        do throws(PostgresError) { try await keys.discard(accounts) } catch {
            log.info("keys of accounts that were refused are left", ["error": Log.text(of: error)])
        }
    }

    /// Runs a transaction and throws the errors of its body.
    func transaction<Value: Sendable>(
        _ body: @Sendable (Transaction) async throws -> Value
    ) async throws -> Value {
        do throws(TransactionError) {
            return try await database.transaction(body)
        } catch {
            throw error.underlying
        }
    }

    /// Counts a change of the account or of what belongs to it, and locks the account for the rest of the transaction.
    /// `nil`: no such account.
    static func nextVersion(of account: UUID, in session: some SQLSession) async throws(PostgresError) -> Int64? {
        try await session.queryOne(
            "update account set version = version + 1 where id = \(account) returning version", as: Int64.self)
    }

    /// Holds the account's row until the end of the transaction, so that what concerns its password comes one after the other.
    static func lock(_ account: UUID, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute("select from account where id = \(account) for update")
    }

    /// As `nextVersion`, for an account that is known to exist.
    static func requiredVersion(of account: UUID, in session: some SQLSession) async throws -> Int64 {
        guard let version = try await nextVersion(of: account, in: session) else { throw Refusal.notFound }
        return version
    }
}
