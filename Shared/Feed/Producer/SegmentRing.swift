internal import Postgres
internal import Reactor

/// Turns the ring of a feed's segments, and empties segments that all consumers have passed, or that exceed the feed's
/// caps.
struct SegmentRing: Sendable {
    /// The result of a round.
    struct Trimmed: Sendable {
        var bytes = 0
        /// Age of the oldest event that is kept.
        var oldestAge = Duration.zero
        /// Consumers that are no longer waited for.
        var passedOver: Set<String> = []
    }

    /// A segment that has events.
    private struct Content {
        /// Time since its oldest and its newest event were recorded.
        let oldestAge: Duration
        let newestAge: Duration
        /// Consumers that lack some of it. A consumer that lacks events which are gone already needs a snapshot anyway,
        /// and is not waited for until it has begun one.
        let laggards: Set<String>
    }

    let feed: FeedTables
    private let database: Database
    private let settings: FeedSettings
    let consumers: [String]
    private let bytesMax: Int
    private let ageMax: Duration
    private var current = 0
    /// Bytes by segment, as of the last look.
    private var bytes = [Int](repeating: 0, count: FeedSchema.segmentCount)
    /// By segment: failed attempts to lock it, and the time of the next one.
    private var failures = [Int](repeating: 0, count: FeedSchema.segmentCount)
    private var retryTimes = [Deadline](repeating: .now(), count: FeedSchema.segmentCount)

    init(database: Database, settings: FeedSettings, feed: FeedTables, retention: FeedRetention) {
        self.database = database
        self.settings = settings
        self.feed = feed
        consumers = (retention.consumers ?? []).sorted()
        bytesMax = retention.bytesMax
        ageMax = .seconds(retention.ageMaxSeconds)
    }

    // MARK: Turning

    /// Makes the next segment the current one when the current one is full or old and the next is empty; returns the
    /// segment to write to. Several replicas may try: the condition holds for one of them.
    mutating func turn() async throws(PostgresError) -> Int {
        let sizes = feed.segments.map { "pg_total_relation_size('\($0)')" }.joined(separator: ", ")
        let found = try await database.queryOne(
            """
            select segment, extract(epoch from clock_timestamp() - segment_since)::float8 as age,
              array[\(raw: sizes)] as bytes
            from feed_ring where feed = \(feed.feed)
            """
        ) { row throws(PostgresError) in
            (try row["segment"] as Int, try row["age"] as Double, try row["bytes"] as [Int])
        }
        guard let (segment, age, sizes) = found else { throw .usage("the schema has no feed \(feed.feed)") }
        current = segment
        bytes = sizes.map { max(0, $0 - Self.emptyBytes) }
        let isFull = bytes[current] >= min(settings.segmentBytesMax, bytesMax / FeedSchema.segmentCount)
        let isOld = bytes[current] > 0 && age >= segmentTime.seconds
        let next = (current + 1) % FeedSchema.segmentCount
        guard isFull || isOld, bytes[next] == 0 else { return current }
        try await database.execute(
            """
            update feed_ring set segment = \(Int16(next)), segment_since = clock_timestamp()
            where feed = \(feed.feed) and segment = \(Int16(current))
            """)
        current = next
        return next
    }

    /// An empty segment has the first page of its index, and of the index of its large values.
    private static let emptyBytes = 16_384

    /// How long a segment is written to. While a consumer is behind, long enough that the ring covers the time for
    /// which events are kept.
    private var segmentTime: Duration {
        let isAlone = bytes.indices.allSatisfy { $0 == current || bytes[$0] == 0 }
        return isAlone ? settings.segmentTime : max(settings.segmentTime, ageMax / (FeedSchema.segmentCount - 1))
    }

    // MARK: Trimming

    /// Empties the closed segments that are no longer needed, oldest first. One that is in use by an open transaction is
    /// left for later; the others do not wait for it.
    mutating func trim() async throws(PostgresError) -> Trimmed {
        var trimmed = Trimmed(bytes: bytes.reduce(0, +))
        var isOldest = true
        for step in 1...FeedSchema.segmentCount {
            let segment = (current + step) % FeedSchema.segmentCount
            guard bytes[segment] > 0, let content = try await self.content(of: segment, in: database) else { continue }
            let isOverfull = isOldest && trimmed.bytes >= bytesMax
            if segment != current, isDue(content, isOverfull), retryTimes[segment].hasPassed,
                let laggards = try await empty(segment, isOverfull)
            {
                trimmed.bytes -= bytes[segment]
                bytes[segment] = 0
                trimmed.passedOver.formUnion(laggards)
            } else {
                trimmed.oldestAge = max(trimmed.oldestAge, content.oldestAge)
                isOldest = false
            }
        }
        return trimmed
    }

