import Contracts
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service

/// What all parts of this service use: database, keys, clock and log.
struct Store: Sendable {
    let database: Database
    /// A key for each person of whom something is sealed here.
    let keys: SubjectKeys
    let clock: any WallClock
    let feeds: FeedProducer
    let notices: NoticeOutbox
    let log: Log

    /// The key of who does something here, made if there is none. Errors: 404 for an account that is erased, `KeyMissing`, the key
    /// store's.
    func key(of account: UUID) async throws -> SubjectKey {
        guard let key = try await keys.key(of: account) else { throw Problem.notFound }
        return key
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

    /// An identifier derived from names, so that doing something again has no further effect.
    static func identifier(_ run: UUID, _ words: String...) -> UUID {
        .named(Array(words.joined(separator: "/").utf8), in: run)
    }
}
