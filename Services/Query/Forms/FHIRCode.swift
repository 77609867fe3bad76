import Domain

/// How a data type is named and classified in FHIR R4.
struct FHIRCode {
    struct Coding {
        let system: String
        let code: String
        let display: String?

        static func loinc(_ code: String, _ display: String) -> Coding {
            Coding(system: "http://loinc.org", code: code, display: display)
        }

        /// Of a data type that no LOINC code fits.
        static func own(_ type: DataType) -> Coding {
            Coding(system: "urn:trackme:data-type", code: type.name, display: nil)
        }
    }

    /// Codes of http://terminology.hl7.org/CodeSystem/observation-category.
    enum Category: String {
        case vitalSigns = "vital-signs"
        case laboratory, activity, survey
        case socialHistory = "social-history"
    }

    /// What the observation says it conforms to: the name of a profile of HL7's vital signs, where there is one.
    var profile: String?
    let category: Category
    let codings: [Coding]
    /// The unit as people write it; the code is UCUM's.
    let unit: String

    static let bloodPressure = FHIRCode(
        profile: "bp", category: .vitalSigns,
        codings: [.loinc("85354-9", "Blood pressure panel with all children optional")], unit: "mmHg")
    static let systolic = Coding.loinc("8480-6", "Systolic blood pressure")
    static let diastolic = Coding.loinc("8462-4", "Diastolic blood pressure")

    /// `nil` for positions, which are no vital sign and have no code, and for the parts of `bloodPressure`.
    init?(_ type: DataType) {
        switch type {
        case .position, .bloodPressureSystolic, .bloodPressureDiastolic: return nil
        case .heartRate: self.init("heartrate", .loinc("8867-4", "Heart rate"), unit: "beats/minute")
        case .respirationRate: self.init("resprate", .loinc("9279-1", "Respiratory rate"), unit: "breaths/minute")
        case .bodyTemperature: self.init("bodytemp", .loinc("8310-5", "Body temperature"), unit: "°C")
        case .oxygenSaturation:
            // The profile demands the first, which says nothing of how it was measured.
            self.init(
                "oxygensat", .loinc("2708-6", "Oxygen saturation in Arterial blood"),
                .loinc("59408-5", "Oxygen saturation in Arterial blood by Pulse oximetry"), unit: "%")
        case .height: self.init("bodyheight", .loinc("8302-2", "Body height"), unit: "cm")
        case .weight: self.init("bodyweight", .loinc("29463-7", "Body weight"), unit: "kg")
        case .glucose: self.init(.laboratory, .loinc("2339-0", "Glucose [Mass/volume] in Blood"), unit: "mg/dL")
        case .steps:
            self.init(.activity, .loinc("55423-8", "Number of steps in unspecified time Pedometer"), unit: "steps")
        case .distance:
            self.init(.activity, .loinc("55430-3", "Walking distance unspecified time Pedometer"), unit: "m")
        case .activeEnergy: self.init(.activity, .loinc("41981-2", "Calories burned"), unit: "kcal")
        // The category is that of "sleep data", too.
        case .sleep: self.init(.activity, .loinc("93832-4", "Sleep duration"), unit: "min")
        case .nutritionEnergy: self.init(.socialHistory, .loinc("9052-2", "Calorie intake total"), unit: "kcal")
        case .restingEnergy: self.init(.activity, .own(type), unit: "kcal")
        case .standHours: self.init(.activity, .own(type), unit: "h")
        case .motion: self.init(.activity, .own(type), unit: "m/s²")
        case .activity: self.init(.activity, .own(type), unit: "")
        case .stressLevel: self.init(.activity, .own(type), unit: "score")
        case .wellBeing: self.init(.survey, .own(type), unit: "score")
        case .shakingFrequency: self.init(.activity, .own(type), unit: "Hz")
        case .shakingAmplitude: self.init(.activity, .own(type), unit: "g")
        }
    }

    private init(profile: String?, category: Category, codings: [Coding], unit: String) {
        self.profile = profile
        self.category = category
        self.codings = codings
        self.unit = unit
    }

    private init(_ profile: String, _ codings: Coding..., unit: String) {
        self.init(profile: profile, category: .vitalSigns, codings: codings, unit: unit)
    }

    private init(_ category: Category, _ coding: Coding, unit: String) {
        self.init(profile: nil, category: category, codings: [coding], unit: unit)
    }
}

extension Activity.Kind {
    /// In kebab case.
    var name: String { self == .strengthTraining ? "strength-training" : "\(self)" }
}
