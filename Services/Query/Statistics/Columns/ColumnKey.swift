import Domain
import Primitives

/// Which column: profiles, or a data type of a day.
struct ColumnKey: Hashable, Sendable {
    let series: Int16
    let day: CalendarDate

    static let profiles = ColumnKey(series: 0, day: CalendarDate(daysSinceEpoch: 0))

    static func values(_ type: DataType, _ day: CalendarDate) -> ColumnKey {
        ColumnKey(series: Int16(type.rawValue), day: day)
    }
}
