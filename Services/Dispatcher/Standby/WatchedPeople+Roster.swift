import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service

extension WatchedPeople {
    /// Reads people into the roster, without a lock: what is written on top of it names the revision that was read. Returns those
    /// who are watched; of the others nothing is known afterwards. Somebody whose key is not at hand is not read.
    @discardableResult
    func load(_ accounts: [UUID]) async throws -> Set<UUID> {
        let results = try await incidents.database.runBatch(
            [Self.select(accounts), Self.runs(of: accounts)], deadline: .after(Self.loadTime))
        let runs = try Self.runs(results[1])
        let rows = try results[0].rows.map { row throws(PostgresError) in try StoredPerson(row) }
        let held = await keys.keysAtHand(of: rows.map(\.account))
        let now = standby.clock.now()
        for row in rows {
            guard let key = try? held[row.account]?.get() else { continue }
            // In its form already; whether it can be read turns out when it is used.
            let monitor: [UInt8]
            do { monitor = try PersonalColumn.monitor.open(bytes: row.monitor, of: row.account, with: key) } catch {
                monitor = Monitor.opened(row.monitor, of: row.account, with: key, at: now, log: log).packed
            }
            standby.roster.load(
                row.account,
                Roster.Entry(
                    enrolled: row.enrolled, monitor: monitor, revision: row.revision, runs: runs[row.account] ?? []))
        }
        let watched = Set(rows.map(\.account))
        for account in accounts where !watched.contains(account) { standby.roster.forget(account) }
        return watched
    }

    private static let loadTime = Duration.seconds(5)
}
