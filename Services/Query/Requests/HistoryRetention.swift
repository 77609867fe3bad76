import Postgres
import Primitives

/// Deletes searches, entries of the access log and closed requests that are older than the deployment keeps them.
struct HistoryRetention: Sendable {
    let database: Database
    let clock: any WallClock
    /// How long the history of both sides is kept (REQ-11, REQ-12).
    let history: Duration

    /// Searches are kept for so long, to look into guessing (REQ-02).
    static let searches = Duration.seconds(90 * 86_400)
    static let interval = Duration.seconds(3600)
    /// Rows of each kind deleted in one transaction.
    private static let batchMax = 1000

    func deleteOld() async throws {
        let now = clock.now()
        try await delete(
            """
            delete from search_attempt where id in (
              select id from search_attempt where attempted_at < \(now - Self.searches) limit \(Self.batchMax))
            """)
        try await delete(
            """
            delete from access where id in (
              select id from access where last_at < \(now - history) limit \(Self.batchMax))
            """)
        // Together with the last of its log: nothing is delivered for a closed request.
        try await delete(
            """
            delete from request r where id in (
              select id from request where closed_at < \(now - history)
                and not exists (select from access where access.request_id = request.id) limit \(Self.batchMax))
            """)
    }

    /// Deletes batches in transactions of their own until none is left.
    private func delete(_ statement: SQL) async throws {
        while try await database.execute(statement) == Self.batchMax { try Task.checkCancellation() }
    }
}
