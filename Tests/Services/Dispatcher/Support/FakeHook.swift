import HTTP
import JSON
import Primitives
import Reactor
import Security
import Synchronization

@testable import Dispatcher

/// An ambulance service on a free port of this machine.
struct FakeHook: Sendable {
    struct Call: Sendable {
        var at: Deadline
        var id: String
        var body: [UInt8]
        var isSigned: Bool

        var json: JSONValue { get throws { try JSONDecoder().decode(JSONValue.self, from: body) } }
        var sequence: Int { Int(id.split(separator: ":").last ?? "") ?? 0 }
    }

    enum Behaviour: Sendable { case accept, fail, hang }

    final class Desk: Sendable {
        private let state = Mutex<(calls: [Call], probes: [Call], behaviour: Behaviour)>(([], [], .accept))
        let signal = EventCounter()

        var calls: [Call] { state.withLock { $0.calls } }
        var behaviour: Behaviour { state.withLock { $0.behaviour } }
        func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

        /// Those that say nothing of anybody.
        var probes: [Call] { state.withLock { $0.probes } }

        func add(_ call: Call) {
            state.withLock { state in
                if call.id.hasPrefix(ProbeMessage.idPrefix) {
                    state.probes.append(call)
                } else {
                    state.calls.append(call)
                }
            }
            signal.raise()
        }

        /// The first call, once there is one. Without a closure, for use in a macro: closures there may be taken for others of
        /// the same test.
        func firstCall() async -> Call? { await wait { !$0.isEmpty }.first }

        /// Waits until the calls are as wished.
        func wait(seconds: Int64 = 10, until isEnough: ([Call]) -> Bool) async -> [Call] {
            let deadline = Deadline.after(.seconds(seconds))
            while true {
                let seen = signal.value
                let calls = calls
                if isEnough(calls) || deadline.hasPassed { return calls }
                _ = await signal.wait(after: seen, deadline: deadline)
            }
        }
    }

    let name: String
    let secret = WebhookSecret.random()
    let desk = Desk()
    private let server: HTTPServer

    var hook: Hook {
        Hook(
            name: name, url: HTTPURL("http://127.0.0.1:\(server.port)/emergencies")!, secrets: [secret], area: nil,
            allowsPrivate: true)
    }

    static func with<R: Sendable>(
        _ names: [String], on loops: EventLoopGroup, _ body: ([FakeHook]) async throws -> R
    ) async throws -> R {
        var hooks: [FakeHook] = []
        for name in names { hooks.append(try await FakeHook(name, on: loops)) }
        let result: Result<R, any Error>
        do { result = .success(try await body(hooks)) } catch { result = .failure(error) }
        for hook in hooks { await hook.server.shutdown(grace: .zero) }
        return try result.get()
    }

    private init(_ name: String, on loops: EventLoopGroup) async throws {
        self.name = name
        let (desk, secret) = (desk, secret)
        var router = HTTPRouter()
        router.on(.post, "/emergencies") { (request) async throws(Problem) in
            let now = Timestamp.now()
            let id = request.field("webhook-id") ?? ""
            var isSigned = false
            do throws(SecurityError) {
                try WebhookSignature.verify(
                    id: id, timestamp: request.field("webhook-timestamp") ?? "",
                    signature: request.field("webhook-signature") ?? "", body: request.bytes, secrets: [secret],
                    now: now)
                isSigned = true
            } catch {}
            desk.add(Call(at: .now(), id: id, body: request.bytes, isSigned: isSigned))
            switch desk.behaviour {
            case .accept: return HTTPResponse(.accepted)
            case .fail: throw Problem(.serviceUnavailable, code: "broken")
            case .hang:
                try? await EventLoop.current?.sleep(for: .seconds(30))
                return HTTPResponse(.accepted)
            }
        }
        server = try await HTTPServer.start(at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops)
    }
}
