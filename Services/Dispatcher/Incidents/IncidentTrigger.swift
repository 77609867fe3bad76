/// What called for help first.
enum IncidentTrigger: String, Sendable, Codable {
    /// Critical values that lasted.
    case vitalSigns = "vital-signs"
    /// Somebody, with the SOS button, whatever the vital signs said.
    case manual
    /// A test call.
    case exercise

    init(_ details: IncidentDetails, isExercise: Bool) {
        guard !isExercise else {
            self = .exercise
            return
        }
        guard let call = details.manual else {
            self = .vitalSigns
            return
        }
        self = details.findings.first.map { $0.confirmedAt <= call.at } ?? false ? .vitalSigns : .manual
    }
}
