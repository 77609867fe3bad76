import Domain
import Primitives

/// The key of a column: profiles, or a data type of a day.
struct ColumnKey: Hashable, Sendable {
    let series: Int16
    let day: CalendarDate

    static let profiles = ColumnKey(series: 0, day: CalendarDate(daysSinceEpoch: 0))

    /// Profiles of a snapshot that is being read: at its end they replace the others.
    static let snapshotProfiles = ColumnKey(series: -1, day: profiles.day)

    var hasProfiles: Bool { series <= 0 }

    static func values(_ type: DataType, _ day: CalendarDate) -> ColumnKey {
        ColumnKey(series: Int16(type.rawValue), day: day)
    }
}
