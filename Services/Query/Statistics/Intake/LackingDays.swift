import Contracts
import Postgres
import Primitives
import RPC

/// Asks ingestion to publish days again that have not arrived as a whole: after a snapshot, whose list tells of them, and
/// when batches of a day do not come any more.
struct LackingDays: Sendable {
    let database: Database
    let ingestion: any RPCCaller
    let clock: any WallClock

    static let interval = Duration.seconds(600)

    /// The days that were asked for.
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
