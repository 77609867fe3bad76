internal import Postgres
internal import Primitives

/// The consumer's cursor in its own database, moved by whoever knows its fence.
struct CursorStore: Sendable {
    struct Stored: Sendable {
        var fence: Int64
        var cursor: FeedCursor
        /// A snapshot was begun and is not complete.
        var isSnapshot: Bool
        /// Which replica moved it last.
        var holder: UUID
        var age: Duration
    }

    let feed: String
    let replica: UUID
    let database: Database

    /// The cursor; made when there is none yet.
    func load() async throws(PostgresError) -> Stored {
        let results = try await database.runBatch(
            [
                """
                insert into feed_cursor (feed, fence, epoch, positions, is_snapshot, holder)
                select \(feed), 0, '', '{}', false, \(replica)
                where not exists (select from feed_cursor where feed = \(feed))
                on conflict on constraint feed_cursor_key do nothing
                """,
                """
                select fence, epoch, positions, is_snapshot, holder,
                  extract(epoch from clock_timestamp() - moved_at)::float8
                from feed_cursor where feed = \(feed) order by fence desc limit 1
                """,
            ], deadline: nil)
        let row = try results[1].decodeOne(
            as: Int64.self, String.self, [Int64].self, Bool.self, UUID.self, Double.self)
        guard let row else { throw .usage("the cursor of \(feed) is gone") }
        return Stored(
            fence: row.0, cursor: FeedCursor(epoch: row.1, positions: row.2), isSnapshot: row.3, holder: row.4,
            age: .milliseconds(Int64(max(0, row.5) * 1000)))
    }

    /// The statement that moves the cursor on, and fails the whole transaction when somebody else has.
    func move(_ stored: Stored, to cursor: FeedCursor, isSnapshot: Bool = false) -> SQL {
        "select feed_move(\(feed), \(stored.fence), \(cursor.epoch), \(cursor.positions), \(isSnapshot), \(replica))"
    }

    /// What is stored after that statement's commit.
    func moved(_ stored: Stored, to cursor: FeedCursor, isSnapshot: Bool = false) -> Stored {
        Stored(fence: stored.fence + 1, cursor: cursor, isSnapshot: isSnapshot, holder: replica, age: .zero)
    }
}
