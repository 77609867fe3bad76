internal import JSON
internal import Postgres
internal import Primitives
internal import Reactor
internal import Synchronization

/// Reads events, and the state that decides whether they may be read.
final class EventReader: Sendable {
    /// The database's identity, which a session cannot outlive: cluster and timeline.
    private enum Identity: SessionStateKey {
        typealias Value = String
    }

    /// Of whom and what is read: a consumer, by its number among the feed's addressees (0: none of them), and its parts.
    struct Share: Sendable {
        let reader: Int16
        let parts: FeedParts

        /// Whether it has all events.
        let isWhole: Bool
        /// See `FeedDefinition`.
        let hides: (@Sendable (SQL) -> SQL)?

        init(reader: Int16, parts: FeedParts, of feed: FeedDefinition) {
            self.reader = reader
            hides = feed.hides
            self.parts = parts.isAll ? .all : parts
            isWhole = parts.isAll && feed.addressees.isEmpty
        }
    }

    /// What is there after a cursor, with the epoch and the floors as they were after the events were read.
    struct Reading: Sendable {
        let events: [FeedRecord]
        /// Past these events, and past those of others that lay between them.
        let cursor: FeedCursor
        /// Whether there may be more.
        let isCut: Bool
        let epoch: String
        /// The last trimmed position by lane.
        let floors: FeedCursor
        let segment: Int
    }

    private struct State {
        let epoch: String
        let segment: Int
        let trims: Int64
    }

    /// The floors of one feed in `feed_floor`, as of a number of trims.
    private struct Floors {
        let epoch: String
        let trims: Int64
        let cursor: FeedCursor
    }

    /// One answer's payloads together, about.
    static let answerBytesMax = 4 << 20
    /// Rows of others that are passed over in one step: they are short.
    private static let foreignRowsMax = 2000
    /// Up to this many lanes are named in the statement, which is cheaper than the function for all.
    private static let namedLanesMax = 4

    let database: Database
    private let tables: [String: FeedTables]
    private let floors = Mutex<[String: Floors]>([:])

    init(database: Database, feeds: [FeedTables]) {
        self.database = database
        tables = Dictionary(uniqueKeysWithValues: feeds.map { ($0.feed, $0) })
    }

    private func tables(of feed: String) throws(PostgresError) -> FeedTables {
        guard let tables = tables[feed] else { throw .usage("the feed \(feed) is not defined") }
        return tables
    }

    /// At most `limit` events of the share after `cursor`, in these lanes, at least one.
    func read(
        _ feed: String, _ share: Share, after cursor: FeedCursor, lanes: [Int], limit: Int, deadline: Deadline
    ) async throws -> Reading {
        let rowsMax = share.isWhole ? limit : max(limit, Self.foreignRowsMax)
        let statement = Self.events(
            try tables(of: feed), share, after: cursor, lanes: lanes, limit: limit, rowsMax: rowsMax)
        return try await database.withConnection(deadline: deadline) { connection in
            let (results, state) = try await Self.run([statement], of: feed, on: connection, deadline)
            let floors = try await self.floors(of: feed, state, on: connection, deadline)
            let rows = try results[0].decode(
                as: Int32.self, Int64.self, Timestamp.self, [UInt8]?.self, Timestamp.self, Int64.self)
            let events = try Self.records(rows)
            var cursor = cursor
            for row in rows { cursor.advance(lane: Int(row.0), to: row.1) }
            return Reading(
                events: events, cursor: cursor,
                isCut: rows.count < rows.first?.5 ?? 0 || events.count == limit || rows.count >= rowsMax,
                epoch: state.epoch, floors: floors, segment: state.segment)
        }
    }

    /// The end of a feed: after everything that is visible now.
    func end(of feed: String, deadline: Deadline) async throws -> FeedCursor {
        try await database.withConnection(deadline: deadline) { connection in
            let function = try self.tables(of: feed).end
            let last: SQL = "select * from \(raw: function)()"
            let (results, state) = try await Self.run([last], of: feed, on: connection, deadline)
            let floors = try await self.floors(of: feed, state, on: connection, deadline)
            var cursor = FeedCursor(epoch: state.epoch, positions: floors.positions)
            for (lane, position) in try results[0].decode(as: Int.self, Int64.self) {
                cursor.advance(lane: lane, to: position)
            }
            return cursor
        }
    }

    /// The time before which every event is visible now: the begin of the oldest transaction that any replica of this
    /// service has open. A session shows its transaction some microseconds after it has read the clock for it, hence a
    /// second is subtracted.
    func horizon(deadline: Deadline) async throws(PostgresError) -> Timestamp {
        let oldest = try await database.queryOne(
            """
            select least(clock_timestamp() - interval '1 second', min(xact_start)) from pg_stat_activity
            where usename = current_user and datname = current_database()
              and application_name = current_setting('application_name') and pid <> pg_backend_pid()
            """, as: Timestamp.self, deadline: deadline)
        guard let oldest else { throw .usage("no horizon") }
        return oldest
    }

