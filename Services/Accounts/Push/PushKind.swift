import Domain

/// What a push message is about. It names the kind, a page and a sentence that tells nothing of anybody: it is shown on locked
/// screens, and push services see when it comes.
enum PushKind: String, Sendable, CaseIterable {
    case request
    case checkIn = "check-in"
    case alarm

    /// The page that a press on it opens.
    var path: String {
        switch self {
        case .request, .checkIn: "/requests"
        case .alarm: "/sos"
        }
    }

    /// How long a push service keeps it for a browser that is not there (RFC 8030 section 5.2), and this service tries.
    var life: Duration {
        switch self {
        case .request: .seconds(24 * 3600)
        case .checkIn: .seconds(15 * 60)
        case .alarm: .seconds(3600)
        }
    }

    /// RFC 8030 section 5.3: also when the battery is low, or not.
    var urgency: String { self == .request ? "normal" : "high" }

    func title(_ language: Language) -> String {
        switch (self, language) {
        case (.request, .italian): "C'è una nuova richiesta dei tuoi dati"
        case (.request, .english): "There is a new request for your data"
        case (.checkIn, .italian): "La tua corsa sta per cominciare: fai il check-in"
        case (.checkIn, .english): "Your run is about to begin: check in"
        case (.alarm, .italian): "AutomatedSOS ti avvisa: apri TrackMe"
        case (.alarm, .english): "AutomatedSOS has something to tell you: open TrackMe"
        }
    }
}

/// What a browser gets.
struct PushMessage: Encodable {
    let kind: String
    let path: String
    let title: String
    let language: String

    init(_ kind: PushKind, in language: Language) {
        self.kind = kind.rawValue
        path = kind.path
        title = kind.title(language)
        self.language = language.rawValue
    }
}
