internal import Postgres
internal import Reactor

/// Turns the ring of segments and empties those that everybody has passed.
struct SegmentRing: Sendable {
    struct Turn: Sendable {
        /// The segment to write to.
        let segment: Int
        /// Set when the ring should have been turned but the next segment is still needed.
        let fullBytes: Int?
    }

    private let database: Database
    private let settings: FeedSettings
    /// The names of all feeds, and the first of their streams.
    private let feeds: [String]
    private let bases: [Int32]
    /// Feed, its first stream, and consumer, side by side.
    private let durableFeeds: [String]
    private let durableBases: [Int32]
    private let durableConsumers: [String]
    /// Per segment: failed attempts to lock it, and when to try again.
    private var failures = [Int](repeating: 0, count: FeedSchema.segmentCount)
    private var retryTimes = [Deadline](repeating: .now(), count: FeedSchema.segmentCount)

    init(database: Database, settings: FeedSettings, feeds: [FeedDefinition]) {
        self.database = database
        self.settings = settings
        self.feeds = feeds.map(\.name)
        bases = self.feeds.map { FeedStream.base(of: $0) }
        let durable = feeds.flatMap { feed in feed.durable.map { (feed.name, $0) } }
        durableFeeds = durable.map { $0.0 }
        durableBases = durableFeeds.map { FeedStream.base(of: $0) }
        durableConsumers = durable.map { $0.1 }
    }

    /// Makes the next segment the current one when the current one is full or old and the next is empty. Several
    /// replicas may try: the condition holds for one of them.
    func turn() async throws(PostgresError) -> Turn {
        let sizes: [SQL] = (0..<FeedSchema.segmentCount).map {
            "pg_total_relation_size('feed_event_\(raw: String($0))')"
        }
        guard
            let (current, age, first, second, third, fourth) = try await database.queryOne(
                """
                select segment, extract(epoch from clock_timestamp() - segment_since)::float8, \(sql: sizes[0]),
                  \(sql: sizes[1]), \(sql: sizes[2]), \(sql: sizes[3])
                from feed_state
                """, as: Int16.self, Double.self, Int.self, Int.self, Int.self, Int.self)
        else { throw .usage("feed_state is empty") }
        let bytes = [first, second, third, fourth].map { max(0, $0 - Self.emptyBytes) }
        let segment = Int(current)
        let isFull = bytes[segment] >= settings.segmentBytesMax
        let isOld = bytes[segment] > 0 && age >= settings.segmentTime.seconds
        guard isFull || isOld else { return Turn(segment: segment, fullBytes: nil) }
        let next = (segment + 1) % FeedSchema.segmentCount
        guard bytes[next] == 0 else {
            return Turn(segment: segment, fullBytes: isFull ? bytes.reduce(0, +) : nil)
        }
        try await database.execute(
            """
            update feed_state set segment = \(Int16(next)), segment_since = clock_timestamp() where segment = \(current)
            """)
        return Turn(segment: next, fullBytes: nil)
    }

    /// An empty segment has the first page of its index, and of the index of its large values.
    private static let emptyBytes = 16_384

    /// Empties the closed segments that all durable consumers have passed. One that is in use by an open transaction is
    /// left for later; the others do not wait for it.
    mutating func trim(except current: Int) async throws(PostgresError) {
        for segment in 0..<FeedSchema.segmentCount where segment != current && retryTimes[segment].hasPassed {
            guard try await isPassed(segment, in: database) else { continue }
            do throws(TransactionError) {
                try await truncate(segment)
                failures[segment] = 0
            } catch {
                guard error.postgres?.sqlState == .lockNotAvailable else {
                    throw error.postgres ?? .usage(error.debugDescription)
                }
                failures[segment] += 1
                let pause = min(settings.upkeepInterval * (1 << min(failures[segment], 6)), .seconds(60))
                retryTimes[segment] = .after(pause)
            }
        }
    }

    /// The floors are in place when the segment is empty, for a reader whose cursor is older.
    private func truncate(_ segment: Int) async throws(TransactionError) {
        let milliseconds = max(1, settings.trimLockTime.seconds * 1000)
        try await database.transaction(retriesMax: 0) { transaction in
            try await transaction.batch([
                "select set_config('lock_timeout', \("\(Int(milliseconds))ms"), true)",
                "lock table feed_event_\(raw: String(segment)) in access exclusive mode",
            ])
            // Only now can nothing more come into it.
            guard try await isPassed(segment, in: transaction) else { return }
            try await transaction.batch([
                """
                \(sql: ends(segment))
                insert into feed_floor as f (feed, lane, position)
                select n.feed, e.stream - n.base, e.position from ends e
                join unnest(\(feeds), \(bases)) as n (feed, base) on n.base = e.stream - e.stream % 128
                on conflict on constraint feed_floor_key do update set position = greatest(f.position, excluded.position)
                """,
                "update feed_state set trims = trims + 1",
                "truncate feed_event_\(raw: String(segment))",
            ])
        }
    }

    /// Whether the segment has something, and nothing that a durable consumer has not committed.
    private func isPassed(_ segment: Int, in session: some SQLSession) async throws(PostgresError) -> Bool {
        try await session.queryOne(
            """
            \(sql: ends(segment))
            select exists (select from ends) and not exists (
              select from ends e
              join unnest(\(durableFeeds), \(durableBases), \(durableConsumers)) as d (feed, base, consumer)
                on d.base = e.stream - e.stream % 128
              left join feed_consumer c on c.feed = d.feed and c.consumer = d.consumer and c.lane = e.stream - d.base
              where coalesce(c.position, 0) < e.position)
            """, as: Bool.self) ?? false
    }

    /// `with ends`: the last position of each stream in a segment, by going from one to the next in the index.
    private func ends(_ segment: Int) -> SQL {
        let table: SQL = "feed_event_\(raw: String(segment))"
        return """
            with recursive streams as (
              (select stream from \(sql: table) order by stream limit 1)
              union all
              select n.stream from streams s cross join lateral (
                select stream from \(sql: table) where stream > s.stream order by stream limit 1) n),
            ends as (
              select s.stream, e.position from streams s cross join lateral (
                select position from \(sql: table) where stream = s.stream order by position desc limit 1) e)
            """
    }

    /// For people: which feed the numbers belong to.
    func name() async throws(PostgresError) {
        try await database.execute(
            """
            insert into feed_stream (base, feed) select * from unnest(\(bases), \(feeds)) on conflict do nothing
            """)
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
