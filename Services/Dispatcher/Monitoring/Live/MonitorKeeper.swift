import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Where monitors rest while nobody has them in memory, and where this process hears of what others have done. PostgreSQL
/// (`StoredMonitors`) in every service; the simulated world has its own.
protocol MonitorKeeper: Sendable {
    /// What has changed since a look so long ago. In little time, or not at all.
    func news(since time: Duration) async throws -> MonitorNews
    /// Reads people into the roster; returns those who are watched.
    func load(_ accounts: [UUID]) async throws -> Set<UUID>
    /// Writes monitors over those that they came from, each as the next revision; returns whose. What another process has written
    /// meanwhile stays, and so does the monitor of whoever's key is not at hand.
    func save(_ monitors: [Roster.Unsaved]) async throws -> Set<UUID>
    /// Has the last minutes of these people read from ingestion's storage (`GapReader`).
    func openGaps(of accounts: Set<UUID>) async throws
}

struct MonitorNews: Sendable {
    /// By the database's clock.
    var time: Timestamp
    /// People with an open emergency, whoever opened it.
    var open: Set<UUID>
    /// People of whom something has changed that they are judged by.
    var changed: [UUID]
}

struct StoredMonitors: MonitorKeeper {
    private static let newsTime = Duration.milliseconds(300)
    private static let saveTime = Duration.seconds(5)

    let people: WatchedPeople
    private var database: Database { people.incidents.database }

    func news(since time: Duration) async throws -> MonitorNews {
        let results = try await database.runBatch(
            [
                "select clock_timestamp()",
                "select account from incident where state <> 'closed' and not is_exercise",
                WatchChange.recent(time),
            ], deadline: .after(Self.newsTime))
        guard let time = try results[0].decodeOne(as: Timestamp.self) else { throw PostgresError.usage("no time") }
        return MonitorNews(
            time: time, open: Set(try results[1].decode(as: UUID.self)), changed: try results[2].decode(as: UUID.self))
    }

    func load(_ accounts: [UUID]) async throws -> Set<UUID> { try await people.load(accounts) }

    func save(_ monitors: [Roster.Unsaved]) async throws -> Set<UUID> {
        let held = await people.keys.keysAtHand(of: monitors.map(\.account))
        let rows = monitors.compactMap { known -> (known: Roster.Unsaved, state: [UInt8], last: Timestamp)? in
            guard let key = try? held[known.account]?.get(),
                let last = try? Monitor.lastVitalAt(packed: known.monitor)
            else { return nil }
            return (known, PersonalColumn.monitor.seal(bytes: known.monitor, of: known.account, with: key), last)
        }
        return Set(
            try await database.query(
                """
                with mine as materialized (
                  select m.account, n.state, n.last_vital_at
                  from unnest(\(rows.map(\.known.account)), \(rows.map(\.state)), \(rows.map(\.last)),
                    \(rows.map(\.known.revision))) as n (account, state, last_vital_at, revision)
                  join monitor m on m.account = n.account and m.revision = n.revision order by m.account for update of m)
                update monitor m set state = n.state, last_vital_at = n.last_vital_at, revision = m.revision + 1
                from mine n where m.account = n.account returning m.account
                """, as: UUID.self, deadline: .after(Self.saveTime)))
    }

    func openGaps(of accounts: Set<UUID>) async throws { try await database.execute(people.gaps.open(of: accounts)) }
}
