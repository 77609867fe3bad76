import Domain
import Glibc
import Primitives

/// The sentences of `Speech` in one language.
struct SpeechWords {
    private let isItalian: Bool

    init(_ language: Language) {
        isItalian = language == .italian
    }

    private func say(_ italian: String, _ english: String) -> String { isItalian ? italian : english }

    // MARK: What it is

    /// Whoever hears no more than the first word of an exercise hears that it is one.
    func opening(_ incident: IncidentMessage.Summary) -> String {
        let sentence = kind(incident.message)
        guard incident.isExercise else { return sentence }
        return say("Esercitazione: ", "Exercise: ") + sentence.prefix(1).lowercased() + sentence.dropFirst()
    }

    private func kind(_ message: IncidentMessage.Kind) -> String {
        switch message {
        case .alert:
            say("Emergenza sanitaria. Chiamata automatica di TrackMe.", "Medical emergency. Automatic call by TrackMe.")
        case .exercise: say("Prova di TrackMe.", "Test call by TrackMe.")
        case .update:
            say("Aggiornamento di un'emergenza sanitaria, da TrackMe.", "Update of a medical emergency, by TrackMe.")
        case .cancel: say("Annullamento di una chiamata di TrackMe.", "Cancellation of a call by TrackMe.")
        case .resolved: say("Emergenza conclusa, da TrackMe.", "Emergency over, by TrackMe.")
        }
    }

    var exercise: String {
        say("Nessuno sta male e nessuno deve partire.", "Nobody is ill, and nobody is to go.")
    }

    func ending(_ incident: IncidentMessage.Summary) -> String {
        switch incident.reason {
        case .falseAlarm:
            say(
                "Non occorre più intervenire: la persona dice di stare bene.",
                "Nobody needs to come: the person says they are well.")
        case .acceptedByAnother:
            say(
                "Non occorre più intervenire: interviene un altro servizio.",
                "Nobody needs to come: another service does.")
        case .superseded:
            say(
                "La sostituisce un'altra chiamata, che è già partita.",
                "Another call takes its place, and is on its way.")
        case .byService, .timeOver: say("Non è richiesto altro.", "Nothing more is asked of you.")
        case .unanswered, nil: say("Non occorre più intervenire.", "Nobody needs to come any more.")
        }
    }

    // MARK: Who

    func person(_ person: IncidentMessage.Person) -> String {
        let name = [person.name, person.surname].compactMap { $0 }.joined(separator: " ")
        let sex =
            switch person.sex {
            case .female: say("donna", "woman")
            case .male: say("uomo", "man")
            case nil: say("persona", "person")
            }
        let age = say("di \(person.age) anni", "aged \(person.age)")
        return name.isEmpty ? "\(capital(sex)) \(age)." : "\(name), \(sex) \(age)."
    }

    func callBack(_ phone: PhoneNumber) -> String {
        let digits = spelled(phone.description)
        return say("Telefono della persona: \(digits).", "The person's telephone: \(digits).")
    }

    /// Digit by digit, so that it can be written down.
    private func spelled(_ number: String) -> String {
        number.map { $0 == "+" ? say("più", "plus") : String($0) }.joined(separator: " ")
    }

    func conditions(_ conditions: [String]) -> [String] {
        conditions.isEmpty
            ? []
            : [
                say("Malattie note: ", "Known conditions: ") + conditions.prefix(3).joined(separator: ", ") + "."
            ]
    }

    // MARK: What was measured

