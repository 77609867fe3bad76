import Domain

/// The ages that share thresholds in the rule set `age`.
enum AgeBand: Sendable {
    case under3Months, under1Year, under4Years, under12Years, under16Years, adult

    init(ageMonths: Int) {
        self =
            switch ageMonths {
            case ..<3: .under3Months
            case ..<12: .under1Year
            case ..<48: .under4Years
            case ..<144: .under12Years
            case ..<192: .under16Years
            default: .adult
            }
    }

    /// In mg/dL.
    static let glucoseMin = 54.0

    /// What the heart rate may fall to in sleep; `nil` for those whose limit stays. Healthy young people's hearts beat 30 to 43
    /// times a minute asleep, and that is no reason for treatment at any age (Kusumoto and others, 2018 ACC/AHA/HRS guideline
    /// on bradycardia, Circulation 2019, 140:e382). From 65 on the margin is smaller, since a block of
    /// the conduction, whose escape rhythm is 20 to 40, is more likely there.
    static func sleepingHeartRateMin(ageMonths: Int) -> Double? {
        switch ageMonths {
        case ..<192: nil
        case ..<780: 30
        default: 33
        }
    }

    func limits(for type: DataType) -> VitalLimits? {
        switch type {
        case .heartRate: heartRate
        case .respirationRate: respirationRate
        case .bloodPressureSystolic: systolicPressure
        case .oxygenSaturation: VitalLimits(atMost: self == .adult ? 91 : 90, atLeast: nil)
        // NEWS2 gives no score of 3 for fever.
        case .bodyTemperature:
            self == .adult ? VitalLimits(atMost: 35, atLeast: nil) : VitalLimits(below: 35, above: 40)
        // Level 2 of hypoglycaemia, which asks for action at once (American Diabetes Association, Standards of Care in
        // Diabetes, section 6). There is no limit above: what is high is no matter of seconds.
        case .glucose: VitalLimits(below: Self.glucoseMin, above: nil)
        // No score of a watch has a clinical limit. Vendors call 76 to 100 of 100 high; beyond 95 at rest for a quarter of
        // an hour is told to the contacts, never to an ambulance service.
        case .stressLevel: VitalLimits(below: nil, above: 95)
        default: nil
        }
    }

    private var heartRate: VitalLimits {
        switch self {
        case .under3Months: VitalLimits(atMost: 80, atLeast: 190)
        case .under1Year: VitalLimits(atMost: 70, atLeast: 180)
        case .under4Years: VitalLimits(atMost: 60, atLeast: 170)
        case .under12Years: VitalLimits(atMost: 50, above: 150)
        case .under16Years: VitalLimits(atMost: 40, atLeast: 140)
        case .adult: VitalLimits(atMost: 40, atLeast: 131)
        }
    }

    private var respirationRate: VitalLimits {
        switch self {
        case .under3Months: VitalLimits(atMost: 15, atLeast: 91)
        case .under1Year: VitalLimits(atMost: 15, atLeast: 81)
        case .under4Years: VitalLimits(atMost: 12, atLeast: 71)
        case .under12Years: VitalLimits(atMost: 10, atLeast: 51)
        case .under16Years: VitalLimits(atMost: 9, atLeast: 30)
        case .adult: VitalLimits(atMost: 8, atLeast: 25)
        }
    }

    private var systolicPressure: VitalLimits {
        switch self {
        case .under3Months: VitalLimits(atMost: 45, atLeast: 130)
        case .under1Year: VitalLimits(atMost: 60, atLeast: 150)
        case .under4Years: VitalLimits(atMost: 65, atLeast: 160)
        case .under12Years: VitalLimits(atMost: 70, atLeast: 170)
        case .under16Years: VitalLimits(atMost: 75, atLeast: 190)
        case .adult: VitalLimits(atMost: 90, atLeast: 220)
        }
    }
}
