import Glibc
public import HTTP
public import JSON
public import Primitives
import Reactor
public import Security
public import Service
import Synchronization

/// A payments' broker on a free port of this machine.
public final class FakeBroker: Sendable {
    public struct Call: Sendable {
        public let id: String
        public let timestamp: String
        public let isSigned: Bool
        public let body: JSONValue

        public var event: String? { body["event"]?.text }
        public var invoice: String? { body["invoice"]?.text }
    }

    public enum Behaviour: Sendable {
        case take, fail
        /// A 2xx with this body.
        case answer(String)
    }

    private struct CannotWrite: Error {}

    private let state = Mutex<(calls: [Call], behaviour: Behaviour)>(([], .take))
    public let secret = WebhookSecret.random()
    public let callBackSecret = WebhookSecret.random()
    private let directory = "/tmp/broker-\(UUID.random())"
    private let server = Mutex<HTTPServer?>(nil)
    private let client = Mutex<BrokerClient?>(nil)

    public var calls: [Call] { state.withLock { $0.calls } }
    public func behave(_ behaviour: Behaviour) { state.withLock { $0.behaviour = behaviour } }

    public static func with<R: Sendable>(_ body: @escaping @Sendable (FakeBroker) async throws -> R) async throws -> R {
        try await EventLoopGroup.withLoops(1) { loops in
            let broker = FakeBroker()
            try await broker.start(on: loops)
            let outcome: Result<R, any Error>
            do { outcome = .success(try await body(broker)) } catch { outcome = .failure(error) }
            await broker.stop()
            return try outcome.get()
        }
    }

    private func start(on loops: EventLoopGroup) async throws {
        precondition(mkdir(directory, 0o700) == 0)
        try Self.write(secret.text, to: "\(directory)/ours")
        try Self.write(callBackSecret.text, to: "\(directory)/theirs")
        var router = HTTPRouter()
        router.on(.post, "/invoices") { (request) async throws(Problem) in try self.take(request) }
        let running = try await HTTPServer.start(
            at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops)
        server.withLock { $0 = running }
    }

    private func stop() async {
        let running = server.withLock { $0 }
        await running?.shutdown(grace: .zero)
        for file in ["ours", "theirs", ""] { remove("\(directory)/\(file)") }
    }

    public static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw CannotWrite() }
        defer { fclose(file) }
        guard fputs(text, file) >= 0, chmod(path, 0o600) == 0 else { throw CannotWrite() }
    }

    private func take(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        let (id, timestamp) = (request.field("webhook-id") ?? "", request.field("webhook-timestamp") ?? "")
        let isSigned: Bool
        do {
            try WebhookSignature.verify(
                id: id, timestamp: timestamp, signature: request.field("webhook-signature") ?? "", body: request.bytes,
                secrets: [secret], now: Timestamp(microseconds: (Int64(timestamp) ?? 0) * 1_000_000))
            isSigned = true
        } catch { isSigned = false }
        let body = (try? JSONDecoder().decode(JSONValue.self, from: request.bytes)) ?? .null
        let behaviour = state.withLock { state in
            state.calls.append(Call(id: id, timestamp: timestamp, isSigned: isSigned, body: body))
            return state.behaviour
        }
        switch behaviour {
        case .take:
            let link = "http://127.0.0.1:1/pay/\(body["invoice"]?.text ?? "")"
            return HTTPResponse(.ok, contentType: .json, body: .bytes(Array("{\"pay_url\":\"\(link)\"}".utf8)))
        case .fail: throw Problem(.serviceUnavailable, code: "broken")
        case .answer(let text): return HTTPResponse(.ok, contentType: .json, body: .bytes(Array(text.utf8)))
        }
    }

    /// One for all of a test's replicas.
    public func client(_ make: () throws -> BrokerClient) throws -> BrokerClient {
        try client.withLock { client in
            let made = try client ?? make()
            client = made
            return made
        }
    }

    /// Call while the loops of the client run.
    public func closeClient() { client.withLock { $0.take() }?.close() }

    // MARK: What a service is given

    public var url: String { "http://127.0.0.1:\(server.withLock { $0?.port } ?? 0)" }

    /// The member `broker` of settings.
    public var settings: String {
        """
        {"url": "\(url)", "secret_file": "\(directory)/ours", "call_back_secret_file": "\(directory)/theirs",
          "allow_private": true}
        """
    }

    /// A call-back's header fields, signed at `time` by `secret`, or by the broker's.
    public func fields(
        _ body: String, at time: Timestamp, id: String = "msg_\(UUID.random())", secret: WebhookSecret? = nil
    ) -> HTTPFields {
        [
            "Content-Type": "application/json", "webhook-id": id,
            "webhook-timestamp": WebhookSignature.timestamp(time),
            "webhook-signature": WebhookSignature.sign(
                id: id, at: time, body: Array(body.utf8), secrets: [secret ?? callBackSecret]),
        ]
    }
}
