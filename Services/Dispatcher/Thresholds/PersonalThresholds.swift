import Domain
import Primitives

/// One person's own limits (SOS-03b): set with a doctor, who is named, or taken from the proposal that the own history made.
/// They take the place of the rule set's, end by end.
struct PersonalThresholds: Sendable, Hashable, Codable {
    /// Critical at `low` and below, at `high` and above; an end that is absent stays as the rule set has it.
    struct Bounds: Sendable, Hashable, Codable {
        var low: Double?
        var high: Double?
    }

    /// Who set them.
    struct Doctor: Sendable, Hashable, Codable {
        static let nameLimits = TextLimits(charactersMax: 120, bytesMax: 240)
        var name: String
        /// The number in the register of physicians, with the province, as people write it.
        var register: String?
    }

    var heartRate: Bounds?
    var respirationRate: Bounds?
    var bloodPressureSystolic: Bounds?
    var oxygenSaturation: Bounds?
    var bodyTemperature: Bounds?
    var glucose: Bounds?
    /// The scale of NEWS2: 2 is for people with hypercapnic respiratory failure, whose target is 88 to 92%. A doctor alone
    /// sets it.
    var saturationScale: Int?
    /// Gets oxygen: on the second scale too much of it is critical as well.
    var isOnOxygen: Bool?
    /// A pacemaker beats at the same rate for hours: a heart rate that stays the same is no fault of the sensor.
    var hasPacemaker: Bool?
    /// `nil` of limits that were taken from the proposal.
    var doctor: Doctor?

    var origin: ThresholdOrigin { doctor == nil ? .proposal : .doctor }

    enum CodingKeys: String, CodingKey {
        case heartRate, respirationRate, bloodPressureSystolic, oxygenSaturation, bodyTemperature, glucose
        case saturationScale, doctor
        case isOnOxygen = "on_oxygen"
        case hasPacemaker = "pacemaker"
    }

    func bounds(of type: DataType) -> Bounds? {
        switch type {
        case .heartRate: heartRate
        case .respirationRate: respirationRate
        case .bloodPressureSystolic: bloodPressureSystolic
        case .oxygenSaturation: oxygenSaturation
        case .bodyTemperature: bodyTemperature
        case .glucose: glucose
        default: nil
        }
    }

    /// The limits that hold in place of `rules`; `nil` where nothing personal is said.
    func limits(for type: DataType, beside rules: VitalLimits?) -> VitalLimits? {
        // The extremes (score 3) of NEWS2's second scale, Royal College of Physicians 2017: up to 83% in any case, from 97% on
        // oxygen only.
        if type == .oxygenSaturation, saturationScale == 2 {
            return VitalLimits(atMost: 83, atLeast: isOnOxygen == true ? 97 : nil)
        }
        guard let own = bounds(of: type) else { return nil }
        return VitalLimits(
            low: own.low.map { .init(value: $0, isInclusive: true) } ?? rules?.low,
            high: own.high.map { .init(value: $0, isInclusive: true) } ?? rules?.high)
    }
}
