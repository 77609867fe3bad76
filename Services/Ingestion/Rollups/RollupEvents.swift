import Contracts
import Domain
import Feed
import Glibc
import JSON
import Primitives

/// The events of one closed day: per data type everybody's values, shuffled, in batches, so that neither order nor company
/// tells who is who (ARCHITECTURE, "The anonymous store").
enum RollupEvents {
    /// People in one batch; it stays below `FeedEvent.payloadBytesMax`.
    static let batchMax = 2000
    static let kind = "day"

    static func events(
        of day: CalendarDate, _ columns: [DataType: DayValues.Column]
    ) throws(JSONError) -> [FeedEvent] {
        var events: [FeedEvent] = []
        for (type, column) in columns {
            let order = column.subjects.indices.shuffled()
            for start in stride(from: 0, to: order.count, by: batchMax) {
                let batch = order[start..<min(start + batchMax, order.count)]
                let rollups = Ingestion.DayRollups(
                    type: type, day: day, subjects: batch.map { column.subjects[$0] },
                    values: batch.map { rounded(column.values[$0], type) })
                events.append(
                    try FeedEvent(
                        feed: Ingestion.rollupsFeed, entity: .random(), version: 1, kind: kind, encoding: rollups))
            }
        }
        return events.shuffled()
    }

    /// To two decimal places more than single values have: finer than any step of group statistics.
    private static func rounded(_ value: Double, _ type: DataType) -> Double {
        let scale = pow(10, Double(type.decimals + 2))
        return (value * scale).rounded() / scale
    }
}
