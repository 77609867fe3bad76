import Domain
import Primitives

/// A trend for which the person should see a physician (ING-09). Each needs several days, so that one reading causes none.
enum HealthAdvice: Sendable, Equatable {
    /// The mean of the last week's home readings, in mmHg.
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
    /// Mean glucose of the last week above 180 mg/dL.
    case glucoseHigh(mean: Double)

    var source: MedicalSource {
        switch self {
        case .bloodPressureHigh: .homeBloodPressure
        case .oxygenLow: .oximetry
        case .fever: .earlyWarning
        case .restingPulseRisen: .restingPulseTrend
        case .restingPulseHigh: .restingPulse
        case .weightLost: .weightLoss
        case .glucoseHigh: .glucose
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
        guard let systolic = history.mean(.bloodPressureSystolic, \.mean, last: 7, daysMin: 3),
            let diastolic = history.mean(.bloodPressureDiastolic, \.mean, last: 7, daysMin: 3),
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
        let pulses = history.days(.heartRate, last: 7).map(\.value.low)
        guard pulses.count >= 5, pulses.allSatisfy({ $0 > 100 }), let mean = pulses.mean() else { return nil }
        return .restingPulseHigh(mean: mean)
    }

    /// Each of the last three days more than two standard deviations, and 5 per minute at least, above the mean of four weeks.
    private static func pulseRisen(_ history: HealthHistory) -> HealthAdvice? {
        let now = history.days(.heartRate, last: 3).map(\.value.low)
        let before = history.days(.heartRate, last: 28, ending: 4).map(\.value.low)
        guard now.count == 3, let usual = before.mean(countMin: 14), let deviation = before.standardDeviation,
            now.allSatisfy({ $0 >= usual + max(5, 2 * deviation) }), let mean = now.mean()
        else { return nil }
        return .restingPulseRisen(now: mean, before: usual)
    }

    private static func weight(_ history: HealthHistory) -> HealthAdvice? {
        guard let now = history.mean(.weight, \.mean, last: 14, daysMin: 1),
            let before = history.mean(.weight, \.mean, last: 60, ending: 120, daysMin: 1), before > 0
        else { return nil }
        let percent = 100 * (before - now) / before
        return percent > 5 ? .weightLost(percent: percent) : nil
    }

    private static func glucose(_ history: HealthHistory) -> HealthAdvice? {
        guard let mean = history.mean(.glucose, \.mean, last: 7, daysMin: 3), mean > 180 else { return nil }
        return .glucoseHigh(mean: mean)
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
