import JSON
import Primitives

/// What a hook is sent all the time to see that it answers (SOS-13c): signed as incidents are, and of nobody. It is answered with 2xx,
/// and nothing is to be done.
struct ProbeMessage: Sendable, Encodable {
    struct Probe: Sendable, Encodable {
        /// As in `webhook-id`: no incident's begins so.
        var id: String
        var sent: Timestamp
    }

    static let idPrefix = "probe:"

    var version = IncidentMessage.version
    var probe: Probe

    init(at now: Timestamp, id: UUID = .random()) {
        probe = Probe(id: "\(Self.idPrefix)\(id)", sent: now)
    }

    func encoded(for hook: Hook, sender: CAPAlert.Sender) throws(JSONError) -> [UInt8] {
        switch hook.form {
        case .json: try JSONEncoder().encode(self)
        case .cap: CAPAlert.probe(self, hook: hook.name, sender: sender)
        }
    }
}
