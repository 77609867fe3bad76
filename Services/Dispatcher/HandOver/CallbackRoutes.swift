import Contracts
import HTTP
import JSON
import Primitives
import Reactor
import Security
import Service

/// Ambulance services accept and reject (SOS-13), signed as our calls are, with the token of the hand-over.
struct CallbackRoutes: Sendable {
    let store: IncidentStore
    let notices: NoticeOutbox
    let hooks: Hooks
    let tokens: HandOverToken
    let desk: HandOverDesk
    let clock: any WallClock

    private struct Reply: Decodable {
        var hook: String
        var token: String
        /// Under the signature, so that no answer can be passed off as the other.
        var decision: Decision
    }

    private enum Decision: String, Codable { case accepted, rejected }

    private struct Answer: Encodable {
        var incident: UUID
        var status: Decision
    }

    func add(to routes: inout ServiceRoutes) {
        let (prefix, body) = ("/dispatcher/v1/handovers/:incident", HTTPBodyPolicy.buffered(bytesMax: 4096))
        routes.on(.post, "\(prefix)/acceptance", access: .secretInRequest, body: body) { try await accept($0) }
        routes.on(.post, "\(prefix)/rejection", access: .secretInRequest, body: body) { try await reject($0) }
    }

    private func accept(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (incident, hook) = try check(request, .accepted)
        let now = clock.now()
        var notice: Notice?
        if let person = try await store.person(of: incident) {
            notice = Notice(
                id: .named(Array("accepted".utf8), in: incident), to: person.account,
                template: "incident-accepted",
                values: ["time": person.openedAt.description, "service": hook])
        }
        let answer = try await store.accept(incident, by: hook, notice: notice, at: now, notices: notices)
        notices.wake()
        return try respond(answer, incident, .accepted)
    }

    private func reject(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (incident, hook) = try check(request, .rejected)
        return try respond(try await store.reject(incident, by: hook, at: clock.now()), incident, .rejected)
    }

    private func respond(_ answer: IncidentStore.Answer, _ incident: UUID, _ status: Decision) throws -> HTTPResponse {
        switch answer {
        case .done:
            desk.changed(incident)
            return try .json(Answer(incident: incident, status: status))
        case .repeated: return try .json(Answer(incident: incident, status: status))
        case .acceptedByAnother:
            throw Problem(.conflict, code: "accepted-by-another", detail: "an ambulance service has accepted already")
        case .calledOff:
            throw Problem(.conflict, code: "incident-called-off", detail: "the incident was called off or is closed")
        case .unknown: throw Problem.notFound
        }
    }

    /// Who calls: signature by the hook's secret, and the token that only this hook got for this incident.
    private func check(_ request: HTTPRequest, _ decision: Decision) throws -> (UUID, String) {
        let incident = try request.parameter("incident", as: UUID.self)
        let reply = try request.json(Reply.self)
        guard let hook = hooks[reply.hook], let id = request.field("webhook-id"),
            let timestamp = request.field("webhook-timestamp"), let signature = request.field("webhook-signature")
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
        return (incident, hook.name)
    }

    private static let refused = Problem(
        .unauthorized, code: "signature-refused", detail: "the call is not signed by a hook that has this incident")
}
