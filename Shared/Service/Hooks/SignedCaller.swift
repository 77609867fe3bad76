public import HTTP
public import Primitives
public import Reactor
public import Security

/// Signed POSTs (Standard Webhooks) to hooks, over connections that are kept on each loop.
public final class SignedCaller: Sendable {
    /// Why a call failed.
    public enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
        case status(Int)
        case timedOut
        case connection
        case refusedAddress
        case other

        public var description: String {
            switch self {
            case .status(let code): "http-\(code)"
            case .timedOut: "timed-out"
            case .connection: "connection"
            case .refusedAddress: "refused-address"
            case .other: "other"
            }
        }
    }

    /// Who is called.
    public struct Receiver: Sendable {
        let url: HTTPURL
        let secrets: [WebhookSecret]
        let allowsPrivate: Bool

        /// `allowsPrivate`: its address may be on this network or this machine.
        public init(url: HTTPURL, secrets: [WebhookSecret], allowsPrivate: Bool) {
            (self.url, self.secrets, self.allowsPrivate) = (url, secrets, allowsPrivate)
        }
    }

    private let userAgent: String
    private let clients: [(loop: EventLoop, everywhere: HTTPClient, publicOnly: HTTPClient)]
    private let clock: any WallClock

    /// `tls` verifies the receivers' certificates.
    public init(
        _ userAgent: String, loops: EventLoopGroup, tls: TLSContext?, clock: any WallClock,
        configuration: HTTPClient.Configuration
    ) {
        (self.userAgent, self.clock) = (userAgent, clock)
        clients = loops.loops.map { loop in
            var configuration = configuration
            let publicOnly = HTTPClient(on: loop, tls: tls, configuration: configuration)
            configuration.allowPrivateAddresses = true
            return (loop, HTTPClient(on: loop, tls: tls, configuration: configuration), publicOnly)
        }
    }

    /// The loops that it keeps connections on.
    public var loops: [EventLoop] { clients.map(\.loop) }

    /// The answer, which is 2xx. `id` is the same each time that the message is sent: by it a repeat is recognised.
    public func call(
        _ receiver: Receiver, id: String, body: [UInt8], _ contentType: String = "application/json", deadline: Deadline
    ) async throws(Failure) -> HTTPClientResponse {
        let now = clock.now()
        var request = HTTPClientRequest(
            .post, receiver.url,
            fields: [
                "Content-Type": contentType, "User-Agent": userAgent,
                WebhookSignature.idHeader: id, WebhookSignature.timestampHeader: WebhookSignature.timestamp(now),
                WebhookSignature.signatureHeader: WebhookSignature.sign(
                    id: id, at: now, body: body, secrets: receiver.secrets),
            ], body: body)
        request.isRepeatable = true
        let own = clients.first { $0.loop === EventLoop.current } ?? clients[0]
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await (receiver.allowsPrivate ? own.everywhere : own.publicOnly).send(
                request, deadline: deadline)
        } catch {
            switch error {
            case .io(.timedOut): throw .timedOut
            case .io: throw .connection
            case .refusedAddress: throw .refusedAddress
            default: throw .other
            }
        }
        guard (200..<300).contains(response.status.rawValue) else { throw .status(Int(response.status.rawValue)) }
        return response
    }

    public func close() {
        for client in clients {
            client.everywhere.close()
            client.publicOnly.close()
        }
    }
}
