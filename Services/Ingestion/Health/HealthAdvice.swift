import Domain
import Primitives

/// A trend for which the person should see a physician (ING-09). Each needs several days, so that one reading causes none.
enum HealthAdvice: Sendable, Equatable {
    /// The mean of the last week's home readings, in mmHg; of 12 at least, as the source asks for.
    case bloodPressureHigh(systolic: Double, diastolic: Double)
    /// Days of the last week whose mean was below 94%.
    case oxygenLow(days: Int)
    /// Days in a row until yesterday with fever.
    case fever(days: Int)
    /// The resting pulse of the last three days against that of the four weeks before.
    case restingPulseRisen(now: Double, before: Double)
    /// The resting pulse of each day of the last week was above 100.
    case restingPulseHigh(mean: Double)
    /// In percent within six months.
    case weightLost(percent: Double)
    /// Days of the last week with glucose of 200 mg/dL and more.
    case glucoseHigh(days: Int)

    var source: MedicalSource {
        switch self {
        case .bloodPressureHigh: .homeBloodPressure
        case .oxygenLow: .oximetry
        case .fever: .earlyWarning
        case .restingPulseRisen: .restingPulseTrend
        case .restingPulseHigh: .restingPulse
        case .weightLost: .weightLoss
        case .glucoseHigh: .glucoseDiagnosis
        }
    }

    /// In kebab case.
    var code: String {
        switch self {
        case .bloodPressureHigh: "blood-pressure-high"
        case .oxygenLow: "oxygen-low"
        case .fever: "fever"
        case .restingPulseRisen: "resting-pulse-risen"
        case .restingPulseHigh: "resting-pulse-high"
        case .weightLost: "weight-lost"
        case .glucoseHigh: "glucose-high"
        }
    }

    /// For adults and people of unknown age; children's limits differ, and only fever, saturation and loss of weight are told.
    static func all(_ history: HealthHistory) -> [HealthAdvice] {
        let isAdult = history.age.map { $0 >= 18 } ?? true
        let adults = isAdult ? [bloodPressure(history), pulseHigh(history), pulseRisen(history), glucose(history)] : []
        return (adults + [oxygen(history), fever(history), weight(history)]).compactMap { $0 }
    }

    private static func bloodPressure(_ history: HealthHistory) -> HealthAdvice? {
        func mean(_ type: DataType) -> Double? {
            let days = history.days(type, last: 7).map(\.value)
            return NeededData(of: type).isMet(by: days) ? days.map(\.mean).mean() : nil
        }
        guard let systolic = mean(.bloodPressureSystolic), let diastolic = mean(.bloodPressureDiastolic),
            systolic >= 135 || diastolic >= 85
        else { return nil }
        return .bloodPressureHigh(systolic: systolic, diastolic: diastolic)
    }

    private static func oxygen(_ history: HealthHistory) -> HealthAdvice? {
        let days = history.days(.oxygenSaturation, last: 7).count { $0.value.mean < 94 }
        return days >= 3 ? .oxygenLow(days: days) : nil
    }

    private static func fever(_ history: HealthHistory) -> HealthAdvice? {
        var days = 0
        while let value = history.values[.bodyTemperature]?[history.today.adding(days: -1 - days)], value.high > 38 {
            days += 1
        }
        return days >= 3 ? .fever(days: days) : nil
    }

    private static func pulseHigh(_ history: HealthHistory) -> HealthAdvice? {
        let pulses = history.days(.heartRate, last: 7).compactMap(\.value.resting)
        guard pulses.count >= 5, pulses.allSatisfy({ $0 > 100 }), let mean = pulses.mean() else { return nil }
        return .restingPulseHigh(mean: mean)
    }

    /// Each of the last three days more than two standard deviations, and 5 per minute at least, above the mean of four weeks.
    private static func pulseRisen(_ history: HealthHistory) -> HealthAdvice? {
        let now = history.days(.heartRate, last: 3).compactMap(\.value.resting)
        let before = history.days(.heartRate, last: 28, ending: 4).compactMap(\.value.resting)
        guard now.count == 3, let usual = before.mean(countMin: 14), let deviation = before.standardDeviation,
            now.allSatisfy({ $0 >= usual + max(5, 2 * deviation) }), let mean = now.mean()
        else { return nil }
        return .restingPulseRisen(now: mean, before: usual)
    }

    /// Two days each: one may be a slip of the pen, or somebody else's.
    private static func weight(_ history: HealthHistory) -> HealthAdvice? {
        guard let now = history.mean(.weight, \.mean, last: 28, daysMin: 2),
            let before = history.mean(.weight, \.mean, last: 60, ending: 120, daysMin: 2), before > 0
        else { return nil }
        let percent = 100 * (before - now) / before
        return percent > 5 ? .weightLost(percent: percent) : nil
    }

    /// Whether a reading was taken before breakfast is not known; so much is too high at any time, and a second day has to
    /// confirm it.
    private static func glucose(_ history: HealthHistory) -> HealthAdvice? {
        let days = history.days(.glucose, last: 7).count { $0.value.high >= 200 }
        return days >= 2 ? .glucoseHigh(days: days) : nil
    }
}

/// What would raise the score (ING-09).
enum HealthTip: String, Sendable, CaseIterable, Encodable {
    case moveMore = "move-more"
    case sleepLonger = "sleep-longer"
    case sleepRegularly = "sleep-regularly"
    case watchWeight = "watch-weight"
    case watchBloodPressure = "watch-blood-pressure"
    case measureMore = "measure-more"

    var source: MedicalSource? {
        switch self {
        case .moveMore: .activity
        case .sleepLonger, .sleepRegularly: .sleep
        case .watchWeight: .bodyMass
        case .watchBloodPressure: .bloodPressure
        case .measureMore: nil
        }
    }

    /// In the order in which they raise the score most.
    static func all(_ score: HealthScore) -> [HealthTip] {
        var tips = score.parts.filter { $0.points < 100 }.sorted { $0.points < $1.points }.map { part -> HealthTip in
            switch part.component {
            case .activity: .moveMore
            case .sleep: part.value < 7 ? .sleepLonger : .sleepRegularly
            case .bodyMass: .watchWeight
            case .bloodPressure: .watchBloodPressure
            }
        }
        if score.missing == .tooLittleData { tips.append(.measureMore) }
        return tips
    }
}