    /// Whether a closed segment is to be emptied: all consumers have it, and readers only a moment behind have had
    /// their time; or a cap is reached.
    private func isDue(_ content: Content, _ isOverfull: Bool) -> Bool {
        isOverfull || content.newestAge >= ageMax
            || (content.laggards.isEmpty && content.newestAge >= settings.trimGrace)
    }

    /// Empties a segment, if it is still to be emptied when nothing more can be written to it; `nil` when it stays.
    /// Returns the consumers that lacked some of it.
    private mutating func empty(_ segment: Int, _ isOverfull: Bool) async throws(PostgresError) -> Set<String>? {
        do throws(TransactionError) {
            let laggards = try await truncate(segment, isOverfull)
            failures[segment] = 0
            return laggards
        } catch {
            guard error.postgres?.sqlState == .lockNotAvailable else {
                throw error.postgres ?? .usage(error.debugDescription)
            }
            failures[segment] += 1
            let pauses = BackOff(base: settings.upkeepInterval * 2, max: .seconds(60))
            retryTimes[segment] = .after(pauses.delay(afterFailures: failures[segment]))
            return nil
        }
    }

    /// The floors are stored together with the truncation, for a reader whose cursor is older.
    private func truncate(_ segment: Int, _ isOverfull: Bool) async throws(TransactionError) -> Set<String>? {
        let milliseconds = max(1, settings.trimLockTime.seconds * 1000)
        return try await database.transaction(retriesMax: 0) { transaction in
            try await transaction.batch([
                "select set_config('lock_timeout', \("\(Int(milliseconds))ms"), true)",
                "lock table \(raw: feed.segments[segment]) in access exclusive mode",
            ])
            // From here on nothing more can be written to it.
            guard let content = try await self.content(of: segment, in: transaction), isDue(content, isOverfull) else {
                return nil
            }
            try await transaction.batch([
                """
                \(sql: ends(segment))
                insert into feed_floor as f (feed, lane, position) select \(feed.feed), lane, position from ends
                on conflict on constraint feed_floor_key do update set position = greatest(f.position, excluded.position)
                """,
                "update feed_ring set trims = trims + 1 where feed = \(feed.feed)",
                "truncate \(raw: feed.segments[segment])",
            ])
            return content.laggards
        }
    }

    /// `nil` for an empty segment.
    private func content(of segment: Int, in session: some SQLSession) async throws(PostgresError) -> Content? {
        let found = try await session.queryOne(
            """
            \(sql: ends(segment)),
            committed as (
              select d.consumer, e.lane, coalesce(c.position, 0) as position
              from unnest(\(consumers)) as d (consumer)
              cross join (select lane from ends union select lane from feed_floor where feed = \(feed.feed)) e
              left join feed_consumer c on c.feed = \(feed.feed) and c.consumer = d.consumer and c.lane = e.lane),
            passed_over as (
              select c.consumer from committed c
              join feed_floor f on f.feed = \(feed.feed) and f.lane = c.lane and f.position > c.position)
            select extract(epoch from clock_timestamp() - min(e.begun_at))::float8 as oldest,
              extract(epoch from clock_timestamp() - max(e.ended_at))::float8 as newest,
              array(select distinct c.consumer from committed c join ends e on e.lane = c.lane
                where c.position < e.position and c.consumer not in (select consumer from passed_over)) as laggards
            from ends e
            """
        ) { row throws(PostgresError) in
            (try row["oldest"] as Double?, try row["newest"] as Double?, try row["laggards"] as [String])
        }
        guard let found, let oldest = found.0, let newest = found.1 else { return nil }
        return Content(
            oldestAge: .seconds(max(0, oldest)), newestAge: .seconds(max(0, newest)), laggards: Set(found.2))
    }

    /// `with ends`: the last position of each lane in a segment with its time, and that of the first, by going from one
    /// to the next in the index.
    private func ends(_ segment: Int) -> SQL {
        let table = feed.segments[segment]
        return """
            with recursive lanes as (
              (select lane from \(raw: table) order by lane limit 1)
              union all
              select n.lane from lanes l cross join lateral (
                select lane from \(raw: table) where lane > l.lane order by lane limit 1) n),
            ends as (
              select l.lane, e.position, e.recorded_at as ended_at, b.recorded_at as begun_at
              from lanes l cross join lateral (
                select position, recorded_at from \(raw: table) where lane = l.lane order by position desc limit 1) e
              cross join lateral (
                select recorded_at from \(raw: table) where lane = l.lane order by position limit 1) b)
            """
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
