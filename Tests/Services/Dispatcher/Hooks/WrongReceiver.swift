import HTTP
import JSON
import Primitives
import Reactor
import Security
import Synchronization

@testable import Dispatcher

/// An ambulance service's receiver with one mistake: for the conformance kit to find.
final class WrongReceiver: Sendable {
    enum Mistake: Sendable, Equatable, CaseIterable {
        case refusesProbes, answersLate, answersErrors
        case refusesRepeats, refusesUnknownIncidents, refusesCancellations, refusesResolved, refusesExercises
        case needsPosition, refusesNewMembers, refusesNewWords, refusesLarge
        case refusesHomes, needsCurrentPosition, refusesReasons, needsVersionOne
        case dropsUpdates, actsOnOldAlerts, acceptsCancellations, acceptsEnds, isCancelledForEver
        case takesOneSignature, looksAtNoSignature, looksAtNoBody, looksAtNoTime, takesUnsigned, takesGarbage
        case takesOneAtATime, takesFew
        case acceptsNothing, acceptsTwice, sendsOnce, sendsUnderNewIDs, insists
        case signsWrongly, signsForLongAgo, forgetsToken, namesOtherHook, saysOtherDecision
        case decidesLater, decidesAnew, decidesSometimes
        case givesUpUnauthorized, dispatchesFirst, rejectsOddly, sendsText
    }

    private let mistake: Mistake
    private let secret: WebhookSecret
    private let client: HTTPClient
    private let loop: EventLoop
    private let state = Mutex(State())
    private let server = Mutex<HTTPServer?>(nil)

    private struct State {
        var known: [String: Int] = [:]
        /// Incidents that go on.
        var open: Set<String> = []
        var cancelled: Set<String> = []
        var ids: Set<String> = []
        var underWay = 0
        var isBusy = false
    }

