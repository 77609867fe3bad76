internal import Postgres
internal import Primitives
internal import Reactor

/// The consumer's cursor in its own database; a replica moves it with the fence that it has read.
struct CursorStore: Sendable {
    struct Stored: Sendable {
        var fence: Int64
        var cursor: FeedCursor
        /// Whether a snapshot was begun and is not complete.
        var isSnapshot: Bool
        /// The replica that moved it last.
        var holder: UUID
        /// Since it was moved; `nil` when the database's clock has been set back since.
        var age: Duration?
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
                  extract(epoch from clock_timestamp() - moved_at)::float8 as age
                from feed_cursor where feed = \(feed) order by fence desc limit 1
                """,
            ], deadline: nil)
        guard let row = try results[1].onlyRow() else { throw .usage("the cursor of \(feed) is gone") }
        return Stored(
            fence: try row["fence"], cursor: FeedCursor(epoch: try row["epoch"], positions: try row["positions"]),
            isSnapshot: try row["is_snapshot"], holder: try row["holder"], age: Self.age(try row["age"]))
    }

    /// Unknown when it lies before its own beginning: the clock has been set back since.
    private static func age(_ seconds: Double) -> Duration? { seconds < -1 ? nil : .seconds(max(0, seconds)) }

    /// The stored progress, whichever replica has made it.
    func progress(deadline: Deadline?) async throws(PostgresError) -> FeedProgress {
        let stored = try await database.queryOne(
            """
            select settled_until, extract(epoch from clock_timestamp() - settled_at)::float8 as age
            from feed_cursor where feed = \(feed) order by fence desc limit 1
            """, deadline: deadline
        ) { row throws(PostgresError) in
            let age: Double? = try row["age"]
            return FeedProgress(appliedUntil: try row["settled_until"], age: age.flatMap(Self.age))
        }
        return stored ?? .unknown
    }

    /// The statement that moves the cursor, and makes the whole transaction fail when another replica has moved it.
    /// Without a newer `settled` the stored one stays.
    func move(_ stored: Stored, to cursor: FeedCursor, isSnapshot: Bool = false, settled: FeedSettled? = nil) -> SQL {
        """
        select feed_move(\(feed), \(stored.fence), \(cursor.epoch), \(cursor.positions), \(isSnapshot), \(replica),
          \(settled?.until), \(settled?.age.seconds))
        """
    }

    /// Stores a newer `settled` for the same cursor. No effect when another replica has moved it.
    func settle(_ stored: Stored, _ settled: FeedSettled) -> SQL {
        """
        update feed_cursor set settled_until = \(settled.until),
          settled_at = clock_timestamp() - make_interval(secs => \(settled.age.seconds))
        where feed = \(feed) and fence = \(stored.fence)
        """
    }

    /// What is stored after that statement's commit.
    func moved(_ stored: Stored, to cursor: FeedCursor, isSnapshot: Bool = false) -> Stored {
        Stored(fence: stored.fence + 1, cursor: cursor, isSnapshot: isSnapshot, holder: replica, age: .zero)
    }
}
