internal import JSON
internal import Postgres
internal import Primitives

/// Events of one feed that failed again and again. They are tried again whenever the consumer starts, since what comes
/// in between is most likely the mended program; a snapshot makes them void.
struct ParkedEvents: Sendable {
    /// Tried again at one start.
    static let retriesMax = 1000

    let feed: String
    let database: Database
    let payloads: FeedConsumerSettings.ParkedPayloads?

    /// Puts an event aside. `error` says of what kind the failure was.
    func park(_ record: FeedRecord, epoch: String, error: any Error) throws -> SQL {
        let payload = try payloads?.seal(record.payload.bytes, record.entity) ?? record.payload.bytes
        return """
            insert into feed_parked
              (feed, epoch, lane, position, entity, version, kind, payload, recorded_at, age_ms, error)
            values (\(feed), \(epoch), \(Int32(record.lane)), \(record.position), \(record.entity), \(record.version),
              \(record.kind), \(payload), \(record.recordedAt),
              \(record.age.wholeMilliseconds), \(reason(error)))
            on conflict on constraint feed_parked_key do nothing
            """
    }

    /// The newest, since older ones have failed at a start before, in the order in which they came; each is opened by itself, since one whose key is lost says nothing of
    /// the others.
    func load(epoch: String) async throws(PostgresError) -> [Parked] {
        let rows = try await database.query(
            """
            select lane, position, entity, version, kind, payload, recorded_at,
              age_ms / 1000.0::float8 + extract(epoch from clock_timestamp() - parked_at)::float8 as age
            from feed_parked
            where feed = \(feed) and epoch = \(epoch) order by parked_at desc limit \(raw: String(Self.retriesMax))
            """
        ) { row throws(PostgresError) in
            let (entity, payload): (UUID, [UInt8]) = (try row["entity"], try row["payload"])
            let (lane, position): (Int, Int64) = (try row["lane"], try row["position"])
            let (version, kind): (Int64, String) = (try row["version"], try row["kind"])
            let (recordedAt, age): (Timestamp, Double) = (try row["recorded_at"], try row["age"])
            return Parked { [payloads] in
                FeedRecord(
                    lane: lane, position: position, entity: entity, version: version, kind: kind,
                    payload: try JSONRaw(validating: try payloads?.open(payload, entity) ?? payload),
                    recordedAt: recordedAt, age: .seconds(max(0, age)))
            }
        }
        return rows.reversed()
    }

    /// A row; `record` fails when its payload cannot be opened.
    struct Parked: Sendable {
        let record: @Sendable () throws -> FeedRecord
    }

    /// It has been applied.
    func remove(_ record: FeedRecord, epoch: String) -> SQL {
        """
        delete from feed_parked where feed = \(feed) and epoch = \(epoch) and lane = \(Int32(record.lane))
          and position = \(record.position)
        """
    }

    /// A snapshot has replaced whatever they would have changed.
    func removeAll() -> SQL { "delete from feed_parked where feed = \(feed)" }
}
