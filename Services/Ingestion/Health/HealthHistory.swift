import Domain
import Primitives

/// One person's values of one data type on one local day.
struct DayValue: Sendable, Equatable {
    /// Of rates and states: an hour counts as one with values when they are known for so many milliseconds of it.
    static let knownMin: Int64 = 600_000
    /// Hours and readings of a day that tell what a rate is at rest.
    static let restHoursMin = 8
    static let restReadingsMin = 8

    /// Readings with contact, or samples of a counter.
    var count: Int
    /// Hours of the clock with values.
    var hours: Int
    /// Of rates, weighted by time.
    var mean = 0.0
    /// Of rates, at rest: the mean by time of the hour in which it is least. Not a percentile of readings, of which a device takes
    /// a hundred times as many in a run. `nil` where hours or readings are too few.
    var resting: Double?
    /// The 95th percentile of a rate's readings.
    var high = 0.0
    /// Of counters.
    var sum = 0.0
}

/// What the health view is computed from: one person's last days, by local day. The day that is not over does not count.
struct HealthHistory: Sendable {
    /// Days that are looked back.
    static let daysMax = 210
    static let activityHoursMin = 8

    /// The person's local day.
    let today: CalendarDate
    let birthDate: CalendarDate?
    var values: [DataType: [CalendarDate: DayValue]] = [:]
    /// Minutes of activity that is at least moderate (`Activity.isModerate`), of days on which is known for at least
    /// `activityHoursMin` hours what the person did: a recorded run says nothing of the rest of its day.
    var moderateMinutes: [CalendarDate: Double] = [:]
    /// In centimetres, whenever it was measured.
    var height: Double?

    /// In years.
    var age: Int? { birthDate.map { today.age(bornOn: $0) } }

    /// The values of those of `count` days that have enough (`NeededData`), the last of which is `ending` days before today; in the
    /// order of days.
    func days(_ type: DataType, last count: Int, ending: Int = 1) -> [(day: CalendarDate, value: DayValue)] {
        guard let days = values[type] else { return [] }
        let needed = NeededData(of: type)
        return stride(from: ending + count - 1, through: ending, by: -1).compactMap { back in
            let day = today.adding(days: -back)
            guard let value = days[day], needed.isMet(by: value) else { return nil }
            return (day, value)
        }
    }

    /// The mean over days of a part of their values; `nil` for fewer than `daysMin` days.
    func mean(
        _ type: DataType, _ part: (DayValue) -> Double, last count: Int, ending: Int = 1, daysMin: Int
    ) -> Double? {
        days(type, last: count, ending: ending).map { part($0.value) }.mean(countMin: daysMin)
    }
}

extension [Double] {
    /// `nil` for fewer than `countMin` numbers.
    func mean(countMin: Int = 1) -> Double? {
        guard count >= Swift.max(1, countMin) else { return nil }
        return reduce(0, +) / Double(count)
    }

    /// Of the sample, with n − 1; `nil` for fewer than two numbers.
    var standardDeviation: Double? {
        guard count > 1, let mean = mean() else { return nil }
        return (reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count - 1)).squareRoot()
    }
}

extension Activity {
    /// Whether adults burn at least 3 times as much as at rest (3 MET: Ainsworth and others 2011, Compendium of Physical
    /// Activities). Plain walking counts: its compendium value at 4.5 km/h and more is 3.0 to 3.5.
    var isModerate: Bool {
        switch kind {
        case .walking, .running, .cycling, .swimming, .hiking, .rowing, .strengthTraining, .dancing, .skiing: true
        case .still, .driving, .other: false
        }
    }
}
