import Contracts
import HTTP
import JSON
import Primitives
import Reactor
import Security
import Service
import Telemetry

/// Call-backs with which ambulance services accept, reject and resolve an incident (SOS-13): signed as our calls are,
/// with the token of the hand-over.
struct CallbackRoutes: Sendable {
    let store: IncidentStore
    let hooks: Hooks
    let tokens: HandOverToken
    let desk: HandOverDesk
    let clock: any WallClock
    /// Members of call-backs that this version does not know.
    let ignoredMembers: Counter

    private struct Reply: Decodable {
        var hook: String
        var token: String
        /// Part of what is signed, so that nobody can replay a signed acceptance as a rejection.
        var decision: Decision
    }

    private enum Decision: String, Codable { case accepted, rejected, resolved }

    private struct Answer: Encodable {
        var incident: UUID
        var status: Decision
    }

    func add(to routes: inout ServiceRoutes) {
        on("acceptance", .accepted, in: &routes) { .accepted($0, $1) }
        on("rejection", .rejected, in: &routes) { .rejected($0, $1) }
        on("resolution", .resolved, in: &routes) { .resolved($0, $1) }
    }

    private func on(
        _ name: String, _ decision: Decision, in routes: inout ServiceRoutes,
        _ event: @escaping @Sendable (_ hook: String, Incident.CallBack) -> IncidentEvent
    ) {
        let path = "/dispatcher/v1/handovers/:incident/\(name)"
        routes.on(.post, path, access: .secretInRequest, body: .buffered(bytesMax: 4096)) { request in
            let (incident, hook, call) = try check(request, decision)
            switch try await store.decide(event(hook, call), of: incident) {
            case .done:
                desk.changed(incident)
                return try .json(Answer(incident: incident, status: decision))
            case .repeated: return try .json(Answer(incident: incident, status: decision))
            case .acceptedByAnother:
                throw Problem(
                    .conflict, code: "accepted-by-another", detail: "an ambulance service has accepted already")
            case .handedBack:
                throw Problem(
                    .conflict, code: "handed-back", detail: "you have rejected the incident after you had accepted it")
            case .notAccepted:
                throw Problem(.conflict, code: "not-accepted", detail: "accept the incident before you resolve it")
            case .outdated:
                throw Problem(
                    .conflict, code: "outdated-decision",
                    detail: "you have sent another decision after this one; if this one is to count, send it again")
            case .closed:
                throw Problem(
                    .conflict, code: "incident-closed", detail: "the incident was called off or is closed")
            case nil: throw Problem.notFound
            }
        }
    }

    /// Authenticates the caller: by the signature with the hook's secret, and the token that only this hook got for
    /// this incident.
    private func check(
        _ request: HTTPRequest, _ decision: Decision
    ) throws -> (incident: UUID, hook: String, call: Incident.CallBack) {
        let incident = try request.parameter("incident", as: UUID.self)
        let reply = try request.json(Reply.self, unknownMembers: .counted(ignoredMembers))
        guard let hook = hooks[reply.hook], let id = request.field("webhook-id"),
            let timestamp = request.field("webhook-timestamp"), let signature = request.field("webhook-signature"),
            let seconds = Int64(timestamp)
        else { throw Self.refused }
        do throws(SecurityError) {
            try WebhookSignature.verify(
                id: id, timestamp: timestamp, signature: signature, body: request.bytes, secrets: [hook.secret],
                now: clock.now())
        } catch { throw Self.refused }
        guard tokens.isValid(reply.token, of: incident, hook: hook.name) else { throw Self.refused }
        guard reply.decision == decision else {
            throw Problem(
                .unprocessableContent, code: "other-decision", detail: "decision has to be \(decision.rawValue) here",
                errors: [.init(pointer: "/decision", detail: "must be \(decision.rawValue)")])
        }
        // The signature's check has bounded the time.
        return (incident, hook.name, .init(id: id, sentAt: Timestamp(microseconds: seconds * 1_000_000)))
    }

    private static let refused = Problem(
        .unauthorized, code: "signature-refused", detail: "the call is not signed by a hook that has this incident")
}