    func measured(_ incident: IncidentMessage.Summary, _ vitals: [IncidentMessage.Vital]) -> [String] {
        var sentences: [String] = []
        if incident.sosPressed != nil {
            sentences.append(
                say("La persona ha premuto il pulsante SOS.", "The person has pressed the SOS button."))
        }
        sentences += incident.causes.prefix(3).map { cause in
            "\(capital(name(cause.type))) \(number(cause.value))\(unit(cause.type))."
        }
        if incident.isDelayed {
            sentences.append(
                say("Le misure sono arrivate in ritardo.", "The measurements came late."))
        }
        let told = Set(incident.causes.map(\.type))
        sentences += vitals.filter { !told.contains($0.type) && Self.names[$0.type.description] != nil }.prefix(2).map {
            "\(capital(name($0.type))) \(number($0.value))\(unit($0.type))."
        }
        return sentences
    }

    /// Names and units; what stands in none is said as the program calls it.
    private static let names: [String: (italian: String, english: String, italianUnit: String, englishUnit: String)] = [
        "heart-rate": ("frequenza cardiaca", "heart rate", " al minuto", " per minute"),
        "blood-pressure-systolic": (
            "pressione sistolica", "systolic blood pressure", " millimetri di mercurio", " millimetres of mercury"
        ),
        "blood-pressure-diastolic": (
            "pressione diastolica", "diastolic blood pressure", " millimetri di mercurio", " millimetres of mercury"
        ),
        "oxygen-saturation": ("saturazione di ossigeno", "oxygen saturation", " per cento", " percent"),
        "respiration-rate": ("frequenza respiratoria", "respiration rate", " al minuto", " per minute"),
        "body-temperature": ("temperatura", "body temperature", " gradi", " degrees Celsius"),
        "glucose": ("glicemia", "blood glucose", " milligrammi per decilitro", " milligrams per decilitre"),
        "stress-level": ("livello di stress", "stress level", " su 100", " of 100"),
    ]

    private func name(_ type: DataType) -> String {
        Self.names[type.description].map { say($0.italian, $0.english) } ?? type.description
    }

    private func unit(_ type: DataType) -> String {
        Self.names[type.description].map { say($0.italianUnit, $0.englishUnit) } ?? ""
    }

    private func number(_ value: Double, decimals: Int = 1) -> String {
        let factor = pow(10, Double(decimals))
        let rounded = (value * factor).rounded() / factor
        let text = rounded == rounded.rounded() && abs(rounded) < 1e9 ? String(Int64(rounded)) : "\(rounded)"
        return isItalian ? text.replacing(".", with: ",") : text
    }

    // MARK: Where

    func place(_ position: IncidentMessage.Position?, _ home: IncidentMessage.Home?, sent: Timestamp) -> [String] {
        var sentences: [String] = []
        if let position {
            let (latitude, longitude) = (
                number(position.latitude, decimals: 4), number(position.longitude, decimals: 4)
            )
            let age = max(0, Int((sent - position.time).seconds))
            sentences.append(
                position.isCurrent
                    ? say(
                        "Si trova a latitudine \(latitude), longitudine \(longitude).",
                        "At latitude \(latitude), longitude \(longitude).")
                    : say(
                        "La posizione attuale manca. L'ultima nota, di \(minutes(age)) fa: latitudine \(latitude), longitudine \(longitude).",
                        "The present position is not known. The last one, \(minutes(age)) ago: latitude \(latitude), longitude \(longitude)."
                    ))
            if let accuracy = position.accuracyM {
                sentences.append(
                    say(
                        "Precisione \(number(accuracy, decimals: 0)) metri.",
                        "Within \(number(accuracy, decimals: 0)) metres."))
            }
        } else {
            sentences.append(say("La posizione non è nota.", "The position is not known."))
        }
        if let home, home.isFallback {
            let line = home.line(say("piano", "floor"))
            sentences.append(say("A casa: \(line).", "At home: \(line)."))
        }
        return sentences
    }

    private func minutes(_ seconds: Int) -> String {
        switch seconds {
        case ..<120: say("\(seconds) secondi", "\(seconds) seconds")
        case ..<7200: say("\(seconds / 60) minuti", "\(seconds / 60) minutes")
        default: say("\(seconds / 3600) ore", "\(seconds / 3600) hours")
        }
    }

    private func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
