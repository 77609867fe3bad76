import HTTP
import Postgres
import Primitives
import Security

/// Limits how often a third party may look people up, whether or not they are found, and records the searches (REQ-02).
struct SearchLimit: Sendable {
    let database: Database
    let index: BlindIndex
    /// Searches of one third party in an hour.
    let searchesMax: Int

    private static let window = Duration.seconds(3600)
    /// Searches further ahead than replicas' clocks differ were made before the clock was set back.
    private static let skewMax = Duration.seconds(60)

    /// Counts a search before anything is looked up. Searches of one third party are counted one after the other, so
    /// that concurrent ones do not exceed the limit. Refused ones do not count, so that they do not prolong the
    /// refusal. Errors: 429 `too-many-requests`.
    func count(_ searched: String, by requester: UUID, at now: Timestamp) async throws {
        let refusedUntil = try await database.transaction { (transaction) -> Timestamp? in
            try await transaction.execute(
                "select pg_advisory_xact_lock(hashtextextended('search ' || \(requester)::text, 0))")
            let before = try await transaction.queryOne(
                """
                select count(*), min(attempted_at) from search_attempt
                where requester_id = \(requester)
                  and attempted_at > \(now - Self.window) and attempted_at <= \(now + Self.skewMax)
                """, as: Int64.self, Timestamp?.self)
            if let (count, earliest) = before, count >= searchesMax { return (earliest ?? now) + Self.window }
            try await transaction.execute(
                """
                insert into search_attempt (id, requester_id, searched, attempted_at)
                values (\(UUID.timeOrdered(at: now)), \(requester), \(index.index(searched)), \(now))
                """)
            return nil
        }
        guard let refusedUntil else { return }
        let seconds = Int((refusedUntil - now).components.seconds) + 1
        throw Problem.tooManyRequests(
            RateLimit(
                policy: "searches", quota: searchesMax, windowSeconds: 3600, remaining: 0,
                resetSeconds: min(max(1, seconds), 3600)))
    }
}
