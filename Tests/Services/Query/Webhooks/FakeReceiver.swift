import Domain
import HTTP
import JSON
import Primitives
import Reactor
import ReactorTesting
import Security
import ServiceTesting
import Synchronization
import Testing

@testable import Query

/// A third party's server on a free port of this machine.
final class FakeReceiver: Sendable {
    /// Receivers on this machine; the replicas of the test send, and not the service.
    static let settings = ", \"webhooks\": {\"allow_private_addresses\": true, \"sends\": false}"

    struct Call: Sendable {
        let id: UUID
        let timestamp: String
        let signature: String
        let body: [UInt8]
        let json: JSONValue

        var event: ReceivedEvent? { try? json["data"].map { try ReceivedEvent($0) } }
        var type: String { json["type"]?.text ?? "" }
        var summary: String { event?.summary ?? type }

        /// Whether one of its signatures is of this secret.
        func isSigned(with secret: String, at now: Timestamp) -> Bool {
            guard let secret = try? WebhookSecret(secret) else { return false }
            do {
                try WebhookSignature.verify(
                    id: id.description, timestamp: timestamp, signature: signature, body: body, secrets: [secret],
                    now: now)
                return true
            } catch { return false }
        }
    }

    typealias Behaviour = @Sendable (Call) async -> HTTPResponse

    private struct State {
        var calls: [Call] = []
        var received: [Call] = []
        var underWay: [UUID: Int] = [:]
        var overlaps = 0
        var behaviour: Behaviour = { _ in .noContent }
    }

    private let state = Mutex(State())
    private let news = EventCounter()
    private let server = Mutex<HTTPServer?>(nil)

    /// All that came.
    var calls: [Call] { state.withLock(\.calls) }
    /// Those that it has answered with 2xx.
    var received: [Call] { state.withLock(\.received) }
    /// Calls about a request while another one about it was under way.
    var overlaps: Int { state.withLock(\.overlaps) }
    var port: UInt16 { server.withLock { $0?.port ?? 0 } }

    func behave(_ behaviour: @escaping Behaviour) { state.withLock { $0.behaviour = behaviour } }

    static func with<R: Sendable>(
        on loops: EventLoopGroup, tls: TLSContext? = nil, _ body: (FakeReceiver) async throws -> R
    ) async throws -> R {
        let receiver = FakeReceiver()
        var router = HTTPRouter()
        router.on(.post, "/hook") { (request) async throws(Problem) in await receiver.take(request) }
        let server = try await HTTPServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops, tls: tls)
        receiver.server.withLock { $0 = server }
        let result: Result<R, any Error>
        do { result = .success(try await body(receiver)) } catch { result = .failure(error) }
        await server.shutdown(grace: .zero)
        return try result.get()
    }

    private func take(_ request: HTTPRequest) async -> HTTPResponse {
        let json = (try? JSONDecoder().decode(JSONValue.self, from: request.bytes)) ?? .null
        let call = Call(
            id: UUID(request.field("webhook-id") ?? "") ?? UUID(high: 0, low: 0),
            timestamp: request.field("webhook-timestamp") ?? "", signature: request.field("webhook-signature") ?? "",
            body: request.bytes, json: json)
        let lane = call.event?.request
        let behaviour = state.withLock { state in
            state.calls.append(call)
            if let lane {
                if state.underWay[lane, default: 0] > 0 { state.overlaps += 1 }
                state.underWay[lane, default: 0] += 1
            }
            return state.behaviour
        }
        news.raise()
        let answer = await behaviour(call)
        state.withLock { state in
            if let lane { state.underWay[lane, default: 1] -= 1 }
            if (200..<300).contains(answer.status.rawValue) { state.received.append(call) }
        }
        news.raise()
        return answer
    }

    /// Whether it comes to that within `Duration.patience`. Call on a loop.
    func reached(_ condition: (FakeReceiver) -> Bool) async -> Bool {
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            let seen = news.value
            if condition(self) { return true }
            _ = await news.wait(after: seen, deadline: deadline)
        }
        return condition(self)
    }

    func reached(received count: Int) async -> Bool { await reached { $0.received.count >= count } }
}
