import Contracts
import Postgres
import Primitives
import RPC

/// Asks ingestion to publish incomplete days again: after a snapshot that lists them, and when no more batches of a day
/// come.
struct LackingDays: Sendable {
    let database: Database
    let ingestion: any RPCCaller
    let clock: any WallClock

    static let interval = Duration.seconds(600)

    /// Asks for a batch of days; returns them.
    @discardableResult
    func ask() async throws -> [CalendarDate] {
        try await database.execute(RollupDays.listUnnoted)
        let days = try await RollupDays.lacking(
            since: clock.now() - Self.interval, limit: Ingestion.PublishDays.daysMax, in: database)
        guard !days.isEmpty else { return [] }
        _ = try await ingestion.call(Ingestion.PublishDays.self, .init(days: days))
        return days
    }
}