    /// The epoch of the database behind the connection.
    static func epoch(of connection: Connection, feed: String) async throws(PostgresError) -> String {
        try await run([], of: feed, on: connection, .after(.seconds(5))).1.epoch
    }

    /// Runs statements and then reads the state, in this order and in one round trip, so that trims before or during
    /// them are seen in the state. (TRUNCATE does not respect snapshots.)
    private static func run(
        _ statements: [SQL], of feed: String, on connection: Connection, _ deadline: Deadline
    ) async throws(PostgresError) -> ([ResultSet], State) {
        var identity = connection.state[Identity.self]
        var all = statements + ["select generation, segment, trims from feed_state, feed_ring where feed = \(feed)"]
        if identity == nil {
            all.append(
                """
                select system_identifier || '-' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
                from pg_control_system()
                """)
        }
        let results = try await connection.runBatch(all, deadline: deadline)
        if identity == nil {
            identity = try results.last?.decodeOne(as: String.self)
            connection.state[Identity.self] = identity
        }
        let row = try results[statements.count].decodeOne(as: Int32.self, Int16.self, Int64.self)
        guard let row, let identity else { throw .usage("the schema has no feed \(feed)") }
        let state = State(epoch: "\(identity)-\(row.0)", segment: Int(row.1), trims: row.2)
        return (Array(results.prefix(statements.count)), state)
    }

    /// The floors that are known while nothing more was trimmed; otherwise those in the table now, which are at least
    /// as high.
    private func floors(
        of feed: String, _ state: State, on connection: Connection, _ deadline: Deadline
    ) async throws(PostgresError) -> FeedCursor {
        if let known = floors.withLock({ $0[feed] }), known.trims == state.trims, known.epoch == state.epoch {
            return known.cursor
        }
        var cursor = FeedCursor(epoch: state.epoch, positions: [])
        let rows = try await connection.query(
            "select lane, position from feed_floor where feed = \(feed)", as: Int.self, Int64.self, deadline: deadline)
        for (lane, position) in rows { cursor.advance(lane: lane, to: position) }
        let fresh = Floors(epoch: state.epoch, trims: state.trims, cursor: cursor)
        floors.withLock { $0[feed] = fresh }
        return cursor
    }

    /// Reads lane after lane by index until there are enough events (`limit`, `answerBytesMax`); each call begins with another
    /// lane, so that a busy one does not hide the others. Lengths are known without the events: those that the answer has
    /// no room for are counted (`found`), and neither fetched nor sent.
    static func events(
        _ feed: FeedTables, _ share: Share, after cursor: FeedCursor, lanes: [Int], limit: Int, rowsMax: Int
    ) -> SQL {
        let shift = lanes.isEmpty ? 0 : Int.random(in: lanes.indices)
        let order = Array(lanes[shift...] + lanes[..<shift])
        let parts = share.parts.numbers.map { Int32($0) }
        // What of an event may be told, and when it was read.
        var shown: SQL = "event"
        if let hides = share.hides {
            shown = "case when \(sql: hides("encode(substr(event, 1, 16), 'hex')::uuid")) is null then event end"
        }
        var rows: SQL = ""
        if order.count <= namedLanesMax {
            let isOwn: SQL =
                share.isWhole
                ? "true"
                : """
                addressee in (0, \(share.reader)) and slot % \(Int32(share.parts.count)) = any(\(parts))
                """
            for (turn, lane) in order.enumerated() {
                rows += """
                    \(raw: turn == 0 ? "" : " union all ")
                    (select \(raw: String(turn)) as turn, lane, position, recorded_at, event,
                      case when \(sql: isOwn) then octet_length(event) end as bytes
                    from \(raw: feed.log)
                    where lane = \(Int32(lane)) and position > \(cursor[lane])
                    order by position limit \(raw: String(rowsMax)))
                    """
            }
        } else {
            let (lanes, positions) = (order.map { Int32($0) }, order.map { cursor[$0] })
            rows = """
                select turn, lane, position, recorded_at, event, octet_length(event) as bytes
                from \(raw: feed.read)(\(lanes), \(positions), \(share.reader), \(Int32(share.parts.count)), \(parts),
                  \(Int64(rowsMax))) with ordinality as r (lane, position, recorded_at, event, turn)
                """
        }
        return """
            select lane, position, recorded_at, case when bytes is not null then \(sql: shown) end, clock_timestamp(), found
            from (
              select r.*, count(*) over () as found, count(bytes) over w as own, sum(bytes) over w as own_bytes
              from (\(sql: rows)) r window w as (order by turn, position)) e
            where own <= \(Int64(limit)) and coalesce(own_bytes, 0) <= \(Int64(answerBytesMax)) order by turn, position
            """
    }

    private static func records(
        _ rows: [(Int32, Int64, Timestamp, [UInt8]?, Timestamp, Int64)]
    ) throws -> [FeedRecord] {
        try rows.compactMap { lane, position, recordedAt, event, readAt, _ in
            try event.map {
                try PackedEvent.unpack(
                    $0, lane: Int(lane), position: position, recordedAt: recordedAt, age: readAt - recordedAt)
            }
        }
    }
}
