import HTTP
import Postgres
import Primitives

/// How often one third party may ask one person anew: each request is a message and a mail to somebody who cannot keep it from
/// coming, and one that is taken back makes room for the next (REQ-04, REQ-09).
enum AskingLimit {
    /// In 24 hours.
    static let requestsMax = 20
    private static let window = Duration.seconds(86_400)

    /// Errors: 429 `too-many-requests`. Requests that are made at the same time may exceed it by as many as there are.
    static func check(
        _ requester: UUID, asking individual: UUID, at now: Timestamp, in session: some SQLSession
    ) async throws {
        let times = try await session.query(
            """
            select created_at from request
            where individual_id = \(individual) and created_at > \(now - window) and requester_id = \(requester) and run_id is null
            order by created_at desc limit \(Int64(requestsMax))
            """, as: Timestamp.self)
        guard times.count == requestsMax, let earliest = times.last else { return }
        let wait = (earliest + window - now).components.seconds + 1
        let seconds = Int(window.components.seconds)
        throw Problem.tooManyRequests(
            RateLimit(
                policy: "requests-of-a-person", quota: requestsMax, windowSeconds: seconds, remaining: 0,
                resetSeconds: min(max(1, Int(wait)), seconds)))
    }
}
