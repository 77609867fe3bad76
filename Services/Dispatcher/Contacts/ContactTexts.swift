import Domain
import JSON
import Primitives
import Service
import Web

/// The words of messages to contacts, in Italian and English (NFR-08): short enough for a text message, plain enough to be spoken.
struct ContactTexts: Sendable {
    struct Text: Sendable, Equatable {
        let subject: String
        let body: String
    }

    /// A position that is older is told as the last one that is known.
    private static let positionCurrentMax = Duration.seconds(300)

    private let words: [Language: Words]
    private let zone: TimeZoneRules?

    /// Times are written as in Italy; in UTC, and the operator is told, where the machine has no data of time zones.
    init(log: Log) {
        var words: [Language: Words] = [:]
        var zone: TimeZoneRules?
        do {
            for language in Language.allCases { words[language] = try Words.shared(language) }
            zone = try TimeZones().rules(of: .rome)
        } catch {
            log.error("messages to contacts are less readable than they should be", ["error": Log.text(of: error)])
        }
        self.words = words
        self.zone = zone
    }

    /// The language that an enrolled person's contacts are written to in: the first of the person's own that there is.
    static func language(of enrolment: EnrolmentDetails) -> Language {
        for tag in enrolment.languages {
            if let known = Language(rawValue: tag.lowercased().split(separator: "-").first.map(String.init) ?? "") {
                return known
            }
        }
        return .italian
    }

    /// As a message of this kind reads that is sent now. Link and coordinates are left out of what is spoken: nobody can take them
    /// down by ear.
    func text(
        _ kind: ContactMessage.Kind, _ content: ContactMessage.Content, by channel: ContactMessage.Channel,
        link: String?, at now: Timestamp
    ) -> Text {
        let isItalian = content.language == .italian
        let who = Self.who(content)
        let (subject, said) = said(kind, content, who, isItalian)
        var parts =
            channel == .call
            ? [isItalian ? "Messaggio automatico di AutomatedSOS." : "Automatic message of AutomatedSOS."] : []
        parts.append(said)
        if !content.isBrief, [.emergency, .late, .unanswered].contains(kind) { parts += causes(content) }
        if !content.isBrief, [.emergency, .rule, .unanswered].contains(kind) {
            parts += channel == .call ? spokenPlace(content) : writtenPlace(content, at: now)
        }
        if [.emergency, .unanswered, .rule, .late].contains(kind) {
            parts.append((isItalian ? "Telefono: " : "Phone: ") + content.callbackPhone.description + ".")
        }
        if channel != .call, let link {
            let before =
                kind == .question
                ? (isItalian ? "Rispondi qui: " : "Answer here: ") : (isItalian ? "Come procede: " : "How it goes on: ")
            parts.append(before + link)
        }
        return Text(subject: "AutomatedSOS: \(subject)", body: parts.joined(separator: " "))
    }

    private func said(
        _ kind: ContactMessage.Kind, _ content: ContactMessage.Content, _ who: String, _ isItalian: Bool
    ) -> (subject: String, body: String) {
        let when = content.happenedAt.map { moment($0, content.language) } ?? ""
        let service = content.service ?? ""
        switch (kind, isItalian) {
        case (.question, true):
            return (
                "contatto di emergenza",
                "\(who) ti ha indicato come contatto di emergenza: in caso di emergenza ti avviseremo. Vuoi esserlo?"
            )
        case (.question, false):
            return (
                "emergency contact",
                "\(who) has named you as an emergency contact: we would tell you of an emergency. Do you want to be one?"
            )
        case (.emergency, true):
            return ("emergenza", "EMERGENZA di \(who), \(when). Stiamo avvisando i soccorsi.")
        case (.emergency, false):
            return ("emergency", "EMERGENCY of \(who), \(when). An ambulance service is being told.")
        case (.accepted, true):
            return ("i soccorsi arrivano", "Emergenza di \(who), \(when): i soccorsi arrivano (\(service)).")
        case (.accepted, false):
            return ("help is on its way", "Emergency of \(who), \(when): help is on its way (\(service)).")
        case (.handedBack, true):
            return (
                "si chiama un altro servizio",
                "Emergenza di \(who): il servizio di ambulanza non può più venire, ne chiamiamo un altro."
            )
        case (.handedBack, false):
            return (
                "another service is called",
                "Emergency of \(who): the ambulance service can no longer come, another one is being called."
            )
        case (.unanswered, true):
            return (
                "chiama il 112",
                "EMERGENZA di \(who), \(when): nessun servizio di ambulanza ha ancora accettato. Chiama tu il 112."
            )
        case (.unanswered, false):
            return (
                "call 112",
                "EMERGENCY of \(who), \(when): no ambulance service has accepted yet. Please call 112 yourself."
            )
        case (.over, _): return over(content, who, when, isItalian)
        case (.rule, true):
            return (
                "controlla come sta",
                "\(who), \(when): \(name(of: content.cause ?? "", .italian)). I soccorsi NON sono stati avvisati: controlla come sta."
            )
        case (.rule, false):
            return (
                "please check",
                "\(who), \(when): \(name(of: content.cause ?? "", .english)). No ambulance was called: please check."
            )
        case (.late, true):
            return (
                "misura critica in ritardo",
                "\(who), \(when): una misura critica è arrivata troppo tardi, i soccorsi NON sono stati avvisati. Controlla come sta."
            )
        case (.late, false):
            return (
                "a critical reading came late",
                "\(who), \(when): a critical reading came too late, no ambulance was called. Please check."
            )
        case (.sensorLost, true):
            return (
                "nessuna misura",
                "Non arrivano misure di \(who) da \(when): la sorveglianza è sospesa e riprende da sola. Non è un'emergenza."
            )
        case (.sensorLost, false):
            return (
                "no readings",
                "No readings of \(who) have come since \(when): watching is suspended and resumes by itself. This is no emergency."
            )
        }
    }

