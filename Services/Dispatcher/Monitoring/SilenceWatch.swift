import JSON
import Postgres
import Primitives
import Reactor
import Service

/// Finds people of whom nothing was heard for a long time: their monitors are blind (SOS-11).
struct SilenceWatch: Sendable {
    static let batchMax = 100
    static let interval = Duration.seconds(15)

    let database: Database
    let columns: SealedColumns
    let notices: NoticeOutbox
    let clock: any WallClock
    let log: Log

    /// One round; the answer is how many became blind.
    func look() async throws -> Int {
        let now = clock.now()
        let before = now - Monitor.silenceMax
        let count = try await database.transaction { transaction in
            let rows = try await transaction.query(
                """
                select account, state from monitor
                where phase <> 'blind' and (heard_at < \(before) or heard_at is null)
                order by heard_at limit \(Self.batchMax) for update skip locked
                """, as: UUID.self, [UInt8].self)
            var statements: [SQL] = []
            for (account, state) in rows {
                var monitor = columns.openMonitor(state, of: account, at: now, log: log)
                for case .blind(let since) in monitor.tick(now: now) {
                    statements.append(try notices.insert([.sensorLost(account, since: since)], at: now))
                }
                let sealed = try columns.seal(monitor, .monitor, row: account)
                statements.append(
                    """
                    update monitor set phase = \(monitor.phase), state = \(sealed), heard_at = \(monitor.heardAt)
                    where account = \(account)
                    """)
            }
            if !statements.isEmpty { try await transaction.batch(statements) }
            return rows.count
        }
        if count > 0 { notices.wake() }
        return count
    }
}
