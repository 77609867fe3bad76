import Domain
import Primitives

/// What arrivals after one have changed of the hours (and minutes) into which the samples of a block reach, source by source. For
/// that the hours are counted with these arrivals and without them: a reading changes also how long the one before it held.
struct BlockChange: Sendable {
    struct Source: Sendable {
        let source: Int16
        /// Hours with values, without these arrivals and with them.
        let before: [DaySummary.Hour]
        let after: [DaySummary.Hour]
        /// Those that have changed.
        fileprivate(set) var minutes: [Minute] = []
    }

    struct Minute: Sendable {
        /// In milliseconds since 1970.
        let start: Int64
        let zone: Int16
    }

    let type: DataType
    let day: CalendarDate
    private(set) var sources: [Source] = []
    /// Of its samples, in minutes.
    private(set) var zones = Set<Int16>()

    /// How much of it there is to tell, about.
    var count: Int { sources.reduce(0) { $0 + max($1.minutes.count, $1.after.count) } }

    /// Of a normalized block. `byMinutes`: whether minutes are told, too.
    init(_ block: BlockSamples, since arrival: Int64, byMinutes: Bool) {
        (type, day) = (block.type, block.day)
        for source in block.sources where source.arrivals.contains(where: { $0 > arrival }) {
            let old = source.filtered { source.arrivals[$0] <= arrival }
            var change = Source(
                source: source.source, before: Self.hours(old, day), after: Self.hours(source, day))
            if byMinutes {
                change.minutes = Self.changed(
                    PeriodCounter.minutes(old.values, day), PeriodCounter.minutes(source.values, day), day)
            }
            sources.append(change)
            zones.formUnion(source.zones.runs.map(\.minutes))
        }
    }

    private static func hours(_ samples: SourceSamples, _ day: CalendarDate) -> [DaySummary.Hour] {
        valued(PeriodCounter.hours(samples.values, day, .min ..< .max))
    }

    /// Without readings that are no values.
    private static func valued(_ hours: [DaySummary.Hour]) -> [DaySummary.Hour] {
        hours.filter(\.values.hasValues).map { hour in
            var hour = hour
            hour.values.withoutContact = 0
            return hour
        }
    }

    private static func changed(
        _ before: [DaySummary.Hour], _ after: [DaySummary.Hour], _ day: CalendarDate
    ) -> [Minute] {
        let first = Int64(day.daysSinceEpoch) * LocalTime.dayMilliseconds
        return changes(valued(before), valued(after)).map {
            Minute(start: first + Int64($0.hour) * LocalTime.minuteMilliseconds, zone: $0.zone)
        }
    }

    /// Hours, or shorter periods, that are not the same before and after: as they were, and as they are.
    static func changes(_ before: [DaySummary.Hour], _ after: [DaySummary.Hour]) -> [DaySummary.Hour] {
        let old = Dictionary(uniqueKeysWithValues: before.map { ($0.hour, $0) })
        let new = Dictionary(uniqueKeysWithValues: after.map { ($0.hour, $0) })
        return before.filter { new[$0.hour] != $0 } + after.filter { old[$0.hour] != $0 }
    }
}
