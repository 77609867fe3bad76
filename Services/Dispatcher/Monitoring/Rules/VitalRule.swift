import Domain
import Primitives

/// What holds for one vital sign of one person at one time: where it is critical, whom that concerns, and where the limits
/// come from. An incident keeps it (SOS-03c).
struct VitalRule: Sendable, Equatable {
    let type: DataType
    var limits: VitalLimits
    /// Who set the limits.
    var origin = ThresholdOrigin.rules

    var concern: Concern { Self.concern(of: type) }
    var margins: Margins { Margins(type) }

    /// Stress says nothing that an ambulance could be called for; nothing else is for the contacts alone but shaking
    /// (`ShakingWatch`).
    static func concern(of type: DataType) -> Concern {
        switch type {
        case .stressLevel, .shakingFrequency, .shakingAmplitude: .contacts
        default: .ambulance
        }
    }

    func level(of value: Double) -> VitalTrack.Level {
        guard limits.isCritical(value) else {
            return limits.widened(by: margins.recovery).isCritical(value) ? .near : .clear
        }
        return limits.narrowed(low: margins.severeLow, high: margins.severeHigh).isCritical(value) ? .severe : .critical
    }
}

/// How far a value has to be from its limit for it to make a difference: without, noise at the limit would be fifty updates of
/// one incident.
struct Margins: Sendable, Equatable {
    /// A critical state ends when the value is back by more than this. About twice the noise of common sensors; of glucose so
    /// that it is above level 1 (70 mg/dL, American Diabetes Association, Standards of Care, section 6).
    let recovery: Double
    /// What is worse than the limit by so much is told again, once, also within an emergency that is known.
    let severeLow: Double
    let severeHigh: Double

    init(_ type: DataType) {
        (recovery, severeLow, severeHigh) =
            switch type {
            case .heartRate: (3, 6, 20)
            case .respirationRate: (1, 3, 10)
            case .bloodPressureSystolic, .bloodPressureDiastolic: (5, 15, 20)
            case .oxygenSaturation: (1, 6, 100)
            case .bodyTemperature: (0.2, 2, 1.5)
            case .glucose: (16, 14, 1000)
            default: (5, 1000, 1000)
            }
    }
}

/// Who set a limit (SOS-03).
enum ThresholdOrigin: String, Sendable, Codable {
    /// The rule set, by age and circumstances.
    case rules
    /// A doctor, whom the person named.
    case doctor
    /// A proposal from the own history, which the person took.
    case proposal
}
