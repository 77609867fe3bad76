internal import JSON
internal import Postgres
internal import Primitives

/// Events of one feed that failed several times. They are tried again whenever the consumer starts, and a minute after
/// they were parked, then after two, four … up to a day; a snapshot deletes them.
struct ParkedEvents: Sendable {
    /// Tried again at one start.
    private static let startMax = 1000
    /// Tried again at one time later.
    private static let dueMax = 100

    let feed: String
    let database: Database
    let payloads: FeedConsumerSettings.ParkedPayloads?

    /// Parks an event. `error` is the kind of the failure.
    func park(_ record: FeedRecord, epoch: String, error: any Error) throws -> SQL {
        let payload = try payloads?.seal(record.payload.bytes, record.entity) ?? record.payload.bytes
        return """
            insert into feed_parked
              (feed, epoch, lane, position, entity, version, kind, payload, recorded_at, age_ms, error, next_at)
            values (\(feed), \(epoch), \(Int32(record.lane)), \(record.position), \(record.entity), \(record.version),
              \(record.kind), \(payload), \(record.recordedAt),
              \(record.age.wholeMilliseconds), \(reason(error)), clock_timestamp() + interval '1 minute')
            on conflict on constraint feed_parked_key do nothing
            """
    }

    /// The newest parked events of these parts, since older ones have failed before, in the order in which they came. Each
    /// is opened by itself: a lost key concerns one event only.
    func load(epoch: String, _ parts: FeedParts, isStart: Bool) async throws(PostgresError) -> [Parked] {
        let (condition, order, countMax): (SQL, SQL, Int) =
            isStart
            ? ("", "parked_at desc", Self.startMax) : ("and \(sql: Self.isDue)", "next_at desc", Self.dueMax)
        let rows = try await database.query(
            """
            select lane, position, entity, version, kind, payload, recorded_at,
              age_ms / 1000.0::float8 + extract(epoch from clock_timestamp() - parked_at)::float8 as age
            from feed_parked
            where feed = \(feed) and epoch = \(epoch) and \(sql: parts.contains(column: "entity")) \(sql: condition)
            order by \(sql: order) limit \(raw: String(countMax))
            """
        ) { row throws(PostgresError) in
            let (entity, payload): (UUID, [UInt8]) = (try row["entity"], try row["payload"])
            let (lane, position): (Int, Int64) = (try row["lane"], try row["position"])
            let (version, kind): (Int64, String) = (try row["version"], try row["kind"])
            let (recordedAt, age): (Timestamp, Double) = (try row["recorded_at"], try row["age"])
            return Parked(epoch: epoch, lane: lane, position: position) { [payloads] in
                FeedRecord(
                    lane: lane, position: position, entity: entity, version: version, kind: kind,
                    payload: try JSONRaw(validating: try payloads?.open(payload, entity) ?? payload),
                    recordedAt: recordedAt, age: .seconds(max(0, age)))
            }
        }
        return rows.reversed()
    }

    /// Whether an event's time has come. One that is further ahead than its pause was set before the database's clock was
    /// set back.
    private static let isDue: SQL = """
        (next_at <= clock_timestamp() or next_at > clock_timestamp()
          + least(interval '1 day', interval '1 minute' * 2 ^ least(attempts, 12)))
        """

    /// A row; `record` fails when its payload cannot be opened.
    struct Parked: Sendable {
        let epoch: String
        let lane: Int
        let position: Int64
        let record: @Sendable () throws -> FeedRecord
    }

    /// Removes an event that has been applied.
    func remove(_ parked: Parked) -> SQL { "delete from feed_parked \(sql: isRow(parked))" }

    /// Postpones an event that has failed again.
    func postpone(_ parked: Parked) -> SQL {
        """
        update feed_parked set attempts = attempts + 1,
          next_at = clock_timestamp()
            + (0.5 + random() / 2) * least(interval '1 day', interval '1 minute' * 2 ^ least(attempts + 1, 12))
        \(sql: isRow(parked))
        """
    }

    private func isRow(_ parked: Parked) -> SQL {
        """
        where feed = \(feed) and epoch = \(parked.epoch) and lane = \(Int32(parked.lane))
          and position = \(parked.position)
        """
    }

    func count() async throws(PostgresError) -> Int {
        try await database.queryOne("select count(*) from feed_parked where feed = \(feed)", as: Int.self) ?? 0
    }

    /// Removes those of these parts: a snapshot has replaced their effects.
    func removeAll(_ parts: FeedParts) -> SQL {
        "delete from feed_parked where feed = \(feed) and \(sql: parts.contains(column: "entity"))"
    }
}
