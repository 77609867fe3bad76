import Domain

/// The words of an incident's file, in Italian and English.
struct IncidentWords: Sendable {
    enum Key: CaseIterable {
        case title, times, summary, number, trigger, opened, closed, outcome, open, acceptedBy, pressed, window,
            supersedes
        case made, person, name, fiscalCode, born, phone, address, addressNotes, conditions, medication, reason,
            languages
        case causes, what, value, limit, rule, firstCritical, confirmed, received, notes, delayed, exercising,
            provisional, doctor
        case steps, time, service, detail, measurements, positions, latitude, longitude, accuracy, contacts, email
        case contactsTold, contact, way, about, state, since, restricted
        case unreadable
    }

    let language: Language

    init(_ language: Language) { self.language = language }

    subscript(key: Key) -> String {
        let (italian, english) = Self.texts(key)
        return language == .italian ? italian : english
    }

    func trigger(_ trigger: IncidentTrigger) -> String {
        switch trigger {
        case .vitalSigns: language == .italian ? "parametri vitali" : "vital signs"
        case .manual: language == .italian ? "tasto SOS" : "SOS button"
        case .exercise: language == .italian ? "chiamata di prova" : "test call"
        }
    }

    func outcome(_ outcome: IncidentOutcome) -> String {
        let (italian, english) =
            switch outcome {
            case .resolved: ("conclusa dal servizio di ambulanza", "ended by the ambulance service")
            case .expired: ("conclusa senza notizie", "ended without news")
            case .falseAlarm: ("falso allarme, dopo la chiamata", "false alarm, after the call")
            case .suppressed: ("annullata prima della chiamata", "called off before the call")
            case .exercised: ("prova riuscita", "the test went well")
            case .unanswered: ("nessuno ha accettato", "nobody accepted it")
            }
        return language == .italian ? italian : english
    }

    /// What a later version has recorded is written as it is stored.
    func step(_ kind: IncidentStep.Kind) -> String {
        let (italian, english): (String, String) =
            switch kind {
            case .firstCritical: ("prima misura critica", "first critical measurement")
            case .confirmed: ("stato critico confermato", "critical state confirmed")
            case .opened: ("emergenza aperta", "incident opened")
            case .updated: ("aggiornamento", "update")
            case .handOverBegun: ("servizio chiamato", "service called")
            case .provisional: ("misure non ancora salvate", "measurements not stored yet")
            case .stored: ("misure salvate", "measurements stored")
            case .seenByService: ("vista dal servizio", "seen by the service")
            case .dispatched: ("ambulanza partita", "ambulance on its way")
            case .onScene: ("ambulanza sul posto", "ambulance on the scene")
            case .arrivalExpected: ("arrivo previsto", "arrival expected")
            case .attemptFailed: ("chiamata non riuscita", "call failed")
            case .received: ("messaggio ricevuto dal servizio", "message received by the service")
            case .accepted: ("accettata dal servizio", "accepted by the service")
            case .rejected: ("rifiutata dal servizio", "rejected by the service")
            case .resolved: ("dichiarata conclusa dal servizio", "declared over by the service")
            case .operatorAlarmed: ("operatore avvisato", "operator alarmed")
            case .falseAlarm: ("falso allarme dichiarato", "false alarm reported")
            case .cancellationReceived: ("annullamento ricevuto dal servizio", "cancellation received by the service")
            case .cancellationGivenUp: ("annullamento non consegnato", "cancellation not delivered")
            case .closed: ("emergenza chiusa", "incident closed")
            }
        return language == .italian ? italian : english
    }

    private static func texts(_ key: Key) -> (italian: String, english: String) {
        switch key {
        case .title: ("AutomatedSOS: emergenza", "AutomatedSOS: incident")
        case .times:
            (
                "Tutti gli orari sono UTC (in Italia un'ora in più d'inverno, due d'estate), dell'orologio del servizio; quelli delle misure sono del dispositivo, riportati a quell'orologio.",
                "All times are UTC (in Italy one hour more in winter, two in summer), by the service's clock; those of measurements are the device's, brought to that clock."
            )
        case .summary: ("In breve", "In brief")
        case .number: ("Numero", "Number")
        case .trigger: ("Chiamata da", "Called by")
        case .opened: ("Aperta", "Opened")
        case .closed: ("Chiusa", "Closed")
        case .outcome: ("Esito", "Outcome")
        case .open: ("in corso", "under way")
        case .acceptedBy: ("Accettata da", "Accepted by")
        case .pressed: ("Tasto SOS premuto", "SOS button pressed")
        case .window: ("Tempo per annullare", "Time to call it off")
        case .supersedes: ("Al posto di", "In place of")
        case .made: ("Documento creato", "Document made")
        case .person: ("Persona", "Person")
        case .name: ("Nome", "Name")
        case .fiscalCode: ("Codice fiscale", "Fiscal code")
        case .born: ("Nascita (età)", "Born (age)")
        case .phone: ("Telefono", "Phone")
        case .address: ("Indirizzo", "Address")
        case .addressNotes: ("Accesso", "How to get in")
        case .conditions: ("Malattie", "Conditions")
        case .medication: ("Farmaci", "Medication")
        case .reason: ("Motivo medico", "Medical reason")
        case .languages: ("Lingue", "Languages")
        case .causes: ("Stati critici e regole", "Critical states and rules")
        case .what: ("Che cosa", "What")
        case .value: ("Valore", "Value")
        case .limit: ("Soglia", "Limit")
        case .rule: ("Regola e versione", "Rule and version")
        case .firstCritical: ("Prima misura critica", "First critical measurement")
        case .confirmed: ("Confermato", "Confirmed")
        case .received: ("Ricevuto", "Received")
        case .notes: ("Note", "Notes")
        case .delayed: ("arrivato in ritardo", "came late")
        case .exercising: ("durante attività fisica", "during exercise")
        case .provisional: ("non ancora tra le misure salvate", "not among the stored measurements yet")
        case .doctor: ("soglia indicata dal medico", "limit set by the doctor")
        case .steps: ("Tutti i passi", "Every step")
        case .time: ("Ora", "Time")
        case .service: ("Servizio", "Service")
        case .detail: ("Dettaglio", "Detail")
        case .measurements: ("Misure comunicate", "Measurements as they were told")
        case .positions: ("Ultime posizioni", "Last positions")
        case .latitude: ("Latitudine", "Latitude")
        case .longitude: ("Longitudine", "Longitude")
        case .accuracy: ("Precisione", "Accuracy")
        case .contacts: ("Contatti", "Contacts")
        case .email: ("E-mail", "E-mail")
        case .contactsTold: ("Che cosa è stato detto ai contatti", "What contacts were told")
        case .contact: ("Contatto", "Contact")
        case .way: ("Mezzo", "Way")
        case .about: ("Messaggio", "Message")
        case .state: ("Stato", "State")
        case .since: ("Dal", "Since")
        case .restricted:
            (
                "Persona cancellata: senza contatti, indirizzo e motivo medico dal",
                "Person erased: without contacts, address and medical reason since"
            )
        case .unreadable:
            ("I dettagli non si possono leggere.", "The details cannot be read.")
        }
    }
}
