import HTTP
import JSON
import Primitives
import Reactor
import Synchronization

/// What a webhook of the sandbox can name: `POST /NAME` is kept, and `GET /NAME` shows what came, its header fields and its body
/// as it was, so that a signature can be checked. The newest are kept; they are forgotten with the process.
final class SandboxReceiver: Sendable {
    private static let callsMax = 100
    /// The longest that a reader may wait for a call.
    private static let waitMax = Duration.seconds(25)

    struct Call: Encodable, Sendable {
        let name: String
        /// The signature's and the content type, in lower case.
        let headers: [String: String]
        let body: String
    }

    private struct Calls: Encodable {
        let calls: [Call]
    }

    private let calls = Mutex<[Call]>([])
    private let arrived = EventCounter()

    var router: HTTPRouter {
        var router = HTTPRouter()
        router.on(.post, "/:name") { request throws(Problem) in try self.take(request) }
        router.on(.get, "/:name", deadline: Self.waitMax + .seconds(5)) { request throws(Problem) in
            try await self.show(request)
        }
        return router
    }

    private func take(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        var headers: [String: String] = [:]
        headers["webhook-id"] = request.field("webhook-id")
        headers["webhook-timestamp"] = request.field("webhook-timestamp")
        headers["webhook-signature"] = request.field("webhook-signature")
        headers["content-type"] = request.field("content-type")
        let call = Call(
            name: try request.parameter("name"), headers: headers, body: String(decoding: request.bytes, as: UTF8.self))
        calls.withLock { calls in
            calls.append(call)
            if calls.count > Self.callsMax { calls.removeFirst() }
        }
        arrived.raise()
        return .noContent
    }

    /// With `wait_ms` as soon as there is a call.
    private func show(_ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let name: String = try request.parameter("name")
        let wait = try request.parameters { (query) throws(Problem) in
            query.number("wait_ms", 0...Int(Self.waitMax.milliseconds)) ?? 0
        }
        let deadline = Deadline.after(.milliseconds(wait))
        while true {
            let seen = arrived.value
            let found = calls.withLock { calls in calls.filter { $0.name == name } }
            if !found.isEmpty || deadline.hasPassed { return try .json(Calls(calls: found)) }
            _ = await arrived.wait(after: seen, deadline: deadline)
        }
    }
}
