import Domain
import Primitives

extension IncidentStep {
    static func provisional(_ finding: Finding, at time: Timestamp) -> IncidentStep {
        IncidentStep(.provisional, at: time, detail: finding.type.name)
    }

    static func stored(_ origin: Finding.Origin, at time: Timestamp) -> IncidentStep {
        IncidentStep(.stored, at: time, detail: origin.type.name)
    }
}

extension IncidentRecord {
    /// Marks an emergency of the incident as stored; false when it has no such provisional one.
    mutating func mark(stored origin: Finding.Origin, at time: Timestamp) -> Bool {
        guard let findings = details?.findings, findings.contains(where: { $0.origin == origin && $0.isProvisional })
        else { return false }
        change { details in
            for index in details.findings.indices where details.findings[index].origin == origin {
                details.findings[index].isProvisional = false
            }
        }
        add([.stored(origin, at: time)])
        return true
    }
}
