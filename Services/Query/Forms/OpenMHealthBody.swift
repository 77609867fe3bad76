import Domain
import JSON

/// The schema of a data type's points, and what their bodies have in common. What no schema fits is a body of the same form in the
/// namespace `trackme`, under the data type's name and with its unit in UCUM.
struct OpenMHealthBody {
    /// In the header, from the identifier to the time of creation.
    let schema: [UInt8]
    /// Up to the first value.
    let member: [UInt8]
    /// After a value.
    let unit: [UInt8]
    /// An amount is of an interval, even if that is empty.
    let isInterval: Bool

    static let bloodPressure = OpenMHealthBody("blood-pressure", "4.0", "systolic_blood_pressure", "mmHg")

    /// `nil` for the parts of `bloodPressure`.
    init?(_ type: DataType) {
        switch type {
        case .bloodPressureSystolic, .bloodPressureDiastolic: return nil
        case .position: self.init("geoposition", "1.0", "latitude", "deg")
        case .heartRate: self.init("heart-rate", "2.0", "heart_rate", "beats/min")
        case .oxygenSaturation: self.init("oxygen-saturation", "2.0", "oxygen_saturation", "%")
        case .respirationRate: self.init("respiratory-rate", "2.0", "respiratory_rate", "breaths/min")
        case .bodyTemperature: self.init("body-temperature", "4.0", "body_temperature", "C")
        case .glucose: self.init("blood-glucose", "4.0", "blood_glucose", "mg/dL")
        case .steps: self.init("step-count", "3.0", "step_count", "steps", isInterval: true)
        case .distance:
            self.init(
                "physical-activity", "1.2", "activity_name\":\"walking or running\",\"distance", "m", isInterval: true)
        case .activeEnergy: self.init("calories-burned", "2.0", "kcal_burned", "kcal", isInterval: true)
        case .sleep:
            // IEEE 1752.1 has it in place of Open mHealth's sleep-duration.
            self.init("total-sleep-time", "1.0", "total_sleep_time", "min", namespace: "ieee", isInterval: true)
        case .weight: self.init("body-weight", "3.0", "body_weight", "kg")
        case .height: self.init("body-height", "2.0", "body_height", "cm")
        case .activity: self.init(schema: "physical-activity", "1.2", "\"activity_name\":", unit: "")
        case .stressLevel, .restingEnergy, .standHours, .nutritionEnergy, .motion, .wellBeing, .shakingFrequency,
            .shakingAmplitude:
            self.init(
                type.name, "1.0", type.name.replacing("-", with: "_"), type.unit.description, namespace: "trackme",
                isInterval: type.kind == .counter)
        }
    }

    /// A member that is an object of a value and a unit.
    private init(
        _ name: String, _ version: String, _ member: String, _ unit: String, namespace: String = "omh",
        isInterval: Bool = false
    ) {
        self.init(
            schema: name, version, "\"\(member)\":{\"value\":", unit: ",\"unit\":\"\(unit)\"}", namespace: namespace,
            isInterval: isInterval)
    }

    private init(
        schema name: String, _ version: String, _ member: String, unit: String, namespace: String = "omh",
        isInterval: Bool = false
    ) {
        let id = "{\"namespace\":\"\(namespace)\",\"name\":\"\(name)\",\"version\":\"\(version)\"}"
        schema = Array("\",\"schema_id\":\(id),\"creation_date_time\":\"".utf8)
        self.member = Array(member.utf8)
        self.unit = Array(unit.utf8)
        self.isInterval = isInterval
    }

    /// The values of `DataType.activity` as JSON: `"indoor cycling"`.
    static let activityNames: [Int64: [UInt8]] = {
        var names: [Int64: [UInt8]] = [:]
        for kind in Activity.Kind.allCases {
            for place in Activity.Place.allCases {
                let name = kind.name.replacing("-", with: " ")
                names[Int64(Activity(kind, place).value)] = Array(
                    (place == .unknown ? "\"\(name)\"" : "\"\(place) \(name)\"").utf8)
            }
        }
        return names
    }()
}