    private func over(
        _ content: ContactMessage.Content, _ who: String, _ when: String, _ isItalian: Bool
    ) -> (subject: String, body: String) {
        switch (content.outcome, isItalian) {
        case (.falseAlarm, true), (.suppressed, true), (.exercised, true):
            return ("falso allarme", "\(who) sta bene: l'emergenza (\(when)) era un falso allarme.")
        case (.falseAlarm, false), (.suppressed, false), (.exercised, false):
            return ("false alarm", "\(who) is well: the emergency of \(when) was a false alarm.")
        case (.unanswered, true):
            return (
                "emergenza chiusa",
                "L'emergenza di \(who) (\(when)) è chiusa: nessun servizio di ambulanza ha accettato. Controlla come sta."
            )
        case (.unanswered, false):
            return (
                "emergency closed",
                "The emergency of \(who) (\(when)) is closed: no ambulance service has accepted it. Please check."
            )
        case (_, true): return ("emergenza conclusa", "L'emergenza di \(who) (\(when)) è conclusa.")
        case (_, false): return ("emergency over", "The emergency of \(who) (\(when)) is over.")
        }
    }

    // MARK: Parts

    /// Whose emergency it is. Without the name the number by which the contact knows the person.
    private static func who(_ content: ContactMessage.Content) -> String {
        guard let name = content.person.map({ plain($0) }), !name.isEmpty else {
            return content.callbackPhone.description
        }
        return name
    }

    /// A name that can be nothing but one: no link, no number, no line of its own. Whoever means harm chooses the own name.
    /// `others` are taken, too.
    static func plain(_ name: String, with others: String = "", max: Int = 60) -> String {
        var plain = ""
        for scalar in name.unicodeScalars {
            if scalar.properties.isAlphabetic || "'’-\(others)".unicodeScalars.contains(scalar) {
                plain.unicodeScalars.append(scalar)
            } else if plain.last != " " {
                plain += " "
            }
        }
        return String(plain.prefix(max)).split(separator: " ").joined(separator: " ")
    }

    private func name(of cause: String, _ language: Language) -> String {
        words[language]?.text("types.\(cause)") ?? cause
    }

    private func moment(_ time: Timestamp, _ language: Language) -> String {
        guard let zone else { return time.description }
        let format = ReadableFormat(language: language, zone: zone)
        return "\(format.day(time)) \(language == .italian ? "alle" : "at") \(format.clock(time))"
    }

    private func causes(_ content: ContactMessage.Content) -> [String] {
        let isItalian = content.language == .italian
        var causes: [String] = []
        if content.sosPressed != nil {
            causes.append(isItalian ? "Ha premuto il tasto SOS." : "The SOS button was pressed.")
        }
        if let cause = content.cause {
            causes.append(
                (isItalian ? "Valore critico: " : "Critical value: ") + name(of: cause, content.language) + ".")
        }
        return causes
    }

    // MARK: Places

    /// The position, and the home where there is none of now.
    private func writtenPlace(_ content: ContactMessage.Content, at now: Timestamp) -> [String] {
        let home = home(content)
        guard let fix = content.position else { return home }
        let isCurrent = now - fix.time <= Self.positionCurrentMax
        let position = position(fix, isCurrent: isCurrent, at: now, content.language)
        return isCurrent ? [position] : [position] + home
    }

    private func spokenPlace(_ content: ContactMessage.Content) -> [String] {
        guard content.position != nil else { return home(content) }
        let isItalian = content.language == .italian
        return home(content) + [isItalian ? "La posizione è nel messaggio." : "The position is in the message."]
    }

    private func home(_ content: ContactMessage.Content) -> [String] {
        guard let home = content.home else { return [] }
        let isItalian = content.language == .italian
        let floor = home.floor.map { ", \(isItalian ? "piano" : "floor") \($0)" } ?? ""
        let address = Self.plain("\(home.street), \(home.city)\(floor)", with: "0123456789,/", max: 160)
        return ["\(isItalian ? "Casa" : "Home"): \(address)."]
    }

    /// With the day, when it is not today's.
    private func position(
        _ fix: StoredFix, isCurrent: Bool, at now: Timestamp, _ language: Language
    ) -> String {
        let isItalian = language == .italian
        let (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
        let accuracy = fix.accuracy.map { ", ± \(Int(min($0.rounded(), 99_999))) m" } ?? ""
        let format = zone.map { ReadableFormat(language: language, zone: $0) }
        let isOfToday = format.map { $0.day(fix.time) == $0.day(now) } ?? false
        let time = isOfToday ? format?.clock(fix.time) : nil
        let what =
            switch (isCurrent, isItalian) {
            case (true, true): "Posizione"
            case (true, false): "Position"
            case (false, true): "Ultima posizione nota"
            case (false, false): "Last known position"
            }
        return
            "\(what): \(Self.degrees(latitude)) \(Self.degrees(longitude))\(accuracy) (\(time ?? moment(fix.time, language)))."
    }

    /// With five decimals, which is a metre.
    private static func degrees(_ value: Double) -> String {
        let scaled = Int64((value.magnitude * 100_000).rounded())
        let decimals = String(scaled % 100_000)
        let zeros = String(repeating: "0", count: 5 - decimals.count)
        return "\(value < 0 ? "-" : "")\(scaled / 100_000).\(zeros)\(decimals)"
    }
}
