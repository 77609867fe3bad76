import Domain
import Primitives

/// The parameters of a CAP alert: the members of the JSON message by their names, those of lists once for each (CAP/README.md).
struct CAPParameters {
    private(set) var list: [(name: String, value: String)] = []

    init(_ message: IncidentMessage) {
        add("version", "\(message.version)")
        incident(message.incident)
        person(message)
        position(message.position)
        for vital in message.vitals {
            add(
                "vital",
                "\(vital.type) \(vital.value) \(vital.unit) \(vital.time)" + (vital.loinc.map { " LOINC \($0)" } ?? ""))
        }
        for contact in message.contacts {
            add(
                "contact",
                [contact.name, contact.phone.description, contact.email?.description].compactMap { $0 }.joined(
                    separator: "; "))
        }
        add("reply.hook", message.reply.hook)
        add("reply.token", message.reply.token)
        add("reply.acceptance_url", message.reply.acceptanceURL)
        add("reply.rejection_url", message.reply.rejectionURL)
        add("reply.resolution_url", message.reply.resolutionURL)
        add("reply.status_url", message.reply.statusURL)
    }

    private mutating func add(_ name: String, _ value: String?) {
        if let value { list.append((name, value)) }
    }

    private mutating func incident(_ incident: IncidentMessage.Summary) {
        add("message", incident.message.rawValue)
        add("sequence", "\(incident.sequence)")
        add("reason", incident.reason?.rawValue)
        add("superseded_by", incident.supersededBy?.description)
        add("supersedes", incident.supersedes?.description)
        add("trigger", incident.trigger.rawValue)
        add("sos_pressed", incident.sosPressed?.description)
        add("rule", incident.rule.map { "\($0.name.rawValue) \($0.version)" })
        add("confirmed", incident.confirmed?.description)
        add("is_delayed", "\(incident.isDelayed)")
        for cause in incident.causes {
            add(
                "cause",
                "\(cause.type) \(cause.value) \(cause.unit) (\(cause.limit)), critical since \(cause.firstCritical), "
                    + "confirmed \(cause.confirmed)" + (cause.duringExercise ? ", during exercise" : "")
                    + (cause.isProvisional ? ", not stored yet" : ""))
        }
    }

    private mutating func person(_ message: IncidentMessage) {
        let person = message.person
        add("name", person.name)
        add("surname", person.surname)
        add("fiscal_code", person.fiscalCode?.description)
        add("sex", person.sex?.rawValue)
        add("birth_date", person.birthDate.description)
        add("age", "\(person.age)")
        add("callback_phone", person.callbackPhone.description)
        for language in person.languages { add("language", language) }
        for condition in person.conditions { add("condition", condition) }
        for medication in person.medication { add("medication", medication) }
        add("medical_reason", person.medicalReason)
        if let address = message.home?.address {
            add("home.street", address.street)
            add("home.postal_code", address.postalCode)
            add("home.city", address.city)
            add("home.province", address.province)
            add("home.floor", address.floor)
            add("home.country", address.country)
        }
        add("home.notes", message.home?.notes)
        add("home.is_fallback", message.home.map { "\($0.isFallback)" })
    }

    private mutating func position(_ position: IncidentMessage.Position?) {
        guard let position else { return add("position", "unknown") }
        add("position.time", position.time.description)
        add("position.accuracy_m", position.accuracyM.map { "\($0)" })
        add("position.altitude_m", position.altitudeM.map { "\($0)" })
        add("position.is_current", "\(position.isCurrent)")
        add("position.direction_deg", position.directionDeg.map { "\($0)" })
        add("position.speed_m_s", position.speedMS.map { "\($0)" })
        for fix in position.previous { add("position.previous", "\(fix.latitude),\(fix.longitude) \(fix.time)") }
    }
}
