import Domain
import HTTP
import Primitives

/// A message of an incident as OASIS Common Alerting Protocol 1.2 (CAP/README.md says what stands where).
///
/// Scope Private, addressed to the one hook; times in UTC are written `-00:00`, as section 3.3.2 asks. An update, a cancellation and
/// the end of an emergency (an Update: CAP has no word for it) name the messages before them that this hook has received.
struct CAPAlert {
    /// Of a message with texts of the greatest length, all of which XML has to escape, twice.
    static let bytesMax = 131_072
    static let namespace = "urn:oasis:names:tc:emergency:cap:1.2"

    /// Who sends: the deployment by its host.
    struct Sender: Sendable {
        let text: String

        /// Spaces, commas, `<` and `&` may not stand in it; no host has one.
        init(baseURL: String) { text = "automatedsos@\(HTTPURL(baseURL)?.host ?? "localhost")" }
    }

    /// A message that the hook has received.
    struct Reference: Sendable, Equatable {
        var sequence: Int
        var sent: Timestamp
    }

    private let message: IncidentMessage
    private let references: [Reference]
    private let sender: Sender

    init(_ message: IncidentMessage, references: [Reference], _ sender: Sender) {
        self.message = message
        self.references = references
        self.sender = sender
    }

    static func identifier(_ incident: UUID, _ sequence: Int) -> String { "trackme-\(incident)-\(sequence)" }

    static func time(_ time: Timestamp) -> String {
        String(time.description.prefix(19)) + "-00:00"
    }

    func encoded() -> [UInt8] {
        let summary = message.incident
        var writer = XMLWriter()
        writer.element("alert", [("xmlns", Self.namespace)]) { alert in
            alert.element("identifier", Self.identifier(summary.id, summary.sequence))
            alert.element("sender", sender.text)
            alert.element("sent", Self.time(summary.sent))
            alert.element("status", isExercise ? "Exercise" : "Actual")
            alert.element("msgType", kind)
            alert.element("source", "TrackMe AutomatedSOS")
            alert.element("scope", "Private")
            alert.element("addresses", message.reply.hook)
            if isExercise { alert.element("note", "An exercise: nobody is ill, and nobody is to go.") }
            if kind != "Alert", !references.isEmpty {
                alert.element("references", references.map(reference).joined(separator: " "))
            }
            alert.element("incidents", summary.id.description)
            for speech in message.speech { info(speech, &alert) }
        }
        return writer.bytes
    }

    private var kind: String {
        switch message.incident.message {
        case .alert, .exercise: "Alert"
        case .update, .resolved: "Update"
        case .cancel: "Cancel"
        }
    }

    private func reference(_ reference: Reference) -> String {
        "\(sender.text),\(Self.identifier(message.incident.id, reference.sequence)),\(Self.time(reference.sent))"
    }

    private var isExercise: Bool { message.incident.isExercise }

    private var isOver: Bool {
        switch message.incident.message {
        case .cancel, .resolved: true
        case .alert, .update, .exercise: false
        }
    }

    private func info(_ speech: IncidentMessage.Speech, _ alert: inout XMLWriter) {
        let isItalian = speech.language == .italian
        alert.element("info") { info in
            info.element("language", speech.language.rawValue)
            info.element("category", "Health")
            info.element("category", "Rescue")
            info.element("event", event(isItalian))
            info.element("responseType", isExercise ? "None" : isOver ? "AllClear" : "Execute")
            info.element("urgency", isOver ? "Past" : isExercise ? "Unknown" : "Immediate")
            info.element("severity", isOver || isExercise ? "Minor" : "Extreme")
            info.element("certainty", isExercise ? "Unknown" : "Observed")
            info.element("onset", message.incident.firstCritical.map(Self.time))
            info.element("senderName", "TrackMe AutomatedSOS")
            info.element("headline", String(speech.text.prefix(160)))
            info.element("description", speech.text)
            info.element("contact", message.person.callbackPhone.description)
            for (name, value) in CAPParameters(message).list {
                info.element("parameter") { parameter in
                    parameter.element("valueName", name)
                    parameter.element("value", value)
                }
            }
            if let position = message.position { place(position, isItalian, &info) }
            if message.position == nil, let home = message.home {
                info.element("area") { $0.element("areaDesc", home.line(isItalian ? "piano" : "floor")) }
            }
        }
    }

    private func event(_ isItalian: Bool) -> String {
        guard isExercise else { return isItalian ? "Emergenza sanitaria" : "Medical emergency" }
        return isItalian ? "Esercitazione: nessuna emergenza" : "Exercise: no emergency"
    }

    private func place(_ position: IncidentMessage.Position, _ isItalian: Bool, _ info: inout XMLWriter) {
        let document = PresenceLocation(position, of: message.incident.id, sender: sender).encoded()
        info.element("resource") { resource in
            resource.element("resourceDesc", isItalian ? "Posizione (PIDF-LO)" : "Position (PIDF-LO)")
            resource.element("mimeType", "application/pidf+xml")
            resource.element("size", "\(document.count)")
            resource.element("derefUri", Base64.standard.encode(document))
        }
        info.element("area") { area in
            let current = isItalian ? "Posizione della persona" : "The person's position"
            let last = isItalian ? "Ultima posizione nota" : "Last known position"
            area.element("areaDesc", position.isCurrent ? current : last)
            // Kilometres.
            let radius = PresenceLocation.radius95(position.accuracyM ?? 0).rounded(.up) / 1000
            area.element("circle", "\(position.latitude),\(position.longitude) \(radius)")
        }
    }
}

extension CAPAlert {
    /// What is sent to see whether a hook answers; nothing of anybody.
    static func probe(_ probe: ProbeMessage, hook: String, sender: Sender) -> [UInt8] {
        var writer = XMLWriter()
        writer.element("alert", [("xmlns", namespace)]) { alert in
            alert.element("identifier", "trackme-\(probe.probe.id)")
            alert.element("sender", sender.text)
            alert.element("sent", time(probe.probe.sent))
            alert.element("status", "System")
            alert.element("msgType", "Alert")
            alert.element("source", "TrackMe AutomatedSOS")
            alert.element("scope", "Private")
            alert.element("addresses", hook)
            alert.element("note", "A probe: nothing is to be done.")
        }
        return writer.bytes
    }
}

extension Incident.HandOver {
    /// The newest message that the hook has received, or, when no answer tells of any, the first one that it was sent.
    func references(in record: IncidentRecord) -> [CAPAlert.Reference] {
        if receivedNumber > 0, let madeAt = receivedMadeAt {
            return [.init(sequence: receivedNumber, sent: record.time(at: madeAt))]
        }
        return [.init(sequence: firstNumber, sent: record.time(at: firstMadeAt ?? begunAt))]
    }
}
