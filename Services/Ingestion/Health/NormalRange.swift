import Domain

/// The values that are usual at an age (ING-09). What is critical is decided by AutomatedSOS with limits of its own.
struct NormalRange: Sendable, Equatable {
    let bounds: ClosedRange<Double>
    /// Of the upper bound, and of the lower one unless that has another.
    let source: MedicalSource
    private(set) var lowSource: MedicalSource?

    /// Of the resting pulse (`DayValue.resting`), of the mean of a day of other rates, of the highest temperature (95th percentile),
    /// of the sum of a night's sleep. `nil` where no range holds for that type and age (in years).
    init?(of type: DataType, age: Int) {
        switch type {
        case .heartRate where age >= 18: self.init(40...100, .restingPulse)
        case .respirationRate where age >= 16: self.init(12...20, .earlyWarning)
        case .heartRate, .respirationRate:
            guard let child = Self.child(type, age) else { return nil }
            self = child
        case .oxygenSaturation: self.init(95...100, .oximetry)
        case .bodyTemperature where age >= 16: self.init(36.1...38, .earlyWarning)
        case .bloodPressureSystolic where age >= 18:
            self.init(90...134.9, .homeBloodPressure, low: .lowBloodPressure)
        case .bloodPressureDiastolic where age >= 18:
            self.init(60...84.9, .homeBloodPressure, low: .lowBloodPressure)
        case .glucose where age >= 7: self.init(70...140, .glucose)
        case .sleep: self.init(Self.sleepHours(age), .sleep)
        default: return nil
        }
    }

    private init(_ bounds: ClosedRange<Double>, _ source: MedicalSource, low: MedicalSource? = nil) {
        self.bounds = bounds
        self.source = source
        lowSource = low
    }

    /// From the 1st to the 99th centile.
    private static func child(_ type: DataType, _ age: Int) -> NormalRange? {
        let (heart, respiration): (ClosedRange<Double>, ClosedRange<Double>)
        switch age {
        case 2: (heart, respiration) = (76...142, 18...38)
        case 3: (heart, respiration) = (70...136, 17...33)
        case 4..<6: (heart, respiration) = (65...131, 17...29)
        case 6..<8: (heart, respiration) = (59...123, 16...27)
        case 8..<12: (heart, respiration) = (52...115, 14...25)
        case 12..<15: (heart, respiration) = (47...108, 12...23)
        case 15..<18: (heart, respiration) = (43...104, 11...22)
        default: return nil
        }
        return NormalRange(type == .heartRate ? heart : respiration, .childVitals)
    }

    /// In minutes.
    private static func sleepHours(_ age: Int) -> ClosedRange<Double> {
        switch age {
        case ..<1: 720...900
        case 1..<3: 660...840
        case 3..<6: 600...780
        case 6..<14: 540...660
        case 14..<18: 480...600
        case 18..<65: 420...540
        default: 420...480
        }
    }
}

/// A person's values of the last week that are outside of what is usual at the age.
struct OutOfRange: Sendable, Equatable {
    let type: DataType
    /// The mean of the days.
    let value: Double
    let range: NormalRange
    let days: Int

    var isHigh: Bool { value > range.bounds.upperBound }
    var source: MedicalSource { isHigh ? range.source : range.lowSource ?? range.source }

    /// In the order of the types. None without an age, and none of what there is too little of (`NeededData`).
    static func findings(_ history: HealthHistory) -> [OutOfRange] {
        guard let age = history.age else { return [] }
        return DataType.allCases.compactMap { type in
            guard let range = NormalRange(of: type, age: age) else { return nil }
            let days = history.days(type, last: 7).map(\.value)
            guard NeededData(of: type).isMet(by: days), let value = days.compactMap({ compared(type, $0) }).mean(),
                !range.bounds.contains((value * 10).rounded() / 10)
            else { return nil }
            return OutOfRange(type: type, value: value, range: range, days: days.count)
        }
    }

    private static func compared(_ type: DataType, _ value: DayValue) -> Double? {
        switch type {
        case .heartRate: value.resting
        case .bodyTemperature: value.high
        case .sleep: value.sum
        default: value.mean
        }
    }
}
