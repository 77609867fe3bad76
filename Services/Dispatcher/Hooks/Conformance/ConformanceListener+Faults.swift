import HTTP
import JSON
import Primitives
import Security

/// What is wrong with a call back.
struct ConformanceFault: Sendable {
    /// In words that an engineer acts on.
    let words: String
    /// What the dispatcher answers to it; 200 to what it takes all the same.
    let answer: HTTPStatus

    init(_ words: String, _ answer: HTTPStatus) { (self.words, self.answer) = (words, answer) }
}

/// A call back that is looked at.
struct ConformanceReading {
    private static let decisions = ["acceptance": "accepted", "rejection": "rejected", "resolution": "resolved"]
    private static let statuses: Set = ["received", "dispatched", "on-scene", "arrival-expected"]

    private let request: HTTPRequest
    private let kind: String
    private let body: JSONValue?
    /// Its `webhook-id`.
    let id: String
    private let contentType: String
    private let time: String
    private let signature: String

    init(_ request: HTTPRequest, _ kind: String) {
        (self.request, self.kind) = (request, kind)
        body = try? JSONDecoder().decode(JSONValue.self, from: request.bytes)
        id = request.field("webhook-id") ?? ""
        contentType = request.field("content-type") ?? ""
        time = request.field("webhook-timestamp") ?? ""
        signature = request.field("webhook-signature") ?? ""
    }

    private func text(_ name: String) -> String? { if case .string(let text)? = body?[name] { text } else { nil } }

    /// Whether the dispatcher takes it from nobody who has not accepted.
    var needsAcceptance: Bool {
        kind == "resolution" || kind == "status" && Self.statuses.contains(text("status") ?? "") && !isSeen
    }

    /// Whether it tells that somebody has the incident before them.
    var isSeen: Bool { kind == "status" && text("status") == "received" }

    /// The most important first.
    func faults(hook: String, token: String?, secrets: [WebhookSecret]) -> [ConformanceFault] {
        let signed = formFaults() + signatureFaults(secrets)
        guard body != nil else { return signed + [.init("A call back (\(kind)) is not JSON.", .badRequest)] }
        var faults = signed + proofFaults(hook: hook, token: token)
        if signed.isEmpty { faults += timeFaults() }
        if kind == "status" {
            faults += statusFaults()
        } else if let decision = Self.decisions[kind] {
            faults += decisionFaults(decision)
        } else {
            faults.append(.init("A call back went to \(kind), which is none of the addresses in reply.", .notFound))
        }
        return faults
    }

    private func formFaults() -> [ConformanceFault] {
        var faults: [ConformanceFault] = []
        if !contentType.lowercased().hasPrefix("application/json") {
            let given = contentType.isEmpty ? "no Content-Type" : "Content-Type \(contentType)"
            faults.append(
                .init("A call back (\(kind)) has \(given): it has to be application/json.", .unsupportedMediaType))
        }
        if request.bytes.count > CallbackRoutes.bytesMax {
            faults.append(
                .init("A call back (\(kind)) is larger than \(CallbackRoutes.bytesMax) bytes.", .contentTooLarge))
        }
        return faults
    }

    private func signatureFaults(_ secrets: [WebhookSecret]) -> [ConformanceFault] {
        let missing = [("webhook-id", id), ("webhook-timestamp", time), ("webhook-signature", signature)].filter {
            $0.1.isEmpty
        }
        guard missing.isEmpty else {
            return missing.map { .init("A call back (\(kind)) has no header \($0.0).", .unauthorized) }
        }
        do throws(SecurityError) {
            try WebhookSignature.verify(
                id: id, timestamp: time, signature: signature, body: request.bytes, secrets: secrets, now: .now())
            return []
        } catch .timestampOutsideTolerance {
            return [
                .init(
                    "A call back (\(kind)) has the time \(time) in webhook-timestamp, which is more than 300 s from now: sign when you send, and set the clock.",
                    .unauthorized)
            ]
        } catch {
            return [
                .init(
                    "A call back (\(kind)) is signed wrongly: sign webhook-id, a full stop, webhook-timestamp, a full stop, and the body as it is sent, with the decoded secret (\(error)).",
                    .unauthorized)
            ]
        }
    }

    private func proofFaults(hook: String, token: String?) -> [ConformanceFault] {
        var faults: [ConformanceFault] = []
        if text("hook") != hook {
            faults.append(
                .init(
                    "A call back (\(kind)) says hook \(text("hook") ?? "nothing"), not \"\(hook)\" as reply.hook does.",
                    .unauthorized))
        }
        if let token, text("token") != token {
            faults.append(
                .init("A call back (\(kind)) has not the token of reply.token of that incident.", .unauthorized))
        }
        return faults
    }

    private func timeFaults() -> [ConformanceFault] {
        guard body?["decided_at"] != nil, let seconds = Int64(time) else { return [] }
        let signedAt = Timestamp(microseconds: seconds * 1_000_000)
        let decidedAt = Timestamp(text("decided_at") ?? "")
        let isWrong =
            decidedAt.map { $0 >= signedAt + .seconds(1) || signedAt - $0 > CallbackRoutes.decidedMax } ?? true
        return isWrong
            ? [
                .init(
                    "A call back (\(kind)) says in decided_at \(text("decided_at") ?? "no text"): it has to be a time (RFC 3339), no later than webhook-timestamp and a day before it at most.",
                    .unprocessableContent)
            ] : []
    }

    private func statusFaults() -> [ConformanceFault] {
        let status = text("status") ?? ""
        guard Self.statuses.contains(status) else {
            return [
                .init(
                    "A call back to status_url says status \"\(status)\", which does not exist.", .unprocessableContent)
            ]
        }
        guard status == "arrival-expected", Timestamp(text("arrival") ?? "") == nil else { return [] }
        return [
            .init(
                "A call back with status arrival-expected has no time (RFC 3339) in arrival.", .unprocessableContent)
        ]
    }

    private func decisionFaults(_ decision: String) -> [ConformanceFault] {
        guard text("decision") == decision else {
            return [
                .init(
                    "A call back to the address of the \(kind) says decision \(text("decision") ?? "nothing"), not \"\(decision)\".",
                    .unprocessableContent)
            ]
        }
        guard kind == "rejection", let reason = text("reason"), Incident.RejectionReason(rawValue: reason) == nil else {
            return []
        }
        let known = Incident.RejectionReason.allCases.map(\.rawValue).joined(separator: ", ")
        return [
            .init("A rejection says reason \"\(reason)\", which counts as other. There are: \(known).", .ok)
        ]
    }
}
