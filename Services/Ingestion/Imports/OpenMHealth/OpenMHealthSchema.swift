import Domain
import Primitives

/// The schemas of Open mHealth (namespace `omh`, openmhealth.org) and IEEE 1752.1 (`ieee`) that hold what is collected.
enum OpenMHealthSchema {
    /// A member of a body.
    struct Part {
        let member: String
        let type: DataType
    }

    /// `nil` for a schema that is not collected; empty for positions, which are no single values.
    static func parts(of schema: String) -> [Part]? { known[schema] }

    private static let known: [String: [Part]] = [
        "heart-rate": [.init(member: "heart_rate", type: .heartRate)],
        "blood-pressure": [
            .init(member: "systolic_blood_pressure", type: .bloodPressureSystolic),
            .init(member: "diastolic_blood_pressure", type: .bloodPressureDiastolic),
        ],
        "oxygen-saturation": [.init(member: "oxygen_saturation", type: .oxygenSaturation)],
        "respiratory-rate": [.init(member: "respiratory_rate", type: .respirationRate)],
        "body-temperature": [.init(member: "body_temperature", type: .bodyTemperature)],
        "blood-glucose": [.init(member: "blood_glucose", type: .glucose)],
        "step-count": [.init(member: "step_count", type: .steps)],
        "physical-activity": [
            .init(member: "activity_name", type: .activity), .init(member: "distance", type: .distance),
            .init(member: "kcal_burned", type: .activeEnergy),
            // IEEE 1752.1.
            .init(member: "base_movement_quantity", type: .steps),
        ],
        "calories-burned": [.init(member: "kcal_burned", type: .activeEnergy)],
        "sleep-duration": [.init(member: "sleep_duration", type: .sleep)],
        "total-sleep-time": [.init(member: "total_sleep_time", type: .sleep)],
        "sleep-episode": [.init(member: "total_sleep_time", type: .sleep)],
        "body-weight": [.init(member: "body_weight", type: .weight)],
        "body-height": [.init(member: "body_height", type: .height)],
        "geoposition": [],
    ]

    /// A mean over its interval is a rate's value there, and a sum a counter's; others, such as a maximum, are neither.
    static func isTaken(statistic: String) -> Bool {
        ["average", "mean", "median", "sum", "count"].contains(statistic)
    }

    static func isOnFoot(_ name: String?) -> Bool {
        switch name.map(activity) {
        case .walking, .running, .hiking: true
        default: false
        }
    }

    static func activity(_ name: String) -> Activity.Kind {
        let name = name.lowercased()
        for (part, kind) in activities where name.contains(part) { return kind }
        return .other
    }

    private static let activities: [(String, Activity.Kind)] = [
        ("run", .running), ("jog", .running), ("walk", .walking), ("cycl", .cycling), ("bik", .cycling),
        ("swim", .swimming), ("hik", .hiking), ("row", .rowing), ("strength", .strengthTraining),
        ("weight", .strengthTraining), ("danc", .dancing), ("ski", .skiing), ("still", .still), ("driv", .driving),
    ]

    /// An angle of `plane-angle-unit-value`, whose first version had a name of its own for degrees.
    static func degrees(_ quantity: (value: Double, unit: String?)?) throws(UnitError) -> Double? {
        guard let quantity else { return nil }
        switch quantity.unit {
        case nil, "deg", "degree-decimal": return quantity.value
        case "rad": return quantity.value * 180 / .pi
        case let unit?: throw .unknown(.position, unit)
        }
    }

    /// A length; `nil` in what is no unit of it.
    static func metres(_ quantity: (value: Double, unit: String?)?) -> Double? {
        guard let quantity else { return nil }
        do throws(UnitError) {
            return try DataType.distance.canonical(quantity.value, unit: quantity.unit)
        } catch {
            return nil
        }
    }

    static func duration(_ quantity: (value: Double, unit: String?)) -> Duration? {
        let seconds: Double? =
            switch quantity.unit {
            case "ms": 0.001
            case "s", "sec": 1
            case "min": 60
            case "h": 3600
            case "d": 86_400
            case "wk": 7 * 86_400
            default: nil
            }
        guard let seconds, (0...1e9).contains(quantity.value * seconds) else { return nil }
        return .milliseconds(Int64((quantity.value * seconds * 1000).rounded()))
    }

    /// Letters and hyphens of a name, at most 60.
    static func kebab(_ name: String) -> String {
        let letters = name.lowercased().utf8.prefix(60).map { byte -> UInt8 in
            byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte : UInt8(ascii: "-")
        }
        let words = letters.split(separator: UInt8(ascii: "-"))
        return words.isEmpty
            ? "unknown" : String(decoding: Array(words.joined(separator: [UInt8(ascii: "-")])), as: UTF8.self)
    }
}
