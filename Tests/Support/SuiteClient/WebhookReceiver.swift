import HTTP
public import JSON
public import Primitives
public import Reactor
public import Security
import Synchronization

/// The other end of webhooks, an ambulance service's or a third party's: takes calls on loopback, checks their signature
/// (Standard Webhooks), keeps them.
public final class WebhookReceiver: Sendable {
    /// A call whose signature was right.
    public struct Call: Sendable {
        public let arrived: Timestamp
        public let id: String
        public let body: JSONValue
    }

    private struct State {
        var calls: [Call] = []
        var refused = 0
    }

    private static let callsMax = 10_000

    private let secret: WebhookSecret
    private let state = Mutex(State())
    private let arrived = EventCounter()
    private let server = Mutex<HTTPServer?>(nil)

    /// Takes `POST` of a path at `address`. Errors: `local`.
    public static func start(
        at address: String, path: String = "/incidents", secret: WebhookSecret, loops: EventLoopGroup
    ) async throws(SuiteError) -> WebhookReceiver {
        let receiver = WebhookReceiver(secret)
        var router = HTTPRouter()
        router.on(.post, path) { request in receiver.take(request) }
        guard let endpoint = Endpoint(address) else { throw .local("\(address) is not an address to listen at.") }
        do throws(IOError) {
            let server = try await HTTPServer.start(at: endpoint, router: router, loops: loops)
            receiver.server.withLock { $0 = server }
        } catch { throw .local("Cannot listen at \(address): \(error).") }
        return receiver
    }

    private init(_ secret: WebhookSecret) {
        self.secret = secret
    }

    public func stop() async {
        let running = server.withLock { $0 }
        await running?.shutdown(grace: .seconds(1))
    }

    public var calls: [Call] { state.withLock { $0.calls } }
    /// Calls with a wrong signature.
    public var refusedCount: Int { state.withLock { $0.refused } }

    /// The first call from number `index` on for which `isWanted` holds. Errors: `unexpected` when it does not come in time.
    public func first(
        from index: Int = 0, within time: Duration, _ what: String, where isWanted: @Sendable (Call) -> Bool
    ) async throws(SuiteError) -> Call {
        let deadline = Deadline.after(time)
        while true {
            let seen = arrived.value
            if let call = calls.dropFirst(index).first(where: isWanted) { return call }
            guard !deadline.hasPassed else {
                throw .unexpected(
                    "\(what) did not come within \(time.brief) (\(refusedCount) calls had a wrong signature).")
            }
            _ = await arrived.wait(after: seen, deadline: deadline)
        }
    }

    private func take(_ request: HTTPRequest) -> HTTPResponse {
        let now = Timestamp.now()
        let id = request.field("webhook-id") ?? ""
        let body = request.bytes
        do {
            try WebhookSignature.verify(
                id: id, timestamp: request.field("webhook-timestamp") ?? "",
                signature: request.field("webhook-signature") ?? "", body: body, secrets: [secret], now: now)
            let value = try JSONDecoder().decode(JSONValue.self, from: body)
            // Sent all the time, and about nothing.
            guard !id.hasPrefix(ReferenceReceiver.probePrefix) else { return .noContent }
            state.withLock { state in
                guard state.calls.count < Self.callsMax else { return }
                state.calls.append(Call(arrived: now, id: id, body: value))
            }
            arrived.raise()
            return .noContent
        } catch {
            state.withLock { $0.refused += 1 }
            return HTTPResponse(.unauthorized)
        }
    }
}

extension JSONValue {
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    public var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
