import Domain
import Primitives

/// What counts of a person's samples in buckets that lie in a period as a whole, and were measured in it as a whole.
struct WholeBuckets: Sendable {
    struct Bucket: Sendable {
        let type: DataType
        let start: Timestamp
        let end: Timestamp
        /// The hours of which it is made, since 1970 (`LocalTime`); none of minutes.
        fileprivate(set) var hours = Set<Int>()
        fileprivate(set) var values = SummaryValues()
    }

    let samples: PersonSamples
    let person: PersonContext
    let account: UUID
    let granularity: Granularity
    /// Milliseconds since 1970.
    let period: Range<Int64>

    /// Days that are read together at most: the samples of minutes, the summaries of others.
    func daysMax(of types: Int) -> Int {
        granularity == .minute ? 14 : min(3700, max(62, 20_000 / max(1, types)))
    }

    /// About so many days have so many buckets, of somebody who measures all the time.
    func days(of types: Int, holding buckets: Int) -> Int {
        let inDay =
            switch granularity {
            case .minute: 24 * 60
            case .hour: 24
            case .raw, .day, .week, .month: 1
            }
        return min(daysMax(of: types), max(1, buckets / (inDay * max(1, types))))
    }

    /// The buckets with values that start in a span of time, in no order. Errors: those of `PersonSamples`.
    func starting(from start: Timestamp, to end: Timestamp, of types: [DataType]) async throws -> [Bucket] {
        var found: [Bucket] = []
        if granularity == .minute {
            for type in types { found += try await minutes(of: type, from: start, to: end) }
        } else {
            found = try await summedUp(types, from: start, to: end)
        }
        let early = period.lowerBound + Measurement.durationMax.milliseconds
        guard found.contains(where: { $0.type == .sleep && $0.start.milliseconds <= early }) else { return found }
        let sleep = try await EarlySleep(before: period.lowerBound, of: account, person, in: samples)
        return found.filter { $0.type != .sleep || !sleep.isIn($0) }
    }

    private func isWhole(_ start: Int64, _ end: Int64) -> Bool {
        start >= period.lowerBound && end <= period.upperBound
    }

    private func minutes(of type: DataType, from start: Timestamp, to end: Timestamp) async throws -> [Bucket] {
        let (order, span) = (person.order(of: type), start.millisecondsUp..<max(start, end).millisecondsUp)
        // Which source counts follows from whole hours, of sleep from whole local days.
        let around = Duration.milliseconds(type == .sleep ? LocalTime.dayMilliseconds : LocalTime.hourMilliseconds)
        return try await samples.reduce(
            of: account, type, from: start - Measurement.durationMax - around, to: end + around, person,
            into: CountedMinutes(type: type)
        ) { minutes, _, block in
            if let block { try minutes.add(block) }
        } then: { minutes in
            var found: [Int64: Bucket] = [:]
            for minute in minutes.counted(order) where span.contains(minute.start) {
                add(minute.values, of: type, minute.start, LocalTime.minuteMilliseconds, to: &found)
            }
            return Array(found.values)
        }
    }

    /// Adds to a minute or an hour. What was measured in several zones may come in parts.
    private func add(
        _ values: SummaryValues, of type: DataType, _ start: Int64, _ length: Int64, hour: Int? = nil,
        to found: inout [Int64: Bucket]
    ) {
        guard values.hasValues, isWhole(start, start + length) else { return }
        let (first, end) = (Timestamp(milliseconds: start), Timestamp(milliseconds: start + length))
        var bucket = found[start] ?? Bucket(type: type, start: first, end: end)
        bucket.values.merge(values)
        if let hour { bucket.hours.insert(hour) }
        found[start] = bucket
    }

    /// Hours, days or weeks.
    private func summedUp(
        _ types: [DataType], from start: Timestamp, to end: Timestamp
    ) async throws -> [Bucket] {
        // Of hours also the days around it, for what was measured in other zones.
        let around = granularity == .hour ? 2 : 0
        let first = granularity.firstDay(of: person.zone.day(of: start)).adding(days: -around)
        let last = granularity.lastDay(of: person.zone.day(of: end - .milliseconds(1))).adding(days: around)
        guard first <= last else { return [] }
        let summaries = try await samples.summaries(
            of: account, types: DataType.mask(types), days: CountedDay.blockDays(of: first...last), person)
        return try await samples.threads.computing {
            types.flatMap { type in
                let days = CountedDay.days(of: type, in: summaries[type] ?? [:], order: person.order(of: type))
                    .filter { (first...last).contains($0.day) }
                return granularity == .hour ? hours(of: days, type) : longer(days, of: type)
            }.filter { $0.start >= start && $0.start < end }
        }
    }

    private func hours(of days: [CountedDay], _ type: DataType) -> [Bucket] {
        var found: [Int64: Bucket] = [:]
        for hour in days.flatMap(\.hours) {
            add(hour.values, of: type, hour.start, LocalTime.hourMilliseconds, hour: hour.number, to: &found)
        }
        return Array(found.values)
    }

    private func longer(_ days: [CountedDay], of type: DataType) -> [Bucket] {
        var (found, outside) = ([CalendarDate: Bucket](), Set<CalendarDate>())
        for day in days {
            let first = granularity.firstDay(of: day.day)
            let end = person.zone.start(of: granularity.lastDay(of: first).adding(days: 1))
            var bucket = found[first] ?? Bucket(type: type, start: person.zone.start(of: first), end: end)
            for hour in day.hours where hour.values.hasValues {
                // In a zone in which the day is at another time than where the person lives.
                if !isWhole(hour.start, hour.start + LocalTime.hourMilliseconds) { outside.insert(first) }
                bucket.hours.insert(hour.number)
                bucket.values.merge(hour.values)
            }
            found[first] = bucket
        }
        return found.filter { first, bucket in
            bucket.values.hasValues && !outside.contains(first)
                && isWhole(bucket.start.milliseconds, bucket.end.milliseconds)
        }.map(\.value)
    }
}

/// Sleep that began before a period and ended in it: all of it counts where it ended.
private struct EarlySleep {
    private struct End: Sendable {
        let time: Int64
        let zone: Int16
    }

    private let ends: [End]
    /// Of some of the days there are no samples any more (ING-10): when their sleep began is not known.
    private let isUnknown: Bool
    private let start: Int64

    /// `start` is in milliseconds since 1970.
    init(before start: Int64, of account: UUID, _ person: PersonContext, in samples: PersonSamples) async throws {
        let time = Timestamp(milliseconds: start)
        let found = try await samples.reduce(
            of: account, .sleep, from: time - Measurement.durationMax, to: time, person,
            into: (ends: [End](), unknown: false)
        ) { found, day, block in
            guard let block else {
                found.unknown = found.unknown || day >= time.dateUTC
                return
            }
            for values in block.sources.map(\.values) {
                for index in values.times.range(from: .min, to: start) {
                    let end = values.times[index] + values.duration(index)
                    if end >= start { found.ends.append(End(time: end, zone: values.zones[index])) }
                }
            }
        } then: {
            $0
        }
        (ends, isUnknown, self.start) = (found.ends, found.unknown, start)
    }

    func isIn(_ bucket: WholeBuckets.Bucket) -> Bool {
        let (first, next) = (bucket.start.milliseconds, bucket.end.milliseconds)
        if isUnknown, first <= start + Measurement.durationMax.milliseconds { return true }
        return ends.contains { end in
            bucket.hours.isEmpty
                ? end.time >= first && end.time < next
                : bucket.hours.contains(LocalTime.hour(of: end.time, zone: end.zone))
        }
    }
}
