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
        /// 409: another service has it.
        case refuse
    }

    private struct State {
        var calls: [Call] = []
        var policies: [UUID: (token: String, policy: Policy)] = [:]
    }

    private static let callsMax = 10_000
    private static let decisions = ["acceptance": "accepted", "rejection": "rejected", "resolution": "resolved"]
    private static let statuses: Set = ["received", "dispatched", "on-scene", "arrival-expected"]

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
        let id = request.field("webhook-id") ?? ""
        let known = state.withLock { $0.policies[incident] }
        let faults = self.faults(request, kind, token: known?.token)
        let answer: HTTPStatus = state.withLock { state in
            let isFirst = !state.calls.contains { $0.incident == incident }
            let status: HTTPStatus =
                switch known?.policy {
                case nil: .notFound
                case _ where !faults.isEmpty: .unauthorized
                case .failFirst where isFirst: .serviceUnavailable
                case .refuse: .conflict
                default: .ok
                }
            if state.calls.count < Self.callsMax {
                state.calls.append(
                    Call(
                        incident: incident, kind: kind, id: id, body: request.bytes, faults: faults,
                        answer: status.rawValue))
            }
            return status
        }
        news.raise()
        guard answer != .ok else { return HTTPResponse(.ok, contentType: .json, body: .bytes(Array("{}".utf8))) }
        throw Problem(answer, code: answer == .conflict ? "accepted-by-another" : "conformance")
    }

    private func faults(_ request: HTTPRequest, _ kind: String, token: String?) -> [String] {
        var faults: [String] = []
        let (id, time) = (request.field("webhook-id") ?? "", request.field("webhook-timestamp") ?? "")
        let signature = request.field("webhook-signature") ?? ""
        for (name, value) in [("webhook-id", id), ("webhook-timestamp", time), ("webhook-signature", signature)]
        where value.isEmpty { faults.append("A call back (\(kind)) has no header \(name).") }
        if faults.isEmpty {
            do throws(SecurityError) {
                try WebhookSignature.verify(
                    id: id, timestamp: time, signature: signature, body: request.bytes, secrets: secrets, now: .now())
            } catch .timestampOutsideTolerance {
                faults.append(
                    "A call back (\(kind)) has the time \(time) in webhook-timestamp, which is more than 300 s from now: sign when you send, and set the clock."
                )
            } catch {
                faults.append(
                    "A call back (\(kind)) is signed wrongly: sign webhook-id, a full stop, webhook-timestamp, a full stop, and the body as it is sent, with the decoded secret (\(error))."
                )
            }
        }
        let isSigned = faults.isEmpty
        guard let body = try? JSONDecoder().decode(JSONValue.self, from: request.bytes) else {
            return faults + ["A call back (\(kind)) is not JSON."]
        }
        func text(_ name: String) -> String? { if case .string(let text)? = body[name] { text } else { nil } }
        if text("hook") != hook {
            faults.append(
                "A call back (\(kind)) says hook \(text("hook") ?? "nothing"), not \"\(hook)\" as reply.hook does.")
        }
        if let token, text("token") != token {
            faults.append("A call back (\(kind)) has not the token of reply.token of that incident.")
        }
        if isSigned, body["decided_at"] != nil, let seconds = Int64(time) {
            let signedAt = Timestamp(microseconds: seconds * 1_000_000)
            let decidedAt = Timestamp(text("decided_at") ?? "")
            if decidedAt.map({ $0 >= signedAt + .seconds(1) || signedAt - $0 > CallbackRoutes.decidedMax }) ?? true {
                faults.append(
                    "A call back (\(kind)) says in decided_at \(text("decided_at") ?? "no text"): it has to be a time (RFC 3339), no later than webhook-timestamp and a day before it at most."
                )
            }
        }
        if kind == "status" {
            let status = text("status") ?? ""
            if !Self.statuses.contains(status) {
                faults.append("A call back to status_url says status \"\(status)\", which does not exist.")
            }
            if status == "arrival-expected", Timestamp(text("arrival") ?? "") == nil {
                faults.append("A call back with status arrival-expected has no time (RFC 3339) in arrival.")
            }
        } else if let decision = Self.decisions[kind] {
            if text("decision") != decision {
                faults.append(
                    "A call back to the address of the \(kind) says decision \(text("decision") ?? "nothing"), not \"\(decision)\"."
                )
            }
        } else {
            faults.append("A call back went to \(kind), which is none of the addresses in reply.")
        }
        return faults
    }
}
