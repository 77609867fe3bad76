/// What holds for one data type. LOINC 2.80 codes; plausible ranges are what a living body or a working device can give,
/// wider than any alarm; group bounds are public and hold nearly everybody, so that clamping bends few means.
struct DataTypeDefinition: Sendable {
    let name: String
    let unit: Unit
    var loinc: String?
    let plausible: ClosedRange<Double>
    let decimals: Int
    var kind = DataType.Kind.rate
    var isVitalSign = false
    var groupBounds: GroupBounds?
    var hourlyGroupBounds: GroupBounds?
}

extension DataType {
    var definition: DataTypeDefinition { Self.definitions[Int(rawValue) - 1] }

    /// In the order of the numbers.
    private static let definitions = allCases.map(\.made)

    private var made: DataTypeDefinition {
        switch self {
        case .position:
            .init(name: "position", unit: .degree, plausible: -180...180, decimals: 7, kind: .position)
        case .heartRate:
            .init(
                name: "heart-rate", unit: .perMinute, loinc: "8867-4", plausible: 0...300, decimals: 1,
                isVitalSign: true, groupBounds: .init(30, 220, step: 1))
        case .bloodPressureSystolic:
            .init(
                name: "blood-pressure-systolic", unit: .millimetreOfMercury, loinc: "8480-6", plausible: 20...350,
                decimals: 1, isVitalSign: true, groupBounds: .init(60, 250, step: 1))
        case .bloodPressureDiastolic:
            .init(
                name: "blood-pressure-diastolic", unit: .millimetreOfMercury, loinc: "8462-4", plausible: 10...250,
                decimals: 1, isVitalSign: true, groupBounds: .init(30, 160, step: 1))
        case .oxygenSaturation:
            .init(
                name: "oxygen-saturation", unit: .percent, loinc: "59408-5", plausible: 0...100, decimals: 1,
                isVitalSign: true, groupBounds: .init(70, 100, step: 0.1))
        case .respirationRate:
            .init(
                name: "respiration-rate", unit: .perMinute, loinc: "9279-1", plausible: 0...150, decimals: 1,
                isVitalSign: true, groupBounds: .init(4, 60, step: 0.5))
        case .bodyTemperature:
            .init(
                name: "body-temperature", unit: .celsius, loinc: "8310-5", plausible: 20...46, decimals: 2,
                isVitalSign: true, groupBounds: .init(34, 42, step: 0.05))
        case .glucose:
            .init(
                name: "glucose", unit: .milligramPerDecilitre, loinc: "2339-0", plausible: 10...1500, decimals: 1,
                isVitalSign: true, groupBounds: .init(40, 400, step: 1))
        case .stressLevel:
            .init(
                name: "stress-level", unit: .score, plausible: 0...100, decimals: 0, isVitalSign: true,
                groupBounds: .init(0, 100, step: 1))
        case .steps:
            .init(
                name: "steps", unit: .steps, loinc: "55423-8", plausible: 0...200_000, decimals: 1, kind: .counter,
                groupBounds: .init(0, 40_000, step: 50), hourlyGroupBounds: .init(0, 10_000, step: 10))
        case .distance:
            .init(
                name: "distance", unit: .metre, loinc: "55430-3", plausible: 0...300_000, decimals: 1, kind: .counter,
                groupBounds: .init(0, 40_000, step: 50), hourlyGroupBounds: .init(0, 20_000, step: 20))
        case .activeEnergy:
            .init(
                name: "active-energy", unit: .kilocalorie, loinc: "41981-2", plausible: 0...20_000, decimals: 3,
                kind: .counter, groupBounds: .init(0, 5000, step: 5), hourlyGroupBounds: .init(0, 2000, step: 2))
        case .restingEnergy:
            .init(
                name: "resting-energy", unit: .kilocalorie, plausible: 0...10_000, decimals: 3, kind: .counter,
                groupBounds: .init(0, 4000, step: 5), hourlyGroupBounds: .init(0, 400, step: 1))
        case .standHours:
            .init(
                name: "stand-hours", unit: .hour, plausible: 0...24, decimals: 2, kind: .counter,
                groupBounds: .init(0, 24, step: 0.1), hourlyGroupBounds: .init(0, 1, step: 0.01))
        case .sleep:
            .init(
                name: "sleep", unit: .minute, loinc: "93832-4", plausible: 0...2880, decimals: 1, kind: .counter,
                groupBounds: .init(0, 960, step: 1), hourlyGroupBounds: .init(0, 60, step: 1))
        case .weight:
            .init(
                name: "weight", unit: .kilogram, loinc: "29463-7", plausible: 0.3...650, decimals: 2,
                groupBounds: .init(20, 220, step: 0.5))
        case .height:
            .init(
                name: "height", unit: .centimetre, loinc: "8302-2", plausible: 20...280, decimals: 1,
                groupBounds: .init(50, 220, step: 0.5))
        case .nutritionEnergy:
            .init(
                name: "nutrition-energy", unit: .kilocalorie, loinc: "9052-2", plausible: 0...20_000, decimals: 1,
                kind: .counter, groupBounds: .init(0, 8000, step: 10), hourlyGroupBounds: .init(0, 4000, step: 5))
        case .activity:
            .init(name: "activity", unit: .one, plausible: 0...Double(Activity.codeMax), decimals: 0, kind: .state)
        case .motion:
            .init(
                name: "motion", unit: .metrePerSecondSquared, plausible: 0...320, decimals: 2, isVitalSign: true,
                groupBounds: .init(0, 20, step: 0.1))
        case .wellBeing:
            .init(
                name: "well-being", unit: .score, plausible: 0...10, decimals: 1, groupBounds: .init(0, 10, step: 0.1))
        case .shakingFrequency:
            .init(
                name: "shaking-frequency", unit: .hertz, plausible: 0...25, decimals: 2, isVitalSign: true,
                groupBounds: .init(0, 20, step: 0.1))
        case .shakingAmplitude:
            .init(
                name: "shaking-amplitude", unit: .gravity, plausible: 0...16, decimals: 3, isVitalSign: true,
                groupBounds: .init(0, 2, step: 0.01))
        }
    }
}
