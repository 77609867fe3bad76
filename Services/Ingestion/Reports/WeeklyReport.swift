import Domain
import Primitives

/// A person's week from Monday to Sunday, in local days (ING-11): for each data type of the report the mean of the days, how it
/// compares with the week before, and a small chart.
struct WeeklyReport: Sendable, Equatable {
    struct Line: Sendable, Equatable {
        let type: DataType
        /// From Monday; `nil` for a day without values. Of the heart rate it is that at rest (`DayValue.resting`).
        let days: [Double?]
        /// Over the days that have values.
        let mean: Double
        /// `nil` when one of the two weeks has fewer than `daysMin` days with values (ING-13).
        let change: Double?
    }

    /// Days that a comparison with another week needs.
    static let daysMin = 4
    static let types: [DataType] = [
        .steps, .distance, .activeEnergy, .sleep, .heartRate, .oxygenSaturation, .bloodPressureSystolic,
        .bloodPressureDiastolic, .glucose, .weight, .stressLevel, .wellBeing,
    ]

    let monday: CalendarDate
    let lines: [Line]

    var isEmpty: Bool { lines.isEmpty }

    /// The week that begins at `monday`.
    init(_ history: HealthHistory, monday: CalendarDate) {
        self.monday = monday
        lines = Self.types.compactMap { type in
            let days = Self.week(of: type, monday, history)
            guard let mean = days.compactMap({ $0 }).mean() else { return nil }
            let before = Self.week(of: type, monday.adding(days: -7), history).compactMap { $0 }
            let isComparable = days.count { $0 != nil } >= Self.daysMin
            let change = isComparable ? before.mean(countMin: Self.daysMin).map { mean - $0 } : nil
            return Line(type: type, days: days, mean: mean, change: change)
        }
    }

    private static func week(of type: DataType, _ monday: CalendarDate, _ history: HealthHistory) -> [Double?] {
        (0..<7).map { day in
            history.values[type]?[monday.adding(days: day)].flatMap { value in
                switch type {
                case .heartRate: value.resting
                default: type.kind == .counter ? value.sum : value.mean
                }
            }
        }
    }

    /// The body of the message, a line per data type.
    func text(in language: Language) -> String {
        let texts = HealthTexts(language: language)
        return lines.map { line in
            let hours = line.type == .sleep
            let scale = hours ? 1 / 60.0 : 1
            let decimals = hours || line.type.decimals > 0 && line.type.kind == .rate ? 1 : 0
            let unit = hours ? "h" : line.type == .steps ? "" : line.type.unit.description
            var text =
                "\(Sparkline(line.days))  \(texts.name(line.type)): \(texts.number(line.mean * scale, decimals: decimals))"
            if !unit.isEmpty { text += " \(unit)" }
            if let change = line.change {
                let sign = change >= 0 ? "+" : "−"
                text += " (\(sign)\(texts.number(abs(change) * scale, decimals: decimals)))"
            }
            return text
        }.joined(separator: "\n")
    }
}
