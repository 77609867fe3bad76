import Domain
import Primitives
import Web

/// The file of an incident as HTML that is whole by itself: no scripts, nothing that is loaded, made for printing. What people have
/// written is escaped, all of it.
struct IncidentPage {
    private let file: IncidentFile
    private let words: IncidentWords
    private(set) var text = ""

    init(_ file: IncidentFile, in language: Language) {
        self.file = file
        words = IncidentWords(language)
        write()
    }

    private mutating func write() {
        let incident = file.incident
        text = """
            <!DOCTYPE html>
            <html lang="\(words.language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(escaped(words[.title])) \(incident.id)</title>
            <style>
            body { font: 11pt/1.4 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #000; background: #fff }
            table { border-collapse: collapse; width: 100%; margin: .5em 0 1.5em }
            th, td { border: 1px solid #777; padding: .25em .5em; text-align: left; vertical-align: top }
            tr { break-inside: avoid }
            h2 { break-after: avoid }
            </style>
            </head>
            <body>
            <h1>\(escaped(words[.title]))</h1>
            <p>\(escaped(words[.times]))</p>

            """
        pairs(words[.summary], summary)
        if let told = file.told {
            pairs(words[.person], person(told))
            causes(told)
            steps()
            measurements(told)
            positions(told)
            contacts(told)
        } else {
            text += "<p><strong>\(escaped(words[.unreadable]))</strong></p>\n"
            steps()
        }
        contactsTold()
        text += "</body>\n</html>\n"
    }

    // MARK: Parts

    private var summary: [(String, String?)] {
        let incident = file.incident
        return [
            (words[.number], incident.id.description), (words[.trigger], incident.trigger.map(words.trigger)),
            (words[.opened], incident.openedAt.description), (words[.closed], incident.closedAt?.description),
            (words[.outcome], incident.outcome.map(words.outcome) ?? words[.open]),
            (words[.acceptedBy], incident.acceptedBy), (words[.pressed], file.told?.sosPressed?.description),
            (words[.window], file.told.map { "\($0.abortWindowS) s" }),
            (words[.supersedes], file.told?.supersedes?.description),
            (words[.restricted], file.restrictedAt?.description),
            (words[.made], file.madeAt.description),
        ]
    }

    private func person(_ told: IncidentFile.Told) -> [(String, String?)] {
        let person = told.person
        let address = told.address.map { address in
            [address.street, address.floor, "\(address.postalCode) \(address.city)", address.province, address.country]
                .compactMap(\.self).joined(separator: ", ")
        }
        let name = [person.name, person.surname].compactMap(\.self).joined(separator: " ")
        return [
            (words[.name], name), (words[.fiscalCode], person.fiscalCode?.description),
            (words[.born], "\(person.birthDate) (\(person.age))"), (words[.phone], person.callbackPhone.description),
            (words[.address], address), (words[.addressNotes], told.addressNotes),
            (words[.conditions], person.conditions.joined(separator: "; ")),
            (words[.medication], person.medication.joined(separator: "; ")),
            (words[.reason], person.medicalReason), (words[.languages], person.languages.joined(separator: ", ")),
        ]
    }

    private mutating func causes(_ told: IncidentFile.Told) {
        table(
            words[.causes],
            [
                words[.what], words[.value], words[.limit], words[.rule], words[.firstCritical], words[.confirmed],
                words[.received], words[.notes],
            ],
            told.causes.map { one in
                let cause = one.cause
                let notes = [
                    one.isDelayed ? words[.delayed] : nil, one.duringExercise ? words[.exercising] : nil,
                    cause.isProvisional ? words[.provisional] : nil,
                    cause.thresholds?.doctor.map { "\(words[.doctor]): \($0)" },
                ]
                return [
                    cause.type.name, "\(cause.value) \(cause.unit)", cause.limit,
                    "\(cause.rules.rawValue)/\(cause.rulesVersion)", cause.firstCritical.description,
                    cause.confirmed.description, one.received.description,
                    notes.compactMap(\.self).joined(separator: ", "),
                ]
            })
    }

    private mutating func steps() {
        table(
            words[.steps], [words[.time], words[.what], words[.service], words[.detail]],
            (file.incident.steps ?? []).map { step in
                [step.at.description, words.step(step.kind), step.hook ?? "", step.detail ?? ""]
            })
    }

    private mutating func measurements(_ told: IncidentFile.Told) {
        table(
            words[.measurements], [words[.time], words[.what], words[.value], "LOINC"],
            told.measurements.map { one in
                [one.time.description, one.type.name, "\(one.value) \(one.unit)", one.loinc ?? ""]
            })
    }

    private mutating func positions(_ told: IncidentFile.Told) {
        table(
            words[.positions], [words[.time], words[.latitude], words[.longitude], words[.accuracy]],
            told.positions.map { one in
                [one.time.description, "\(one.latitude)", "\(one.longitude)", one.accuracyM.map { "\($0) m" } ?? ""]
            })
    }

    private mutating func contacts(_ told: IncidentFile.Told) {
        table(
            words[.contacts], [words[.name], words[.phone], words[.email]],
            told.contacts.map { [$0.name, $0.phone.description, $0.email?.description ?? ""] })
    }

    private mutating func contactsTold() {
        table(
            words[.contactsTold],
            [
                words[.time], words[.contact], words[.way], words[.about], words[.state], words[.since],
                words[.service], words[.notes],
            ],
            file.contactsTold.map { one in
                [
                    one.createdAt.description, one.contact ?? "", words.channel(one.channel), words.about(one.about),
                    words.state(one.state), one.changedAt.description, one.hook ?? "", one.fault ?? "",
                ]
            })
    }

    // MARK: HTML

    /// Values that are empty are left out.
    private mutating func pairs(_ title: String, _ values: [(name: String, value: String?)]) {
        text += "<h2>\(escaped(title))</h2>\n<table>\n"
        for (name, value) in values {
            guard let value, !value.isEmpty else { continue }
            text += "<tr><th scope=\"row\">\(escaped(name))</th><td>\(escaped(value))</td></tr>\n"
        }
        text += "</table>\n"
    }

    private mutating func table(_ title: String, _ head: [String], _ rows: [[String]]) {
        guard !rows.isEmpty else { return }
        text += "<h2>\(escaped(title))</h2>\n<table>\n<thead><tr>"
        for name in head { text += "<th scope=\"col\">\(escaped(name))</th>" }
        text += "</tr></thead>\n<tbody>\n"
        for row in rows { text += "<tr>" + row.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>\n" }
        text += "</tbody>\n</table>\n"
    }

    private func escaped(_ text: String) -> String { HTMLText.escaped(text) }
}
