import Domain

/// What contacts were told, in words.
extension IncidentWords {
    func channel(_ channel: ContactMessage.Channel) -> String {
        switch channel {
        case .sms: language == .italian ? "SMS" : "text message"
        case .call: language == .italian ? "telefonata" : "call"
        case .email: "e-mail"
        }
    }

    func about(_ kind: ContactMessage.Kind) -> String {
        let (italian, english) =
            switch kind {
            case .question: ("domanda se vuole essere un contatto", "question whether to be a contact")
            case .emergency: ("emergenza", "emergency")
            case .accepted: ("un servizio di ambulanza ha accettato", "an ambulance service has accepted")
            case .unanswered: ("nessuno ha accettato: chiamare il 112", "nobody has accepted: call 112")
            case .over: ("emergenza finita", "the emergency is over")
            case .handedBack: ("il servizio che arrivava non può venire", "the service that was coming cannot come")
            case .rule: ("osservazione per i soli contatti", "observation for contacts alone")
            case .late: ("stato critico letto in ritardo", "critical state that was read late")
            case .sensorLost: ("sensore perso", "sensor lost")
            }
        return language == .italian ? italian : english
    }

    func state(_ state: ContactMessage.State) -> String {
        let (italian, english) =
            switch state {
            case .waiting: ("in attesa", "waiting")
            case .handedOver: ("affidato a chi lo invia", "given to who sends it")
            case .delivered: ("consegnato", "delivered")
            case .answered: ("risposta alla telefonata", "call answered")
            case .failed: ("non arrivato", "did not arrive")
            case .expired: ("non inviato in tempo", "not sent in time")
            case .superseded: ("sostituito da uno più nuovo", "replaced by a newer one")
            }
        return language == .italian ? italian : english
    }
}
