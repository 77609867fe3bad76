import Contracts
import Domain
import Feed
import Glibc
import JSON
import Postgres
import Primitives

/// The events of one closed day: per data type everybody's values, shuffled, in batches, so that neither order nor company
/// tells who is who (ARCHITECTURE, "The anonymous store"). The last event says how many batches there were.
enum RollupEvents {
    /// People in one batch; it stays below `FeedEvent.payloadBytesMax`.
    static let batchMax = 2000
    static let kind = "day"
    static let completeKind = "day-complete"
    static let closedKind = "closed"

    static func events(
        of day: CalendarDate, _ columns: [DataType: DayValues.Column]
    ) throws(JSONError) -> [FeedEvent] {
        let publication = UUID.random()
        var events: [FeedEvent] = []
        for (type, column) in columns {
            let order = column.subjects.indices.shuffled()
            for start in stride(from: 0, to: order.count, by: batchMax) {
                let batch = order[start..<min(start + batchMax, order.count)]
                let rollups = Ingestion.DayRollups(
                    type: type, day: day, subjects: batch.map { column.subjects[$0] },
                    values: batch.map { rounded(column.values[$0], type) }, publication: publication)
                events.append(
                    try FeedEvent(
                        feed: Ingestion.rollupsFeed, entity: .random(), version: 1, kind: kind, encoding: rollups))
            }
        }
        let complete = Ingestion.DayComplete(day: day, publication: publication, batches: events.count)
        return events.shuffled()
            + [
                try FeedEvent(
                    feed: Ingestion.rollupsFeed, entity: publication, version: 1, kind: completeKind, encoding: complete
                )
            ]
    }

    /// The feed, for query. A snapshot lists the closed days without their values: what is lacking is asked for.
    static func feed(in database: Database) -> FeedDefinition {
        FeedDefinition(name: Ingestion.rollupsFeed, durable: [ServiceName.query.rawValue]) { _ in
            let days = try await database.query(RollupStore.closedDays, as: CalendarDate.self)
            return FeedDefinition.Page(
                entities: try days.map {
                    FeedEntity(
                        entity: .random(), version: 1, kind: closedKind,
                        payload: try JSONRaw(encoding: Ingestion.ClosedDay(day: $0)))
                }, next: nil)
        }
    }

    /// To two decimal places more than single values have: finer than any step of group statistics.
    private static func rounded(_ value: Double, _ type: DataType) -> Double {
        let scale = pow(10, Double(type.decimals + 2))
        return (value * scale).rounded() / scale
    }
}
