import Domain
import Primitives

/// What there has to be of a data type before anything is said of it (ING-13): as much as the medical source of the statement
/// means by the value. What a person measures on purpose (temperature, pressure, weight, glucose) is a value with one reading.
struct NeededData: Sendable, Equatable {
    /// Hours of the clock of a day with values (`DayValue.hours`).
    var dayHours = 0
    /// Readings of a day.
    var dayReadings = 1
    /// Days like that in the last week, so that one bad night is no finding.
    let days = 3
    /// Readings on all of them.
    var readings = 0

    init(of type: DataType) {
        switch type {
        // A pulse is one at rest only where the day has been looked through for it: of a run alone none is known.
        case .heartRate: (dayHours, dayReadings) = (DayValue.restHoursMin, DayValue.restReadingsMin)
        case .respirationRate: dayHours = 4
        // One recorded walk is not a day's steps.
        case .steps: dayHours = 4
        // A finger that moves reads low once.
        case .oxygenSaturation: dayReadings = 3
        // Home readings: Mancia and others 2023.
        case .bloodPressureSystolic, .bloodPressureDiastolic: readings = 12
        // After meals everybody's glucose is high.
        case .glucose: readings = 7
        default: break
        }
    }

    /// Whether a day counts.
    func isMet(by day: DayValue) -> Bool { day.hours >= dayHours && day.count >= dayReadings }

    /// Whether days that count are enough for a statement about a week.
    func isMet(by days: [DayValue]) -> Bool {
        days.count >= self.days && days.reduce(0) { $0 + $1.count } >= readings
    }
}

/// A data type with values in the last week of which nothing is said, because they are too few (ING-13).
struct TooLittleData: Sendable, Equatable {
    let type: DataType
    /// Days of the last week that count, and the readings on them.
    let days: Int
    let readings: Int

    var needed: NeededData { NeededData(of: type) }

    /// In the order of the types; of those that are compared with what is usual at the age, or for an adult where it is not known.
    static func all(_ history: HealthHistory) -> [TooLittleData] {
        DataType.allCases.compactMap { type in
            guard NormalRange(of: type, age: history.age ?? 18) != nil,
                (1...7).contains(where: { history.values[type]?[history.today.adding(days: -$0)] != nil })
            else { return nil }
            let days = history.days(type, last: 7).map(\.value)
            guard !NeededData(of: type).isMet(by: days) else { return nil }
            return TooLittleData(type: type, days: days.count, readings: days.reduce(0) { $0 + $1.count })
        }
    }
}
