import HTTP
import JSON
import Primitives
import Reactor
import Security
import Service

/// Calls the broker's hook: signed POSTs (Standard Webhooks) over connections that are kept (PAY-02).
final class BrokerClient: Sendable {
    /// What the broker is told of an invoice. It names no individual.
    struct Message: Codable, Sendable {
        enum Event: String, Codable, Sendable {
            /// Take the payment.
            case due
            /// Take none any more.
            case cancelled
        }

        struct Payer: Codable, Sendable {
            let account: UUID
            let name: String
        }

        let invoice: UUID
        let event: Event
        let amount: Int64
        let currency: String
        let description: String
        /// Of what is due.
        let payer: Payer?
        /// Where the payer goes back to.
        let returnURL: String
        /// Until then the broker can take the payment.
        let dueUntil: Timestamp
    }

    /// Why an attempt failed.
    enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
        case status(Int)
        case timedOut
        case connection
        case refusedAddress
        /// A 2xx that does not say where to pay.
        case answer
        case other

        /// The broker was not reached: it is not asked about other invoices now.
        var isAway: Bool { self == .timedOut || self == .connection }

        var description: String {
            switch self {
            case .status(let code): "http-\(code)"
            case .timedOut: "timed-out"
            case .connection: "connection"
            case .refusedAddress: "refused-address"
            case .answer: "no-pay-url"
            case .other: "other"
            }
        }
    }

    private struct Answer: Decodable {
        var payURL: String
    }

    private static let responseBytesMax = 16 * 1024

    private let hook: Replaceable<BrokerHook>
    private let clients: [(loop: EventLoop, everywhere: HTTPClient, publicOnly: HTTPClient)]
    private let clock: any WallClock

    /// `tls` verifies the broker's certificate.
    init(_ hook: Replaceable<BrokerHook>, loops: EventLoopGroup, tls: TLSContext?, clock: any WallClock) {
        self.hook = hook
        self.clock = clock
        clients = loops.loops.map { loop in
            var configuration = HTTPClient.Configuration()
            configuration.responseBytesMax = Self.responseBytesMax
            let publicOnly = HTTPClient(on: loop, tls: tls, configuration: configuration)
            configuration.allowPrivateAddresses = true
            return (loop, HTTPClient(on: loop, tls: tls, configuration: configuration), publicOnly)
        }
    }

    /// Tells the broker. Where it takes the payment, for an invoice that is due.
    func send(_ message: Message, deadline: Deadline) async throws(Failure) -> String? {
        let (hook, now) = (hook.value, clock.now())
        guard let url = hook.invoices, let body = try? JSONEncoder().encode(message) else { throw .other }
        // The same for each attempt.
        let id = "\(message.invoice):\(message.event.rawValue)"
        var request = HTTPClientRequest(
            .post, url,
            fields: [
                "Content-Type": "application/json", "User-Agent": "TrackMe-Payments/1",
                WebhookSignature.idHeader: id, WebhookSignature.timestampHeader: WebhookSignature.timestamp(now),
                WebhookSignature.signatureHeader: WebhookSignature.sign(
                    id: id, at: now, body: body, secrets: hook.secrets),
            ], body: body)
        request.isRepeatable = true
        let own = clients.first { $0.loop === EventLoop.current } ?? clients[0]
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await (hook.allowsPrivate ? own.everywhere : own.publicOnly).send(
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
        guard message.event == .due else { return nil }
        guard let answer = try? response.json(Answer.self), hook.takes(link: answer.payURL) else { throw .answer }
        return answer.payURL
    }

    func close() {
        for client in clients {
            client.everywhere.close()
            client.publicOnly.close()
        }
    }
}
