import HTTP
import JSON
import Postgres
import Primitives
import Security
import Telemetry

/// Limits how often a third party may look people up, and how often it may find nobody or nothing, and records the searches
/// (REQ-02).
///
/// All look-ups together have a limit that leaves room for a company's customers. Misses have one of their own, since who
/// guesses misses: with 60 an hour, somebody who is right once in a thousand times finds one person in 17 hours. Who knows
/// the people already, and so hardly misses, learns at each of them only that the person takes part; the person sees the
/// look-up and, unless nothing is available, a request. A miss is reserved before the look-up and given back when it was
/// none, so that look-ups at the same time do not find out more than those one after the other. A refusal comes before
/// anything is looked up, and so tells nothing of the person.
struct SearchLimit: Sendable {
    let database: Database
    let index: BlindIndex
    /// Of a third party for which the operator has set none.
    let limits: RequesterLimits
    let log: Log

    /// Seconds.
    static let window: Int64 = 3600
    /// Searches further ahead than replicas' clocks differ were made before the clock was set back.
    private static let skewMax = Duration.seconds(60)
    /// A search that is open for longer has broken off, and counts as a miss for good.
    private static let openMax = Duration.seconds(60)

    struct Reservation: Sendable {
        /// The first of those that were asked for: as many as there is room for.
        let attempts: [UUID]
        /// Why there are no more: 429 `too-many-requests`.
        let refusal: Problem?
    }

    /// Counts searches before anything is looked up. Searches of one third party are counted one after the other, so
    /// that concurrent ones do not exceed the limits. Refused ones do not count, so that they do not prolong the
    /// refusal.
    func reserve(_ searched: [String], by requester: UUID, at now: Timestamp) async throws -> Reservation {
        try await database.transaction { transaction in
            try await transaction.execute(
                "select pg_advisory_xact_lock(hashtextextended('search ' || \(requester)::text, 0))")
            let usage = try await usage(of: requester, at: now, in: transaction)
            let count = min(searched.count, usage.room)
            let attempts = (0..<count).map { _ in UUID.timeOrdered(at: now) }
            if count > 0 {
                try await transaction.execute(
                    """
                    insert into search_attempt (id, requester_id, searched, attempted_at)
                    select id, \(requester), searched, \(now)
                    from unnest(\(attempts), \(searched.prefix(count).map { index.index($0) })) s (id, searched)
                    """)
            }
            return Reservation(attempts: attempts, refusal: count < searched.count ? usage.refusal(at: now) : nil)
        }
    }

    /// Tells of searches whether they have missed. One of which this cannot be written counts as a miss.
    func settle(_ outcomes: [(attempt: UUID, isMiss: Bool)]) async {
        guard !outcomes.isEmpty else { return }
        do throws(PostgresError) {
            try await database.execute(
                """
                update search_attempt s set is_miss = o.is_miss
                from unnest(\(outcomes.map(\.attempt)), \(outcomes.map(\.isMiss))) o (id, is_miss) where s.id = o.id
                """)
        } catch {
            log.error("searches count as misses", ["error": Log.text(of: error)])
        }
    }

    /// What a third party has used of its limits in the last hour.
    private struct Usage: Sendable {
        var limits: RequesterLimits
        var searches: Int
        var earliestSearch: Timestamp?
        /// Those that are open among them.
        var misses: Int
        var earliestMiss: Timestamp?
        var open: Int

        var room: Int { max(0, min(limits.searchesMax - searches, limits.missesMax - misses)) }

        func refusal(at now: Timestamp) -> Problem {
            if searches >= limits.searchesMax {
                return refusal("searches", limits.searchesMax, after: earliestSearch, at: now)
            }
            // Those that are open now may turn out to be none.
            let isFull = misses - open >= limits.missesMax
            return refusal("misses", limits.missesMax, after: isFull ? earliestMiss : nil, at: now)
        }

        /// Until the hour after `earliest` is over; a moment without it.
        private func refusal(_ policy: String, _ quota: Int, after earliest: Timestamp?, at now: Timestamp) -> Problem {
            let wait = earliest.map { ($0 + .seconds(SearchLimit.window) - now).components.seconds + 1 } ?? 1
            return .tooManyRequests(
                RateLimit(
                    policy: policy, quota: quota, windowSeconds: Int(SearchLimit.window), remaining: 0,
                    resetSeconds: Int(min(max(1, wait), SearchLimit.window))))
        }
    }

    private func usage(
        of requester: UUID, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) -> Usage {
        let limits = try await RequesterLimits.set(for: requester, in: transaction) ?? limits
        let row = try await transaction.queryOne(
            """
            select count(*), min(attempted_at), count(*) filter (where is_miss is distinct from false),
              min(attempted_at) filter (where is_miss is distinct from false),
              count(*) filter (where is_miss is null and attempted_at > \(now - Self.openMax))
            from search_attempt
            where requester_id = \(requester) and attempted_at > \(now - .seconds(Self.window))
              and attempted_at <= \(now + Self.skewMax)
            """, as: Int64.self, Timestamp?.self, Int64.self, Timestamp?.self, Int64.self)
        guard let row else { throw .usage("searches cannot be counted") }
        return Usage(
            limits: limits, searches: Int(row.0), earliestSearch: row.1, misses: Int(row.2), earliestMiss: row.3,
            open: Int(row.4))
    }
}
