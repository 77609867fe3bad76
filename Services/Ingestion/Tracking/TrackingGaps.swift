import Domain
import Primitives

/// When something was measured of a person, and when not (ING-12), by the hours of the summaries: an hour is covered for as
/// long as values of it are known (a reading holds 5 minutes at most), one with positions as a whole. Of several devices the
/// one that covers more of an hour counts. Computed on worker threads.
struct TrackingGaps: Sendable {
    /// What goes on all day while a device is worn, and is looked for unless a type is named.
    static let types: [DataType] = [
        .position, .heartRate, .oxygenSaturation, .respirationRate, .bodyTemperature, .stressLevel,
    ]

    /// Why nothing was measured, as far as it is known.
    enum Reason: String, Encodable, Sendable, CaseIterable {
        /// Collection of the type's group was paused for some of the time.
        case paused
        /// The devices that measured it were removed, and no other has measured it since.
        case deviceRemoved = "device-removed"
        /// The devices that measured it are not allowed to provide it any more.
        case notCollected = "not-collected"
        /// For most of the time nothing at all came from any device.
        case deviceSilent = "device-silent"
        /// Devices sent other data meanwhile: it was not worn, or its sensor saw nothing.
        case notMeasured = "not-measured"
    }

    struct Gap: Sendable, Equatable {
        let from: Timestamp
        let to: Timestamp
        let hours: Int
        let reason: Reason
    }

    struct Day: Sendable, Equatable {
        let day: CalendarDate
        /// Part of its hours until now, 0 to 1.
        let covered: Double
    }

    struct OfType: Sendable, Equatable {
        let type: DataType
        let covered: Double
        let days: [Day]
        let gaps: [Gap]
    }

    let hours: TrackedHours
    let known: TrackingKnowledge
    /// Gaps of fewer hours are not listed.
    let hoursMin: Int
    /// By type, and by the number of the hour since 1970: how long values are known.
    private var covered: [DataType: [Int: Int64]] = [:]
    /// Hours in which a device sent anything.
    private var sent: Set<Int> = []
    /// The devices that a type came from, by their numbers.
    private var devices: [DataType: Set<Int16>] = [:]

    init(
        _ summaries: [DataType: [CalendarDate: DaySummary]], hours: TrackedHours, known: TrackingKnowledge,
        hoursMin: Int
    ) {
        self.hours = hours
        self.known = known
        self.hoursMin = hoursMin
        for (type, days) in summaries {
            for summary in days.values {
                for source in summary.sources { add(source, of: type, on: summary.day) }
            }
        }
    }

    private mutating func add(_ source: DaySummary.Source, of type: DataType, on day: CalendarDate) {
        guard known.devices[source.source] != nil else { return }
        for hour in source.hours {
            let number = hour.number(on: day)
            let values = hour.values
            if values.hasValues || values.withoutContact > 0 { sent.insert(number) }
            let time =
                switch type.kind {
                case .rate, .state: min(values.weight, LocalTime.hourMilliseconds)
                case .counter, .position: values.hasValues ? LocalTime.hourMilliseconds : 0
                }
            guard time > 0 else { continue }
            let before = covered[type, default: [:]][number] ?? 0
            covered[type, default: [:]][number] = max(before, time)
            devices[type, default: []].insert(source.source)
        }
    }

    /// Of those types that came from a device.
    func measured() -> [OfType] { Self.types.filter { covered[$0] != nil }.map(of) }

    func of(_ type: DataType) -> OfType {
        let own = covered[type] ?? [:]
        var days: [Day] = []
        var (all, inDay, count, gaps) = (Int64(0), Int64(0), Int64(0), [Gap]())
        var begin: Int?
        for (index, hour) in hours.hours.enumerated() {
            let time = own[hour.number] ?? 0
            (inDay, count, all) = (inDay + time, count + LocalTime.hourMilliseconds, all + time)
            if time == 0, begin == nil { begin = index }
            if time > 0, let first = begin {
                gaps += gap(of: type, first..<index)
                begin = nil
            }
            if index + 1 == hours.hours.count || hours.hours[index + 1].day != hour.day {
                days.append(Day(day: hour.day, covered: Double(inDay) / Double(count)))
                (inDay, count) = (0, 0)
            }
        }
        if let first = begin { gaps += gap(of: type, first..<hours.hours.count) }
        let whole = Int64(hours.hours.count) * LocalTime.hourMilliseconds
        return OfType(type: type, covered: whole > 0 ? Double(all) / Double(whole) : 0, days: days, gaps: gaps)
    }

    /// None when it is too short.
    private func gap(of type: DataType, _ range: Range<Int>) -> [Gap] {
        guard range.count >= hoursMin else { return [] }
        let part = hours.hours[range]
        guard let first = part.first, let last = part.last else { return [] }
        let end = last.start &+ LocalTime.hourMilliseconds
        let isOpen = hours.reachesNow && range.upperBound == hours.hours.count
        let silent = part.count { !sent.contains($0.number) }
        return [
            Gap(
                from: Timestamp(milliseconds: first.start), to: Timestamp(milliseconds: end), hours: range.count,
                reason: known.reason(
                    of: type, first.start..<end, isOpen: isOpen, devices: devices[type] ?? [],
                    isSilent: 2 * silent > part.count))
        ]
    }
}
