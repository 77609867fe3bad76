import Postgres
import Primitives

/// How many people a third party may look up in an hour (REQ-02).
struct RequesterLimits: Sendable, Equatable {
    static let allowed = 1...100_000

    /// Whatever they find.
    var searchesMax: Int
    /// Those that find nobody, or nothing of what was asked for.
    var missesMax: Int

    /// Those that the operator has set; `nil` when the third party has the deployment's.
    static func set(for requester: UUID, in session: some SQLSession) async throws(PostgresError) -> RequesterLimits? {
        try await session.queryOne(
            "select searches_max, misses_max from requester_limit where requester_id = \(requester)",
            as: Int32.self, Int32.self
        ).map { RequesterLimits(searchesMax: Int($0.0), missesMax: Int($0.1)) }
    }
}
