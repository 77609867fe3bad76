/// What a receiver may say of an incident. The kit tells which of it came: only an acceptance has to (`ConformanceCase`).
enum ConformanceAnswer: String, CaseIterable, Sendable {
    case acceptance
    /// With a reason that is known: another counts as `other`.
    case rejection = "rejection with a reason"
    case resolution
    case received = "status received"
    case dispatched = "status dispatched"
    case arrivalExpected = "status arrival-expected"
    case onScene = "status on-scene"

    /// `nil` when something is wrong with the call.
    init?(_ call: ConformanceListener.Call) {
        guard call.faults.isEmpty else { return nil }
        switch call.kind {
        case "acceptance": self = .acceptance
        case "rejection":
            guard Incident.RejectionReason(rawValue: call.text("reason") ?? "") != nil else { return nil }
            self = .rejection
        case "resolution": self = .resolution
        case "status": self.init(rawValue: "status \(call.text("status") ?? "")")
        default: return nil
        }
    }
}
