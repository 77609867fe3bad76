import Primitives
import Security

/// A token with which a hook that answers proves that the incident was handed over to it: derived from incident and
/// hook with the service's key.
struct HandOverToken: Sendable {
    private let index: BlindIndex

    init(master: SecretKey) {
        index = BlindIndex(master: master, column: "dispatcher.handover.token")
    }

    func of(_ incident: UUID, hook: String) -> String {
        Base64.url.encode(index.index(incident.bytes + Array(hook.utf8)))
    }

    func isValid(_ token: String, of incident: UUID, hook: String) -> Bool {
        constantTimeEqual(Array(token.utf8), Array(of(incident, hook: hook).utf8))
    }
}
