import Contracts
import Domain

/// What an individual consents to by itself, besides the terms (GDPR 7(2), 9(2)(a)).
enum ConsentPurpose: String, CaseIterable, Codable, Sendable {
    case healthData = "health-data"
    case position

    /// The version of the texts below; another text is another version.
    static let version = "2026-01"

    /// Whether it is among those given.
    func isGiven(in consents: Accounts.Consents) -> Bool {
        switch self {
        case .healthData: consents.healthData
        case .position: consents.position
        }
    }

    /// What is agreed to, as it is shown.
    func text(_ language: Language) -> String {
        switch (self, language) {
        case (.healthData, .english):
            """
            I agree that TrackMe collects what my devices measure of my body: heart rate, oxygen, steps, sleep and the \
            like. Without it none of that is collected. I can withdraw at any time; what was collected before stays until \
            I delete it.
            """
        case (.healthData, .italian):
            """
            Acconsento a che TrackMe raccolga ciò che i miei dispositivi misurano del mio corpo: battito, ossigeno, \
            passi, sonno e simili. Senza consenso non ne viene raccolto nulla. Posso revocarlo in ogni momento; ciò che è \
            stato raccolto prima resta finché non lo cancello.
            """
        case (.position, .english):
            """
            I agree that TrackMe collects my position. Without it no ambulance can be sent to me by AutomatedSOS, and \
            nobody can follow me in a run. I can withdraw at any time; what was collected before stays until I delete it.
            """
        case (.position, .italian):
            """
            Acconsento a che TrackMe raccolga la mia posizione. Senza consenso AutomatedSOS non può mandarmi \
            un'ambulanza e nessuno può seguirmi in una corsa. Posso revocarlo in ogni momento; ciò che è stato raccolto \
            prima resta finché non lo cancello.
            """
        }
    }
}

/// How terms were accepted, or a consent given or withdrawn: what its receipt tells.
enum ConsentWay: String, Codable, Sendable {
    /// In the own form.
    case registration
    /// By the parent of somebody under 14, through a link in a mail.
    case parent
    /// At a log-in that asked for it.
    case logIn = "log-in"
    /// By a logged-in person.
    case session
    /// Elsewhere, as who provisioned the person can prove.
    case provisioning
}
