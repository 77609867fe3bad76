import HTTP
import JSON
public import Primitives
public import Reactor
import Security

/// Calls the broker's hook: signed POSTs (Standard Webhooks) over connections that are kept (PAY-02).
public final class BrokerClient: Sendable {
    /// What the broker is told of an invoice. It names no individual.
    public struct Message: Codable, Sendable {
        public enum Event: String, Codable, Sendable {
            /// Take the payment.
            case due
            /// Take none any more.
            case cancelled
        }

        public struct Payer: Codable, Sendable {
            let account: UUID
            let name: String

            public init(account: UUID, name: String) {
                self.account = account
                self.name = name
            }
        }

        let invoice: UUID
        let event: Event
        let amount: Int64
        let currency: String
        let description: String
        /// A company, of what is due; people are not named.
        let payer: Payer?
        /// Where the payer goes back to.
        let returnURL: String
        /// Until then the broker can take the payment.
        let dueUntil: Timestamp

        public init(
            invoice: UUID, event: Event, price: Price, description: String, payer: Payer?, returnURL: String,
            dueUntil: Timestamp
        ) {
            self.invoice = invoice
            self.event = event
            (amount, currency) = (price.amount, price.currency)
            self.description = description
            self.payer = payer
            self.returnURL = returnURL
            self.dueUntil = dueUntil
        }
    }

    /// Why an attempt failed.
    public enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
        case status(Int)
        case timedOut
        case connection
        case refusedAddress
        /// A 2xx that does not say where to pay.
        case answer
        case other

        /// The broker was not reached: it is not asked about other invoices now.
        public var isAway: Bool { self == .timedOut || self == .connection }

        public var description: String {
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
    public init(_ hook: Replaceable<BrokerHook>, loops: EventLoopGroup, tls: TLSContext?, clock: any WallClock) {
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
    public func send(_ message: Message, deadline: Deadline) async throws(Failure) -> String? {
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

    public func close() {
        for client in clients {
            client.everywhere.close()
            client.publicOnly.close()
        }
    }
}
