import HTTP
import Primitives
import Reactor
import Security

/// What calls hooks: `HookCaller`, and hooks that are simulated.
protocol HookCalling: Sendable {
    /// Returns when the hook has answered 2xx: it has received the message, which is of the hook's form.
    func call(_ hook: Hook, id: String, body: [UInt8], deadline: Deadline) async throws(HookCaller.Failure)
}

extension HookCaller: HookCalling {}

/// Calls hooks: signed POSTs (Standard Webhooks) over connections that are kept.
final class HookCaller: Sendable {
    /// Why an attempt failed.
    enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
        case status(Int)
        case timedOut
        case connection
        case refusedAddress
        case other

        var description: String {
            switch self {
            case .status(let code): "http-\(code)"
            case .timedOut: "timed-out"
            case .connection: "connection"
            case .refusedAddress: "refused-address"
            case .other: "other"
            }
        }
    }

    static let connectionsPerHookMax = 64
    static let idleMax = Duration.seconds(600)
    static let responseBytesMax = 64 * 1024

    private let clients: [(loop: EventLoop, everywhere: HTTPClient, publicOnly: HTTPClient)]
    private let clock: any WallClock

    /// `tls` verifies the hooks' certificates.
    init(loops: EventLoopGroup, tls: TLSContext?, clock: any WallClock) {
        self.clock = clock
        clients = loops.loops.map { loop in
            var configuration = HTTPClient.Configuration()
            configuration.connectionsPerOriginMax = Self.connectionsPerHookMax
            configuration.idleMax = Self.idleMax
            configuration.responseBytesMax = Self.responseBytesMax
            let publicOnly = HTTPClient(on: loop, tls: tls, configuration: configuration)
            configuration.allowPrivateAddresses = true
            return (loop, HTTPClient(on: loop, tls: tls, configuration: configuration), publicOnly)
        }
    }

    /// The loops that it keeps connections on.
    var loops: [EventLoop] { clients.map(\.loop) }

    func call(_ hook: Hook, id: String, body: [UInt8], deadline: Deadline) async throws(Failure) {
        let now = clock.now()
        var request = HTTPClientRequest(
            .post, hook.url,
            fields: [
                "Content-Type": hook.form.contentType, "User-Agent": "TrackMe-AutomatedSOS/1",
                WebhookSignature.idHeader: id, WebhookSignature.timestampHeader: WebhookSignature.timestamp(now),
                WebhookSignature.signatureHeader: WebhookSignature.sign(
                    id: id, at: now, body: body, secrets: hook.secrets),
            ], body: body)
        // It carries an id by which a repeat is recognised.
        request.isRepeatable = true
        let client = client(for: hook)
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await client.send(request, deadline: deadline)
        } catch {
            switch error {
            case .io(.timedOut): throw .timedOut
            case .io: throw .connection
            case .refusedAddress: throw .refusedAddress
            default: throw .other
            }
        }
        guard (200..<300).contains(response.status.rawValue) else { throw .status(Int(response.status.rawValue)) }
    }

    func close() {
        for client in clients {
            client.everywhere.close()
            client.publicOnly.close()
        }
    }

    private func client(for hook: Hook) -> HTTPClient {
        let own = clients.first { $0.loop === EventLoop.current } ?? clients[0]
        return hook.allowsPrivate ? own.everywhere : own.publicOnly
    }
}
