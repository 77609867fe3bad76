import HTTP
import Postgres
import Primitives
import Security

/// Limits how often a third party may search for people and find nobody, and keeps what it searched for (REQ-02).
struct SearchLimit: Sendable {
    let database: Database
    let index: BlindIndex
    /// Searches without a result in an hour.
    let missesMax: Int

    private static let window = Duration.seconds(3600)

    /// Counts the search until it has succeeded, so that searches at the same time do not get past the limit.
    /// Errors: 429 `too-many-requests`.
    func begin(_ searched: String, by requester: UUID, at now: Timestamp) async throws -> UUID {
        let id = UUID.timeOrdered(at: now)
        let misses =
            try await database.runBatch(
                [
                    """
                    insert into search_attempt (id, requester_id, searched, attempted_at)
                    values (\(id), \(requester), \(index.index(searched)), \(now))
                    """,
                    """
                    select count(*) from search_attempt
                    where requester_id = \(requester) and attempted_at > \(now - Self.window) and id <> \(id)
                    """,
                ], deadline: nil)[1].decodeOne(as: Int64.self) ?? 0
        guard misses < missesMax else {
            // Refused searches do not prolong the refusal.
            try await succeeded(id)
            throw Problem.tooManyRequests(
                RateLimit(policy: "searches", quota: missesMax, windowSeconds: 3600, remaining: 0, resetSeconds: 3600))
        }
        return id
    }

    /// The search is over and did not miss.
    func succeeded(_ id: UUID) async throws(PostgresError) {
        try await database.execute("delete from search_attempt where id = \(id)")
    }
}
