import Domain
import HTTP
import Security

/// An ambulance service that can be called (SOS-06).
struct Hook: Sendable {
    /// What it is sent (Hooks/README.md).
    enum Form: String, Sendable, Decodable {
        /// `IncidentMessage`.
        case json
        /// OASIS CAP 1.2 (`CAPAlert`).
        case cap

        var contentType: String {
            switch self {
            case .json: "application/json"
            case .cap: "application/cap+xml"
            }
        }
    }

    /// While a secret is being replaced there are two.
    static let secretsMax = 2

    /// Whether it takes the synthetic incidents of the dead man's switch, which are marked as exercises.
    enum Exercises: String, Sendable, Codable {
        case none
        /// Beside emergencies.
        case too
        /// A test receiver: it is never called in an emergency.
        case only
    }

    let name: String
    let url: HTTPURL
    /// Calls are signed with each of them, and call backs may be signed with any.
    let secrets: [WebhookSecret]
    /// The area that it covers; `nil` is everywhere.
    let area: ServiceArea?
    /// Whether its address may be on this network or this machine.
    let allowsPrivate: Bool
    var form = Form.json
    /// Whether it is probed: not where nobody listens most of the time, as on a developer's machine.
    var isProbed = true
    var exercises = Exercises.none
}
