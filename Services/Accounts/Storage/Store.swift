import Feed
import Postgres
import Primitives
import Reactor
import Service

/// What all parts of this service use: database, columns, clock and feeds.
struct Store: Sendable {
    let database: Database
    let columns: PersonalColumns
    let clock: any WallClock
    let feeds: FeedProducer
    let unreadable: UnreadableRows
    /// Raised when mail was put into the outbox.
    let mailArrived: EventCounter
    /// Raised when a push message was put into the outbox.
    let pushArrived: EventCounter

    func now() -> Timestamp { clock.now() }

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
