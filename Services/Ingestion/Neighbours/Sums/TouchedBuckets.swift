import Domain
import Primitives

/// The buckets whose values some changes of blocks have changed, or may have changed.
struct TouchedBuckets: Sendable {
    let granularity: Granularity
    let zone: TimeZoneRules
    /// Only those that lie here as a whole; in milliseconds since 1970.
    let period: Range<Int64>

    /// Of each data type, in no order.
    private var found: [DataType: Set<Range<Int64>>] = [:]

    init(_ granularity: Granularity, zone: TimeZoneRules, within period: Range<Int64>) {
        (self.granularity, self.zone, self.period) = (granularity, zone, period)
    }

    /// Which source counts where, of one data type, and where all of them have something.
    struct Places: Sendable {
        fileprivate struct Hour: Sendable {
            let start: Int64
            let day: CalendarDate
        }

        fileprivate var chosen: [Int: Int16] = [:]
        fileprivate var hours: [Int: [Hour]] = [:]
        fileprivate var zones = Set<Int16>()

        init(_ type: DataType, _ summaries: [CalendarDate: DaySummary], _ order: SourceOrder) {
            for day in CountedDay.days(of: type, in: summaries, order: order) {
                for hour in day.hours {
                    chosen[type == .sleep ? Int(day.day.daysSinceEpoch) : hour.number] = hour.source
                }
            }
            for (block, summary) in summaries {
                for hour in summary.sources.flatMap(\.hours) where hour.values.hasValues {
                    hours[Self.place(of: hour, on: block, type), default: []].append(
                        Hour(start: hour.start(on: block), day: hour.localDay(on: block)))
                    zones.insert(hour.zone)
                }
            }
        }

        /// The hour in which one source counts; of sleep the local day.
        fileprivate static func place(of hour: DaySummary.Hour, on block: CalendarDate, _ type: DataType) -> Int {
            type == .sleep ? Int(hour.localDay(on: block).daysSinceEpoch) : hour.number(on: block)
        }

        fileprivate static func place(of minute: BlockChange.Minute, _ type: DataType) -> Int {
            type == .sleep
                ? Int(LocalTime.day(of: minute.start, zone: minute.zone).daysSinceEpoch)
                : LocalTime.hour(of: minute.start, zone: minute.zone)
        }
    }

    /// Whether `places` are needed for a change: where a source has values for the first time another one may not count any more,
    /// and not all sources count.
    func needsPlaces(_ change: BlockChange, of person: PersonContext) -> Bool {
        guard !isEarly(change), !Self.areMixed(change.zones, change.type) else { return true }
        return change.sources.contains { source in
            guard person.isFirst(source.source, of: change.type) else { return true }
            // Hours of the days after may have something of other blocks.
            let changed = BlockChange.changes(source.before, source.after)
            return Self.valued(source.before, change) != Self.valued(source.after, change)
                || changed.contains { $0.hour >= 24 }
        }
    }

    /// The places in which a source has values.
    private static func valued(_ hours: [DaySummary.Hour], _ change: BlockChange) -> Set<Int> {
        Set(hours.map { Places.place(of: $0, on: change.day, change.type) })
    }

    /// Whether hours (of sleep: days) of several zones begin at different times: then minutes of an hour, and the hours of several
    /// samples, are not in one place alone.
    private static func areMixed(_ zones: Set<Int16>, _ type: DataType) -> Bool {
        Set(type == .sleep ? zones.map(Int64.init) : zones.map { LocalTime.start(ofHour: 0, zone: $0) }).count > 1
    }

    /// Whether it matters when sleep began: what began before the period takes its bucket away, of whatever source it is.
    private func isEarly(_ change: BlockChange) -> Bool {
        change.type == .sleep
            && change.day.startUTC.milliseconds <= period.lowerBound &+ Measurement.durationMax.milliseconds
    }

    /// `places` may be missing where they are not needed.
    mutating func add(_ change: BlockChange, _ places: Places?, of person: PersonContext) {
        let type = change.type
        let isOfHours = granularity == .minute || granularity == .hour
        let isMixed = isOfHours && Self.areMixed(change.zones.union(places?.zones ?? []), type)
        let isEarly = isEarly(change)
        for source in change.sources {
            func counts(_ place: Int) -> Bool {
                isMixed || isEarly || person.isFirst(source.source, of: type)
                    || places?.chosen[place].map { $0 == source.source } ?? true
            }
            let (before, after) = (Self.valued(source.before, change), Self.valued(source.after, change))
            for minute in source.minutes where counts(Places.place(of: minute, type)) {
                add(minute.start..<minute.start + LocalTime.minuteMilliseconds, type)
            }
            for hour in BlockChange.changes(source.before, source.after) {
                let place = Places.place(of: hour, on: change.day, type)
                let isOther = isMixed || isEarly || before.contains(place) != after.contains(place)
                guard counts(place) || (before.contains(place) && !after.contains(place)) else { continue }
                if granularity != .minute {
                    add(.init(start: hour.start(on: change.day), day: hour.localDay(on: change.day)), type)
                }
                guard isOther else { continue }
                // Clocks tell three days at most at the same time.
                let around = isEarly ? 2 : isMixed ? 1 : 0
                for near in place - around...place + around {
                    for other in places?.hours[near] ?? [] { add(other, type) }
                }
            }
        }
    }

    /// All that a day has whose samples had to go (ING-10), so that it is not known what has changed.
    mutating func add(all key: BlockKey, _ places: Places) {
        let day = Int(key.day.daysSinceEpoch)
        // Where it can reach to, in whatever zone.
        let reach = key.type == .sleep ? day - 1...day + 4 : day * 24 - 1...day * 24 + DaySummary.hoursMax
        for place in reach {
            for hour in places.hours[place] ?? [] { add(hour, key.type) }
        }
    }

    private mutating func add(_ hour: Places.Hour, _ type: DataType) {
        guard granularity == .day || granularity == .week else {
            return add(hour.start..<hour.start + LocalTime.hourMilliseconds, type)
        }
        let start = zone.start(of: granularity.firstDay(of: hour.day))
        let end = zone.start(of: granularity.lastDay(of: hour.day).adding(days: 1))
        add(start.milliseconds..<end.milliseconds, type)
    }

    private mutating func add(_ bucket: Range<Int64>, _ type: DataType) { found[type, default: []].insert(bucket) }

    /// Those that lie in the period, neighbours together, in the order of data types and time.
    var spans: [(type: DataType, spans: [Range<Int64>])] {
        found.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { type, buckets in
            var spans: [Range<Int64>] = []
            for bucket in buckets.compactMap(inside).sorted(by: { $0.lowerBound < $1.lowerBound }) {
                guard let last = spans.last, bucket.lowerBound <= last.upperBound else {
                    spans.append(bucket)
                    continue
                }
                spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, bucket.upperBound)
            }
            return spans.isEmpty ? nil : (type, spans)
        }
    }

    /// Of whole hours the minutes that lie in the period.
    private func inside(_ bucket: Range<Int64>) -> Range<Int64>? {
        guard bucket.lowerBound < period.lowerBound || bucket.upperBound > period.upperBound else { return bucket }
        guard granularity == .minute else { return nil }
        var (start, end) = (bucket.lowerBound, bucket.upperBound)
        while start < min(period.lowerBound, end) { start += LocalTime.minuteMilliseconds }
        while end > max(period.upperBound, start) { end -= LocalTime.minuteMilliseconds }
        return start < end ? start..<end : nil
    }
}
