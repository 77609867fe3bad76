import Domain

/// The attributes of a record or workout, as they are written.
struct AppleHealthRecord {
    private(set) var type: UnsafeBufferPointer<UInt8>?
    private(set) var workout: UnsafeBufferPointer<UInt8>?
    private(set) var source: UnsafeBufferPointer<UInt8>?
    private(set) var unit: UnsafeBufferPointer<UInt8>?
    private(set) var start: UnsafeBufferPointer<UInt8>?
    private(set) var end: UnsafeBufferPointer<UInt8>?
    private(set) var value: UnsafeBufferPointer<UInt8>?

    init(_ attributes: XMLAttributes) {
        attributes.forEach { name, text in
            switch name {
            case "type": type = text
            case "workoutActivityType": workout = text
            case "sourceName": source = text
            case "unit": unit = text
            case "startDate": start = text
            case "endDate": end = text
            case "value": value = text
            default: break
            }
        }
    }
}

/// One kind of record.
struct AppleHealthType {
    enum Meaning { case quantity, sleep, standHour }

    /// Without `HKQuantityTypeIdentifier` or `HKCategoryTypeIdentifier`.
    let name: String
    /// `nil`: not collected.
    let data: DataType?
    let meaning: Meaning
    /// Stands in correlations as well.
    let isCorrelated: Bool
    /// Why it is not collected, in kebab case.
    let reason: String

    init(_ identifier: UnsafeBufferPointer<UInt8>) {
        var name = String(decoding: identifier, as: UTF8.self)
        for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
        where name.hasPrefix(prefix) {
            name.removeFirst(prefix.count)
            break
        }
        self.name = name
        (data, meaning) = Self.known[name].map { ($0.0, $0.1) } ?? (nil, .quantity)
        isCorrelated = data == .bloodPressureSystolic || data == .bloodPressureDiastolic || data == .nutritionEnergy
        reason = "not-collected-\(Self.kebab(name))"
    }

    private static let known: [String: (DataType, Meaning)] = [
        "HeartRate": (.heartRate, .quantity), "BloodPressureSystolic": (.bloodPressureSystolic, .quantity),
        "BloodPressureDiastolic": (.bloodPressureDiastolic, .quantity),
        "OxygenSaturation": (.oxygenSaturation, .quantity), "RespiratoryRate": (.respirationRate, .quantity),
        "BodyTemperature": (.bodyTemperature, .quantity), "BasalBodyTemperature": (.bodyTemperature, .quantity),
        "BloodGlucose": (.glucose, .quantity), "StepCount": (.steps, .quantity),
        "DistanceWalkingRunning": (.distance, .quantity), "ActiveEnergyBurned": (.activeEnergy, .quantity),
        "BasalEnergyBurned": (.restingEnergy, .quantity), "AppleStandHour": (.standHours, .standHour),
        "SleepAnalysis": (.sleep, .sleep), "BodyMass": (.weight, .quantity), "Height": (.height, .quantity),
        "DietaryEnergyConsumed": (.nutritionEnergy, .quantity),
    ]

    static func activity(_ identifier: UnsafeBufferPointer<UInt8>) -> Activity.Kind {
        switch String(decoding: identifier, as: UTF8.self) {
        case "HKWorkoutActivityTypeRunning": .running
        case "HKWorkoutActivityTypeWalking": .walking
        case "HKWorkoutActivityTypeCycling", "HKWorkoutActivityTypeHandCycling": .cycling
        case "HKWorkoutActivityTypeSwimming": .swimming
        case "HKWorkoutActivityTypeHiking": .hiking
        case "HKWorkoutActivityTypeRowing": .rowing
        case "HKWorkoutActivityTypeTraditionalStrengthTraining", "HKWorkoutActivityTypeFunctionalStrengthTraining",
            "HKWorkoutActivityTypeCoreTraining":
            .strengthTraining
        case "HKWorkoutActivityTypeDance", "HKWorkoutActivityTypeCardioDance", "HKWorkoutActivityTypeSocialDance":
            .dancing
        case "HKWorkoutActivityTypeDownhillSkiing", "HKWorkoutActivityTypeCrossCountrySkiing": .skiing
        default: .other
        }
    }

    /// `HeartRateVariabilitySDNN` as `heart-rate-variability-sdnn`; letters only, at most 60.
    static func kebab(_ name: String) -> String {
        var result: [UInt8] = []
        var wasUpper = true
        for byte in name.utf8.prefix(60) {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if !wasUpper { result.append(UInt8(ascii: "-")) }
                result.append(byte | 0x20)
                wasUpper = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                result.append(byte)
                wasUpper = false
            default: break
            }
        }
        return result.isEmpty ? "unknown" : String(decoding: result, as: UTF8.self)
    }
}

/// What the records of a file have in common with those before: types, sources and units are looked up once, not per record.
struct AppleHealthCache {
    /// Kinds of each that are kept; beyond that they are looked up anew.
    static let entriesMax = 500
    /// Bytes of a name or unit that is kept.
    static let entryBytesMax = 200

    private var types: [(bytes: [UInt8], type: AppleHealthType)] = []
    private var lastType = 0
    private var sources: [(bytes: [UInt8], name: String)] = []
    private var lastSource = 0
    private var units: [(type: DataType, bytes: [UInt8], conversion: UnitConversion)] = []
    private var lastUnit = 0

    mutating func type(_ bytes: UnsafeBufferPointer<UInt8>) -> AppleHealthType {
        if lastType < types.count, bytes.isEqual(to: types[lastType].bytes) { return types[lastType].type }
        if let index = types.firstIndex(where: { bytes.isEqual(to: $0.bytes) }) {
            lastType = index
            return types[index].type
        }
        let type = AppleHealthType(bytes)
        guard types.count < Self.entriesMax, bytes.count <= Self.entryBytesMax else { return type }
        lastType = types.count
        types.append((Array(bytes), type))
        return type
    }

    mutating func source(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if lastSource < sources.count, bytes.isEqual(to: sources[lastSource].bytes) { return sources[lastSource].name }
        if let index = sources.firstIndex(where: { bytes.isEqual(to: $0.bytes) }) {
            lastSource = index
            return sources[index].name
        }
        let name = XMLText.string(bytes)
        guard sources.count < Self.entriesMax, bytes.count <= Self.entryBytesMax else { return name }
        lastSource = sources.count
        sources.append((Array(bytes), name))
        return name
    }

    /// The value in the canonical unit.
    mutating func canonical(
        _ value: Double, _ type: DataType, _ unit: UnsafeBufferPointer<UInt8>?
    ) throws(UnitError) -> Double {
        guard let unit else { return try type.canonical(value, unit: nil) }
        // HealthKit's percent are of 1; other conversions refuse no values.
        if type == .oxygenSaturation, value <= 1, unit.matches("%") { return value * 100 }
        if lastUnit < units.count, units[lastUnit].type == type, unit.isEqual(to: units[lastUnit].bytes) {
            return units[lastUnit].conversion.canonical(value)
        }
        if let index = units.firstIndex(where: { $0.type == type && unit.isEqual(to: $0.bytes) }) {
            lastUnit = index
            return units[index].conversion.canonical(value)
        }
        let conversion = try type.conversion(from: XMLText.string(unit))
        if units.count < Self.entriesMax, unit.count <= Self.entryBytesMax {
            lastUnit = units.count
            units.append((type, Array(unit), conversion))
        }
        return conversion.canonical(value)
    }
}
