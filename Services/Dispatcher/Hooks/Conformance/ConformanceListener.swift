import HTTP
import JSON
import Primitives
import Reactor
import Security
import Synchronization

/// Takes the call backs of the receiver that is tried, answers as the dispatcher does, and notes what is wrong with them.
final class ConformanceListener: Sendable {
    struct Call: Sendable, Equatable {
        let incident: UUID
        /// `acceptance`, `rejection`, `resolution` or `status`.
        let kind: String
        let id: String
        let body: [UInt8]
        /// What is wrong with it, in words.
        let faults: [String]
        let answer: UInt16

        /// A member of the body that is a text.
        func text(_ name: String) -> String? {
            let body = try? JSONDecoder().decode(JSONValue.self, from: body)
            return if case .string(let text)? = body?[name] { text } else { nil }
        }

        /// Whether it says the same, sent again or anew.
        func isLike(_ other: Call) -> Bool { kind == other.kind && text("status") == other.text("status") }
    }

    /// What is answered to call backs about an incident.
    enum Policy: Sendable {
        case take
        /// 503 to the first.
        case failFirst
        /// 401 to the first acceptance, as while secrets are replaced, or a clock is wrong.
        case refuseSignatureOnce
        /// 409: another service has it.
        case refuse
    }

    private struct State {
        var calls: [Call] = []
        var policies: [UUID: (token: String, policy: Policy)] = [:]
        /// Of which an acceptance was taken, and no rejection since.
        var accepted: Set<UUID> = []
    }

    private static let callsMax = 10_000
    private static let codes: [UInt16: String] = [
        400: "invalid-json", 401: "signature-refused", 404: "not-found", 413: "content-too-large",
        415: "unsupported-media-type", 422: "invalid-request", 503: "conformance",
    ]

    private let hook: String
    private let secrets: [WebhookSecret]
    private let state = Mutex(State())
    private let news = EventCounter()

    init(hook: String, secrets: [WebhookSecret]) {
        self.hook = hook
        self.secrets = secrets
    }

    var router: HTTPRouter {
        var router = HTTPRouter()
        router.on(.post, "/handovers/:incident/:kind") { [self] (request) async throws(Problem) in try take(request) }
        return router
    }

    func expect(_ incident: ConformanceIncident, _ policy: Policy = .take) {
        state.withLock { $0.policies[incident.id] = (incident.token, policy) }
    }

    var calls: [Call] { state.withLock { $0.calls } }
    func calls(about incident: UUID) -> [Call] { calls.filter { $0.incident == incident } }

    /// The decisions about an incident that differ by their ids.
    func acceptances(of incident: UUID) -> [Call] {
        var seen: Set<String> = []
        return calls(about: incident).filter { $0.kind == "acceptance" && seen.insert($0.id).inserted }
    }

    /// Waits until the calls are as wished; false when they are not in time. Call on a loop.
    func wait(_ time: Duration, until isEnough: ([Call]) -> Bool) async -> Bool {
        let deadline = Deadline.after(time)
        while !Task.isCancelled {
            let seen = news.value
            if isEnough(calls) { return true }
            if deadline.hasPassed { return false }
            _ = await news.wait(after: seen, deadline: deadline)
        }
        return false
    }

    private func take(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        let incident = try request.parameter("incident", as: UUID.self)
        let kind = try request.parameter("kind")
        let reading = ConformanceReading(request, kind)
        let known = state.withLock { $0.policies[incident] }
        let faults = reading.faults(hook: hook, token: known?.token, secrets: secrets)
        let isRefused = known?.policy == .refuse
        let answer: HTTPStatus = state.withLock { state in
            var faults = faults
            if known != nil, faults.isEmpty, reading.needsAcceptance, !state.accepted.contains(incident) {
                faults.append(
                    .init(
                        "A call back (\(kind)) came before an acceptance was answered 2xx: accept first, and tell of your way to it, or of its end, afterwards.",
                        .conflict))
            }
            let refusal = faults.map(\.answer).first { $0 != .ok }
            let about = state.calls.filter { $0.incident == incident }
            let isFirstOfItsKind = !about.contains { $0.kind == kind }
            let status: HTTPStatus =
                switch known?.policy {
                case nil: .notFound
                case _ where refusal != nil: refusal ?? .ok
                case .failFirst where about.isEmpty: .serviceUnavailable
                case .refuseSignatureOnce where kind == "acceptance" && isFirstOfItsKind: .unauthorized
                case .refuse where !reading.isSeen: .conflict
                default: .ok
                }
            if status == .ok, kind == "acceptance" { state.accepted.insert(incident) }
            if status == .ok, kind == "rejection" { state.accepted.remove(incident) }
            if state.calls.count < Self.callsMax {
                state.calls.append(
                    Call(
                        incident: incident, kind: kind, id: reading.id, body: request.bytes,
                        faults: faults.map(\.words),
                        answer: status.rawValue))
            }
            return status
        }
        news.raise()
        guard answer != .ok else { return HTTPResponse(.ok, contentType: .json, body: .bytes(Array("{}".utf8))) }
        let conflict = isRefused ? "accepted-by-another" : "not-accepted"
        throw Problem(answer, code: answer == .conflict ? conflict : Self.codes[answer.rawValue] ?? "conformance")
    }
}
