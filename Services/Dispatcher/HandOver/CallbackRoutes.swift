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
    /// A decision may wait so long for the network before it is signed and arrives.
    static let decidedMax = Duration.seconds(86_400)
    /// Of a body.
    static let bytesMax = 4096

    let hooks: Hooks
    let tokens: HandOverToken
    let desk: HandOverDesk
    let clock: any WallClock
    let standby: Standby
    /// Members of call-backs that this version does not know.
    let ignoredMembers: Counter

    private struct Reply: Decodable, HandOverProof {
        var hook: String
        var token: String
        var decidedAt: Timestamp?
        /// Part of what is signed, so that nobody can replay a signed acceptance as a rejection.
        var decision: Decision
        /// Of a rejection. A word that is not known counts as `other`: a rejection must not fail because of its reason.
        var reason: String?

        var rejectionReason: Incident.RejectionReason? {
            reason.map { Incident.RejectionReason(rawValue: $0) ?? .other }
        }
    }

    private enum Decision: String, Codable { case accepted, rejected, resolved }

    private struct Answer: Encodable {
        var incident: UUID
        var status: Decision
    }

    func add(to routes: inout ServiceRoutes) {
        on("acceptance", .accepted, in: &routes) { hook, call, _ in .accepted(hook, call) }
        on("rejection", .rejected, in: &routes) { .rejected($0, $1, reason: $2.rejectionReason) }
        on("resolution", .resolved, in: &routes) { hook, call, _ in .resolved(hook, call) }
        addProgress(to: &routes)
    }

    private func on(
        _ name: String, _ decision: Decision, in routes: inout ServiceRoutes,
        _ event: @escaping @Sendable (_ hook: String, Incident.CallBack, Reply) -> IncidentEvent
    ) {
        let path = "/dispatcher/v1/handovers/:incident/\(name)"
        routes.on(.post, path, access: .secretInRequest, body: .buffered(bytesMax: Self.bytesMax)) { request in
            let (incident, reply, call) = try authenticate(request, as: Reply.self)
            guard reply.decision == decision else {
                throw Problem(
                    .unprocessableContent, code: "other-decision",
                    detail: "decision has to be \(decision.rawValue) here",
                    errors: [.init(pointer: "/decision", detail: "must be \(decision.rawValue)")])
            }
            switch try await desk.decide(event(reply.hook, call, reply), of: incident, at: standby.clock.now()) {
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
                    detail: "you have made another decision after this one; if this one is to count, decide anew")
            case .closed:
                throw Problem(
                    .conflict, code: "incident-closed", detail: "the incident was called off or is closed")
            case nil: throw Problem.notFound
            }
        }
    }

    /// Authenticates the caller: by the signature with a secret of the hook, and the token that only this hook got for
    /// this incident.
    func authenticate<Body: Decodable & HandOverProof>(
        _ request: HTTPRequest, as _: Body.Type
    ) throws -> (incident: UUID, body: Body, call: Incident.CallBack) {
        let incident = try request.parameter("incident", as: UUID.self)
        let body = try request.json(Body.self, unknownMembers: .counted(ignoredMembers))
        guard let hook = hooks[body.hook], let id = request.field("webhook-id"),
            let timestamp = request.field("webhook-timestamp"), let signature = request.field("webhook-signature"),
            let seconds = Int64(timestamp)
        else { throw Self.refused }
        do throws(SecurityError) {
            try WebhookSignature.verify(
                id: id, timestamp: timestamp, signature: signature, body: request.bytes, secrets: hook.secrets,
                now: clock.now())
        } catch { throw Self.refused }
        guard tokens.isValid(body.token, of: incident, hook: hook.name) else { throw Self.refused }
        // The signature's check has bounded the time.
        let signedAt = Timestamp(microseconds: seconds * 1_000_000)
        return (incident, body, .init(id: id, sentAt: try Self.decided(body.decidedAt, signedAt: signedAt)))
    }

    /// What orders the calls of a service. A call that failed is signed anew when it is sent again; when it was decided stays.
    private static func decided(_ time: Timestamp?, signedAt: Timestamp) throws(Problem) -> Timestamp {
        guard let time else { return signedAt }
        // The signature's time is in whole seconds.
        guard time < signedAt + .seconds(1), signedAt - time <= decidedMax else {
            let detail = "must be no later than webhook-timestamp, and a day before it at most"
            throw Problem(
                .unprocessableContent, code: "decided-at-out-of-range", detail: "decided_at \(detail)",
                errors: [.init(pointer: "/decided_at", detail: detail)])
        }
        return time
    }

    private static let refused = Problem(
        .unauthorized, code: "signature-refused", detail: "the call is not signed by a hook that has this incident")
}

/// What every call back says of who calls.
protocol HandOverProof {
    var hook: String { get }
    /// That this hook got for this incident.
    var token: String { get }
    /// When the service has decided, or seen, what it says; `nil`: when it was signed.
    var decidedAt: Timestamp? { get }
}
