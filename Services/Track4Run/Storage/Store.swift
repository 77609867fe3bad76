import Contracts
import Feed
import JSON
import Postgres
import Primitives
import Security
import Service

/// What all parts of this service use: database, columns, clock and log.
struct Store: Sendable {
    let database: Database
    let columns: PersonalColumns
    let clock: any WallClock
    let feeds: FeedProducer
    let notices: NoticeOutbox
    let log: Log

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