    static func with<R: Sendable>(
        _ mistake: Mistake, secret: WebhookSecret, on loops: EventLoopGroup, _ body: (HTTPURL) async throws -> R
    ) async throws -> R {
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        let receiver = WrongReceiver(
            mistake, secret, HTTPClient(on: loops.loops[0], configuration: configuration), loops.loops[0])
        var router = HTTPRouter()
        // The answer is held up where the body is read, so the route streams.
        router.on(.post, "/", body: .streaming(bytesMax: 1 << 20)) { request in await receiver.take(request) }
        let server = try await HTTPServer.start(at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops)
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body(HTTPURL("http://127.0.0.1:\(server.port)/")!)) } catch {
            outcome = .failure(error)
        }
        await server.shutdown(grace: .zero)
        receiver.client.close()
        return try outcome.get()
    }

    private init(_ mistake: Mistake, _ secret: WebhookSecret, _ client: HTTPClient, _ loop: EventLoop) {
        self.mistake = mistake
        self.secret = secret
        self.client = client
        self.loop = loop
    }

    // MARK: Messages

    private func take(_ request: HTTPRequest) async -> HTTPResponse {
        if mistake == .takesOneAtATime {
            let isFree = state.withLock { state in
                defer { state.isBusy = true }
                return !state.isBusy
            }
            guard isFree else { return HTTPResponse(.serviceUnavailable) }
        }
        let count = state.withLock { state in
            state.underWay += 1
            return state.underWay
        }
        defer {
            state.withLock { state in
                state.underWay -= 1
                state.isBusy = false
            }
        }
        if mistake == .takesFew {
            guard count <= 4 else { return HTTPResponse(.serviceUnavailable) }
            try? await EventLoop.current?.sleep(for: .milliseconds(50))
        }
        guard let body = await Self.body(of: request) else { return HTTPResponse(.badRequest) }
        if mistake == .answersLate { try? await EventLoop.current?.sleep(for: .milliseconds(700)) }
        return HTTPResponse(answer(request, body))
    }

    private static func body(of request: HTTPRequest) async -> [UInt8]? {
        var bytes: [UInt8] = []
        do { for try await chunk in request.chunks { bytes += chunk } } catch { return nil }
        return bytes
    }

    private func answer(_ request: HTTPRequest, _ body: [UInt8]) -> HTTPStatus {
        guard isProven(request, body) else { return .unauthorized }
        if mistake == .answersErrors { return .internalServerError }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: body), case .object(let members) = value
        else {
            return mistake == .takesGarbage ? .ok : .badRequest
        }
        if value["probe"] != nil { return mistake == .refusesProbes ? .notFound : .noContent }
        guard let id = text(value["incident"]?["id"]), let word = text(value["incident"]?["message"]),
            case .integer(let number)? = value["incident"]?["sequence"]
        else { return mistake == .takesGarbage ? .ok : .badRequest }
        let known = state.withLock { state in
            let last = state.known[id]
            state.known[id] = max(last ?? 0, Int(number))
            let isOver = word == "cancel" || word == "resolved"
            let isNews = Int(number) > last ?? 0
            let isNeeded = isNews && !isOver && !state.open.contains(id)
            if isNews, isOver { state.open.remove(id) }
            if isNews, !isOver { state.open.insert(id) }
            let wasCancelled = state.cancelled.contains(id)
            if isOver { state.cancelled.insert(id) }
            return (
                last: last, isRepeat: !state.ids.insert(request.field("webhook-id") ?? "").inserted,
                isNeeded: isNeeded, wasCancelled: wasCancelled
            )
        }
        let reason = text(value["incident"]?["reason"]) ?? "by-service"
        let names: Set = [
            "version", "incident", "position", "home", "person", "vitals", "contacts", "speech", "reply",
        ]
        switch mistake {
        case .refusesRepeats where known.isRepeat: return .conflict
        case .refusesUnknownIncidents where known.last == nil && number > 1: return .notFound
        case .refusesCancellations where word == "cancel": return .badRequest
        case .refusesResolved where word == "resolved": return .badRequest
        case .refusesExercises where word == "exercise": return .badRequest
        case .needsPosition where value["position"] == nil: return .badRequest
        case .refusesNewMembers where members.members.contains { !names.contains($0.key) }: return .badRequest
        case .refusesNewWords where !["alert", "update", "cancel", "resolved", "exercise"].contains(word):
            return .badRequest
        case .refusesLarge where body.count > 8000: return .contentTooLarge
        case .refusesHomes where value["home"]?["address"] != nil: return .badRequest
        case .needsCurrentPosition where value["position"]?["is_current"] == .bool(false): return .badRequest
        case .refusesReasons where !["false-alarm", "by-service"].contains(reason): return .badRequest
        case .needsVersionOne where value["version"] != .integer(1): return .badRequest
        default: break
        }
        let isAccepted =
            switch mistake {
            case .acceptsNothing: false
            case .acceptsTwice: known.isNeeded || known.isRepeat
            case .dropsUpdates: known.isNeeded && word != "update"
            case .actsOnOldAlerts: known.isNeeded || word == "alert" && !known.isRepeat
            case .acceptsCancellations: known.isNeeded || word == "cancel"
            case .acceptsEnds: known.isNeeded || word == "resolved"
            case .isCancelledForEver: known.isNeeded && !known.wasCancelled
            default: known.isNeeded
            }
        if isAccepted { _ = loop.task { [self] in await answer(value) } }
        return .noContent
    }

    private func isProven(_ request: HTTPRequest, _ body: [UInt8]) -> Bool {
        let signature = request.field("webhook-signature") ?? ""
        let (id, time) = (request.field("webhook-id") ?? "", request.field("webhook-timestamp") ?? "")
        if mistake == .looksAtNoSignature || mistake == .takesUnsigned && signature.isEmpty { return true }
        let seconds = Int64(time) ?? 0
        let now = mistake == .looksAtNoTime ? Timestamp(milliseconds: seconds * 1000) : .now()
        let seen = mistake == .takesOneSignature ? String(signature.split(separator: " ").first ?? "") : signature
        do {
            try WebhookSignature.verify(
                id: id, timestamp: time, signature: seen, body: body, secrets: [secret], now: now)
            return true
        } catch {
            // A body that is signed in another place than where it is read.
            return mistake == .looksAtNoBody && signature.hasPrefix("v1,")
                && Base64.standard.decode(signature.dropFirst(3)) != nil
        }
    }

    private func text(_ value: JSONValue?) -> String? { if case .string(let text)? = value { text } else { nil } }

    // MARK: Call backs

    /// Accepts it, and says what is wrong to say.
    private func answer(_ message: JSONValue) async {
        if mistake == .dispatchesFirst { await send(message, "status", ["status": "dispatched"]) }
        if mistake == .rejectsOddly {
            await send(message, "rejection", ["decision": "rejected", "reason": "of-tomorrow"])
        }
        if mistake == .decidesSometimes { await send(message, "status", ["status": "received"], isDated: false) }
        let decision = mistake == .saysOtherDecision ? "yes" : "accepted"
        await send(message, "acceptance", ["decision": .string(decision)])
    }

    private func send(_ message: JSONValue, _ kind: String, _ content: JSONObject, isDated: Bool = true) async {
        guard let reply = message["reply"], let address = text(reply["\(kind)_url"]).flatMap({ HTTPURL($0) }) else {
            return
        }
        var members = content
        members["hook"] = mistake == .namesOtherHook ? "other" : reply["hook"]
        members["token"] = mistake == .forgetsToken ? "none" : reply["token"]
        var decided = Timestamp.now() + .seconds(mistake == .decidesLater ? 60 : 0)
        var id = "msg_\(UUID.random())"
        for _ in 0..<5 {
            if isDated { members["decided_at"] = .string(decided.description) }
            guard let body = try? JSONEncoder().encode(JSONValue.object(members)) else { return }
            let now = mistake == .signsForLongAgo ? Timestamp.now() - .seconds(900) : .now()
            let request = HTTPClientRequest(
                .post, address,
                fields: [
                    "Content-Type": mistake == .sendsText ? "text/plain" : "application/json", "webhook-id": id,
                    "webhook-timestamp": WebhookSignature.timestamp(now),
                    "webhook-signature": WebhookSignature.sign(
                        id: id, at: now, body: body, secrets: [mistake == .signsWrongly ? .random() : secret]),
                ], body: body)
            let answer = try? await client.send(request, deadline: .after(.seconds(5)))
            switch answer?.status.rawValue {
            case 401? where mistake != .givesUpUnauthorized: break
            case 409? where mistake == .insists: break
            case (200..<500)?: return
            default: break
            }
            if mistake == .sendsOnce { return }
            if mistake == .decidesAnew { decided = .now() }
            if mistake == .sendsUnderNewIDs { id = "msg_\(UUID.random())" }
            try? await EventLoop.current?.sleep(for: .milliseconds(50))
        }
    }
}
