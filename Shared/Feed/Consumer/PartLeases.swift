internal import Postgres
internal import Primitives
internal import Reactor
internal import Synchronization

/// The parts of a feed that a replica holds: they are its own for as long as it says often enough that it is alive. Who is
/// late loses them to others, who change the fences: what it then wants to commit is refused.
final class PartLeases: Sendable {
    /// For so long a replica counts as alive after it has said so; others have taken its parts over within 2 s.
    static let time = Duration.milliseconds(1200)
    /// How often it says so.
    static let interval = Duration.milliseconds(300)
    /// After so long the row of a replica that has gone is deleted.
    private static let forgottenAfter = Duration.seconds(60)

    private let feed: String
    private let replica: UUID
    private let database: Database
    private let appliedByAll = Mutex<FeedCursor?>(nil)

    init(feed: String, replica: UUID, database: Database) {
        self.feed = feed
        self.replica = replica
        self.database = database
    }

    /// What all replicas together had applied, as of the last renewal; `nil` when that is not known.
    var applied: FeedCursor? { appliedByAll.withLock { $0 } }

    /// By this database's clock. A time further ahead than it was ever set was set before the clock was set back.
    private static let isAlive: SQL = """
        alive_until > clock_timestamp() and alive_until <= clock_timestamp() + make_interval(secs => \(time.seconds))
        """

    /// Says that this replica is alive; returns who has which parts.
    func renew() async throws(PostgresError) -> PartShare {
        let results = try await database.runBatch(
            [
                // What a crash takes of it is over soon anyway.
                .commitWithoutWaiting,
                """
                insert into feed_replica as r (feed, replica, alive_until)
                values (\(feed), \(replica), clock_timestamp() + make_interval(secs => \(Self.time.seconds)))
                on conflict on constraint feed_replica_key do update set alive_until = excluded.alive_until
                """,
                "select replica from feed_replica where feed = \(feed) and \(sql: Self.isAlive)",
                "select holder, epoch, positions from feed_cursor where feed = \(feed) order by part",
            ], deadline: .after(Self.time))
        let replicas = Set(try results[2].decode(as: UUID.self)).union([replica])
        let parts = try results[3].decode(as: UUID?.self, String.self, [Int64].self)
        let cursors = parts.map { FeedCursor(epoch: $0.1, positions: $0.2) }
        appliedByAll.withLock { $0 = FeedCursor.least(of: cursors) }
        return PartShare(holders: parts.map { $0.0.flatMap { replicas.contains($0) ? $0 : nil } }, replicas: replicas)
    }

    /// Takes these parts if nobody who is alive has them. The new fences end what their last holders do.
    func claim(_ parts: [Int]) async throws(PostgresError) {
        try await database.batch(
            [
                """
                delete from feed_replica
                where feed = \(feed)
                  and alive_until < clock_timestamp() - make_interval(secs => \(Self.forgottenAfter.seconds))
                """,
                """
                update feed_cursor c set holder = \(replica), fence = c.fence + 1
                where c.feed = \(feed) and c.part = any(\(parts.map { Int16($0) }))
                  and not exists (
                    select from feed_replica r where r.feed = c.feed and r.replica = c.holder and \(sql: Self.isAlive))
                """,
            ], deadline: .after(Self.time))
    }

    /// Gives parts back, for others.
    func release(_ parts: [Int]) async throws(PostgresError) {
        try await database.execute(
            """
            update feed_cursor set holder = null, fence = fence + 1
            where feed = \(feed) and holder = \(replica) and part = any(\(parts.map { Int16($0) }))
            """, deadline: .after(Self.time))
    }

    /// Gives everything back.
    func leave() async throws(PostgresError) {
        try await database.batch(
            [
                "update feed_cursor set holder = null, fence = fence + 1 where feed = \(feed) and holder = \(replica)",
                "delete from feed_replica where feed = \(feed) and replica = \(replica)",
            ], deadline: .after(Self.time))
    }
}
