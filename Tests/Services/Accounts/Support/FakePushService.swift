import HTTP
import Primitives
import Reactor
import Synchronization

/// A push service on a free port of this machine.
struct FakePushService: Sendable {
    struct Call: Sendable {
        let browser: String
        let authorization: String?
        let coding: String?
        let life: String?
        let urgency: String?
        let topic: String?
        let body: [UInt8]
    }

    /// What it has received, and what it answers.
    final class Desk: Sendable {
        private let state = Mutex<(calls: [Call], answer: HTTPStatus, retryAfter: Int?)>(([], .created, nil))
        let arrived = EventCounter()
        /// Ends the waiting of messages to the browser “slow”, which are not answered before.
        let released = EventCounter()

        var calls: [Call] { state.withLock { $0.calls } }

        /// From now on, also after `retryAfter` seconds.
        func answer(_ status: HTTPStatus, retryAfter: Int? = nil) {
            state.withLock { ($0.answer, $0.retryAfter) = (status, retryAfter) }
        }

        func take(_ call: Call) async -> HTTPResponse {
            let (status, retryAfter) = state.withLock { state in
                state.calls.append(call)
                return (state.answer, state.retryAfter)
            }
            arrived.raise()
            if call.browser == "slow" { _ = await released.wait(after: 0) }
            var response = HTTPResponse(status)
            if let retryAfter { response.fields["Retry-After"] = "\(retryAfter)" }
            return response
        }
    }

    let desk = Desk()
    private let server: HTTPServer

    var origin: String { "http://127.0.0.1:\(server.port)" }

    /// A browser that has subscribed here.
    func browser(_ name: String) -> PushSubscriber { PushSubscriber(endpoint: "\(origin)/push/\(name)") }

    static func with<R: Sendable>(
        on loops: EventLoopGroup, _ body: (FakePushService) async throws -> R
    ) async throws -> R {
        let service = try await FakePushService(on: loops)
        let result: Result<R, any Error>
        do { result = .success(try await body(service)) } catch { result = .failure(error) }
        await service.server.shutdown(grace: .zero)
        return try result.get()
    }

    private init(on loops: EventLoopGroup) async throws {
        let desk = desk
        var router = HTTPRouter(codings: ["aes128gcm"])
        router.on(.post, "/push/:browser") { (request) async throws(Problem) in
            await desk.take(
                Call(
                    browser: try request.parameter("browser"), authorization: request.field("authorization"),
                    coding: request.field("content-encoding"), life: request.field("ttl"),
                    urgency: request.field("urgency"), topic: request.field("topic"), body: request.bytes))
        }
        server = try await HTTPServer.start(at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops)
    }
}
