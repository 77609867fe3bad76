internal import Postgres
internal import Primitives
internal import Reactor

/// The cursors of a feed's parts in the consumer's database; a replica moves them with the fences that it has read.
struct CursorStore: Sendable {
    let feed: String
    let replica: UUID
    let database: Database

    /// What the feed of a shard is called here.
    static func name(of topic: String, shard: Int) -> String { shard == 0 ? topic : "\(topic)/\(shard)" }

    // MARK: Reading

    /// What this replica follows: the whole of a feed that is not divided (whose cursor is made when there is none yet),
    /// otherwise the parts that it holds.
    func load(isDivided: Bool) async throws(PostgresError) -> Following {
        if !isDivided { try await make(1) }
        let holds: SQL = isDivided ? "and holder = \(replica)" : ""
        let results = try await database.runBatch(
            [
                "select count(*) from feed_cursor where feed = \(feed)",
                """
                select part, fence, epoch, positions, is_snapshot, holder,
                  extract(epoch from clock_timestamp() - moved_at)::float8 as age
                from feed_cursor where feed = \(feed) \(sql: holds) order by part
                """,
            ], deadline: nil)
        var following = Following(count: try results[0].decodeOne(as: Int.self) ?? 0)
        for row in results[1].rows {
            following.parts[try row["part"]] = Following.Part(
                fence: try row["fence"],
                cursor: FeedCursor(epoch: try row["epoch"], positions: try row["positions"]),
                isSnapshot: try row["is_snapshot"], holder: try row["holder"], age: Self.age(try row["age"]))
        }
        guard isDivided || following.parts.count == 1 else { throw .usage("\(feed) has been divided into parts") }
        following.cursor = following.least ?? .none
        return following
    }

    /// Makes the cursors of so many parts when there are none yet: the number stays what it was at first.
    func make(_ count: Int) async throws(PostgresError) {
        let isThere = try await database.queryOne(
            "select exists (select from feed_cursor where feed = \(feed))", as: Bool.self)
        guard isThere == false else { return }
        try await database.batch([
            "select pg_advisory_xact_lock(hashtext('feed cursor ' || current_schema()), hashtext(\(feed)))",
            """
            insert into feed_cursor (feed, part, fence, epoch, positions, is_snapshot)
            select \(feed), part, 0, '', '{}', false from generate_series(0, \(Int32(count - 1))) as part
            where not exists (select from feed_cursor where feed = \(feed))
            """,
        ])
    }

    /// Unknown when it lies before its own beginning: the clock has been set back since.
    private static func age(_ seconds: Double) -> Duration? { seconds < -1 ? nil : .seconds(max(0, seconds)) }

    /// The stored progress of all of a producer's shards that are followed, whichever replicas have made it.
    static func progress(
        of topic: String, in database: Database, deadline: Deadline?
    ) async throws(PostgresError) -> FeedProgress {
        let parts = try await database.query(
            """
            select settled_until, extract(epoch from clock_timestamp() - settled_at)::float8
            from feed_cursor where split_part(feed, '/', 1) = \(topic)
            """, as: Timestamp?.self, Double?.self, deadline: deadline)
        return FeedProgress(least: parts.map { FeedProgress(appliedUntil: $0, age: $1.flatMap(age)) })
    }

    /// How many shards of a producer any replica has begun to follow.
    static func shards(of topic: String, in database: Database) async throws(PostgresError) -> Int {
        try await database.queryOne(
            "select count(distinct feed) from feed_cursor where split_part(feed, '/', 1) = \(topic)", as: Int.self) ?? 0
    }

    // MARK: Moving

    /// The statements that move the cursors of parts, and make the whole transaction fail when another replica has moved
    /// one of them. Parts that are further already, of the same epoch, stay there in the lanes that they are further in.
    /// Without a newer `settled` the stored one stays.
    func move(
        _ parts: Set<Int>, of following: Following, to cursor: FeedCursor, isSnapshot: Bool = false,
        settled: FeedSettled? = nil
    ) -> [SQL] {
        // In the same order everywhere, so that replicas do not deadlock.
        let targets = Dictionary(grouping: parts.sorted()) { following.target($0, for: cursor) }
            .sorted { $0.value[0] < $1.value[0] }
        return targets.map { target, parts in
            let fences = parts.map { following.parts[$0]?.fence ?? -1 }
            return """
                select feed_move(\(feed), \(parts.map { Int16($0) }), \(fences), \(target.epoch), \(target.positions),
                  \(isSnapshot), \(replica), \(settled?.until), \(settled?.age.seconds))
                """
        }
    }

    /// The statement that makes the whole transaction fail when another replica has the parts, and moves none.
    func hold(_ following: Following) -> SQL {
        let parts = following.parts.keys.sorted()
        return """
            select feed_hold(\(feed), \(parts.map { Int16($0) }), \(parts.map { following.parts[$0]?.fence ?? -1 }))
            """
    }

    /// Stores a newer `settled` for the same cursors. No effect on those that another replica has moved.
    func settle(_ following: Following, _ settled: FeedSettled) -> SQL {
        let parts = following.parts.keys.sorted()
        return """
            update feed_cursor c set settled_until = \(settled.until),
              settled_at = clock_timestamp() - make_interval(secs => \(settled.age.seconds))
            from unnest(\(parts.map { Int16($0) }), \(parts.map { following.parts[$0]?.fence ?? -1 })) as p (part, fence)
            where c.feed = \(feed) and c.part = p.part and c.fence = p.fence
            """
    }
}
