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
        case call(SignedCaller.Failure)
        /// A 2xx that does not say where to pay.
        case answer

        /// The broker was not reached: it is not asked about other invoices now.
        public var isAway: Bool { self == .call(.timedOut) || self == .call(.connection) }

        public var description: String {
            switch self {
            case .call(let failure): failure.description
            case .answer: "no-pay-url"
            }
        }
    }

    private struct Answer: Decodable {
        var payURL: String
    }

    private static let responseBytesMax = 16 * 1024

    private let hook: Replaceable<BrokerHook>
    private let caller: SignedCaller

    /// `tls` verifies the broker's certificate.
    public init(_ hook: Replaceable<BrokerHook>, loops: EventLoopGroup, tls: TLSContext?, clock: any WallClock) {
        self.hook = hook
        var configuration = HTTPClient.Configuration()
        configuration.responseBytesMax = Self.responseBytesMax
        caller = SignedCaller(
            "TrackMe-Payments/1", loops: loops, tls: tls, clock: clock, configuration: configuration)
    }

    /// Tells the broker. Where it takes the payment, for an invoice that is due.
    public func send(_ message: Message, deadline: Deadline) async throws(Failure) -> String? {
        let hook = hook.value
        guard let url = hook.invoices, let body = try? JSONEncoder().encode(message) else { throw .call(.other) }
        let response: HTTPClientResponse
        do throws(SignedCaller.Failure) {
            response = try await caller.call(
                .init(url: url, secrets: hook.secrets, allowsPrivate: hook.allowsPrivate),
                // The same for each attempt.
                id: "\(message.invoice):\(message.event.rawValue)", body: body, deadline: deadline)
        } catch { throw .call(error) }
        guard message.event == .due else { return nil }
        guard let answer = try? response.json(Answer.self), hook.takes(link: answer.payURL) else { throw .answer }
        return answer.payURL
    }

    public func close() { caller.close() }
}
