internal import Postgres

/// How connections get lanes.
///
/// A lane is held by a session-level advisory lock, taken once per connection and lost with it; the server releases it
/// only after the connection's last transaction has ended and is visible. So of two events in a lane, the one with the
/// higher position is never visible without the other.
struct Lanes: Sendable {
    private enum Held: SessionStateKey {
        typealias Value = LaneLease
    }

    /// Where a transaction's events go.
    struct Place {
        let lane: Int32
        let first: Int64
    }

    let lanesMax: Int

    /// Room for `count` events in the session's own lane; `nil` when it has none, or no longer enough room in it.
    func take(_ count: Int, in state: SessionState) -> Place? {
        guard var lease = state[Held.self], let first = lease.take(count) else { return nil }
        state[Held.self] = lease
        return Place(lane: lease.lane, first: first)
    }

    /// Acquires the lowest free lane for the session: low numbers are used again, so that cursors stay short. False
    /// when all are taken. A session that has a lane gets the same one with new positions.
    func acquire(_ session: some SQLSession, state: SessionState) async throws(PostgresError) -> Bool {
        let found = try await session.queryOne(
            """
            select lane, nextval('feed_acquisition') from generate_series(0, \(Int32(lanesMax - 1))) as lane
            where pg_try_advisory_lock(\(sql: Self.lockSpace), lane) limit 1
            """, as: Int32.self, Int64.self)
        guard let (lane, acquisition) = found else { return false }
        state[Held.self] = LaneLease(lane: lane, acquisition: acquisition)
        return true
    }

    /// Room in the shared lane, which the transaction then holds until its end.
    func share(_ count: Int, in transaction: Transaction) async throws(PostgresError) -> Place? {
        let results = try await transaction.runBatch(
            [
                "select pg_advisory_xact_lock(\(sql: Self.lockSpace), \(FeedSchema.sharedLane))",
                "select nextval('feed_acquisition')",
            ], deadline: nil)
        guard let acquisition = try results.last?.decodeOne(as: Int64.self) else { return nil }
        var lease = LaneLease(lane: FeedSchema.sharedLane, acquisition: acquisition)
        return lease.take(count).map { Place(lane: lease.lane, first: $0) }
    }

    /// Schemas whose names collide only get other lane numbers.
    private static let lockSpace: SQL = "hashtext('feed lane ' || current_schema())"
}
