internal import Postgres
internal import Primitives
internal import Synchronization

/// The cursors that durable consumers have committed, kept in memory and written regularly.
final class Acknowledgements: Sendable {
    private struct Key: Hashable {
        let feed: String
        let consumer: String
    }

    private struct Entry {
        var cursor: FeedCursor
        var seenAt: Timestamp
        var isWritten = false
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// `cursor` is of the current epoch.
    func note(feed: String, consumer: String, cursor: FeedCursor) {
        let now = Timestamp.now()
        entries.withLock { entries in
            entries[Key(feed: feed, consumer: consumer)] = Entry(cursor: cursor, seenAt: now)
        }
    }

    /// Writes new cursors. Another replica may know of later ones; positions only grow. A cursor of another epoch says
    /// nothing about this epoch's events and is dropped.
    func write(to database: Database) async throws {
        let fresh = entries.withLock { $0.filter { !$0.value.isWritten } }
        guard !fresh.isEmpty else { return }
        try await database.withConnection { connection in
            let feed = fresh.keys.first?.feed ?? ""
            let epoch = try await EventReader.epoch(of: connection, feed: feed)
            try await Self.write(fresh.filter { $0.value.cursor.epoch == epoch }, on: connection)
        }
        entries.withLock { entries in
            for (key, entry) in fresh where entries[key]?.seenAt == entry.seenAt { entries[key]?.isWritten = true }
        }
    }

    private static func write(_ entries: [Key: Entry], on connection: Connection) async throws(PostgresError) {
        var (feeds, consumers, seen): ([String], [String], [Timestamp]) = ([], [], [])
        var (lanes, positions): ([Int32], [Int64]) = ([], [])
        for (key, entry) in entries {
            for (lane, position) in entry.cursor.positions.enumerated() where position > 0 {
                feeds.append(key.feed)
                consumers.append(key.consumer)
                lanes.append(Int32(lane))
                positions.append(position)
                seen.append(entry.seenAt)
            }
        }
        guard !feeds.isEmpty else { return }
        try await connection.execute(
            """
            insert into feed_consumer as c (feed, consumer, lane, position, seen_at)
            select * from unnest(\(feeds), \(consumers), \(lanes), \(positions), \(seen)) order by 1, 2, 3
            on conflict on constraint feed_consumer_key do update
            set position = greatest(c.position, excluded.position), seen_at = greatest(c.seen_at, excluded.seen_at)
            """)
    }
}
