import Domain
import Primitives
import Security
import Service

/// Messages to the wearer that are made in more than one place.
extension Notice {
    /// The monitor is blind (SOS-11).
    static func sensorLost(_ account: UUID, since: Timestamp) -> Notice {
        Notice(
            id: .named(Array("blind \(since)".utf8), in: account), to: account, template: "sensor-lost",
            values: ["time": since.description])
    }

    /// An emergency, by its first critical measurement.
    init(_ template: String, of account: UUID, _ finding: Finding, values: [String: String] = [:]) {
        let (time, cause) = (finding.firstCriticalAt, finding.type.name)
        self.init(
            id: .named(Array("\(template) \(finding.origin.time) \(cause)".utf8), in: account), to: account,
            template: template,
            values: values.merging(["time": time.description, "cause": cause]) { own, _ in own }, urgency: .urgent)
    }

    /// An incident is open (SOS-08).
    static func incidentOpened(_ account: UUID, _ finding: Finding) -> Notice {
        Notice("incident-opened", of: account, finding)
    }

    /// The wearer has called (SOS-12).
    static func calledByHand(_ record: IncidentRecord) -> Notice {
        Notice(
            id: .named(Array("incident-manual".utf8), in: record.id), to: record.account, template: "incident-manual",
            values: ["time": record.openedAt.description], urgency: .urgent)
    }

    /// What became of an incident (SOS-13).
    init(_ notice: Incident.WearerNotice, of record: IncidentRecord) {
        let (template, service) =
            switch notice {
            case .accepted(let hook): ("incident-accepted", hook)
            case .handedBack(let hook): ("incident-handed-back", hook)
            case .resolved(let hook): ("incident-resolved", hook)
            }
        self.init(
            id: .named(Array("\(template) \(service) \(record.incident.reportNumber)".utf8), in: record.id),
            to: record.account, template: template,
            values: ["time": record.openedAt.description, "service": service], urgency: .urgent)
    }
}

extension NoticeTable {
    static let dispatcher = NoticeTable(account: "account", hasEmail: true)
}
