import Domain
import HTTP
import Primitives

/// What a person sends to set own limits (SOS-03b): limits with the doctor who set them, or `take_proposal`.
struct ThresholdsForm: Sendable, Decodable {
    var takeProposal: Bool?
    private var heartRate: PersonalThresholds.Bounds?
    private var respirationRate: PersonalThresholds.Bounds?
    private var bloodPressureSystolic: PersonalThresholds.Bounds?
    private var oxygenSaturation: PersonalThresholds.Bounds?
    private var bodyTemperature: PersonalThresholds.Bounds?
    private var glucose: PersonalThresholds.Bounds?
    private var saturationScale: Int?
    private var isOnOxygen: Bool?
    private var hasPacemaker: Bool?
    private var doctor: PersonalThresholds.Doctor?

    enum CodingKeys: String, CodingKey {
        case takeProposal, heartRate, respirationRate, bloodPressureSystolic, oxygenSaturation, bodyTemperature
        case glucose, saturationScale, doctor
        case isOnOxygen = "on_oxygen"
        case hasPacemaker = "pacemaker"
    }

    private var thresholds: PersonalThresholds {
        PersonalThresholds(
            heartRate: heartRate, respirationRate: respirationRate, bloodPressureSystolic: bloodPressureSystolic,
            oxygenSaturation: oxygenSaturation, bodyTemperature: bodyTemperature, glucose: glucose,
            saturationScale: saturationScale, isOnOxygen: isOnOxygen, hasPacemaker: hasPacemaker, doctor: doctor)
    }

    /// The limits of the form, or the proposal when that is taken. Throws 422 with every fault.
    func checked(ageMonths: Int, proposal: PersonalThresholds?) throws(Problem) -> PersonalThresholds {
        guard ageMonths >= SafeLimits.ageMonthsMin else {
            throw Problem(
                .unprocessableContent, code: "limits-by-age",
                detail: "up to 16 years the limits by age hold, and nobody can change them here")
        }
        if takeProposal == true {
            guard thresholds == PersonalThresholds() else {
                throw Self.invalid([
                    .init(pointer: "/take_proposal", detail: "the proposal is taken as it is: leave the limits out")
                ])
            }
            guard let proposal else {
                throw Problem(
                    .conflict, code: "no-proposal",
                    detail: "there is no proposal: ask for one first, and once you were watched for a week")
            }
            return proposal
        }
        let faults = thresholds.faults
        guard faults.isEmpty else { throw Self.invalid(faults) }
        return thresholds
    }

    private static func invalid(_ faults: [Problem.FieldError]) -> Problem {
        Problem(
            .unprocessableContent, code: "invalid-request", detail: "some members cannot be as they are",
            errors: faults)
    }
}

extension PersonalThresholds {
    /// What keeps them from being set with a doctor.
    var faults: [Problem.FieldError] {
        var faults: [Problem.FieldError] = []
        for type in SafeLimits.types {
            guard let own = bounds(of: type), let safe = SafeLimits(type) else { continue }
            let pointer = "/" + type.name.replacing("-", with: "_")
            faults +=
                Self.faults(own.low, safe.low, "\(pointer)/low") + Self.faults(own.high, safe.high, "\(pointer)/high")
        }
        if let saturationScale, !(1...2).contains(saturationScale) {
            faults.append(.init(pointer: "/saturation_scale", detail: "1, or 2 for a target of 88 to 92%"))
        }
        if saturationScale == 2, oxygenSaturation != nil {
            faults.append(
                .init(pointer: "/oxygen_saturation", detail: "the second scale has limits of its own: leave them out"))
        }
        if isOnOxygen == true, saturationScale != 2 {
            faults.append(.init(pointer: "/on_oxygen", detail: "matters on the second scale only"))
        }
        guard let doctor else {
            return faults + [.init(pointer: "/doctor", detail: "name the doctor who has set these limits")]
        }
        for (text, member) in [(doctor.name, "name"), (doctor.register ?? "-", "register")] {
            if let fault = Doctor.nameLimits.fault(in: text) {
                faults.append(.init(pointer: "/doctor/\(member)", detail: fault.description))
            }
        }
        return faults
    }

    private static func faults(
        _ value: Double?, _ safe: ClosedRange<Double>?, _ pointer: String
    ) -> [Problem.FieldError] {
        guard let value else { return [] }
        guard let safe else { return [.init(pointer: pointer, detail: "there is no limit on this side")] }
        guard !safe.contains(value) else { return [] }
        return [.init(pointer: pointer, detail: "from \(safe.lowerBound) to \(safe.upperBound)")]
    }
}
