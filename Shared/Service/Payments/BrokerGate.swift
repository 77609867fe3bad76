import Edge
public import HTTP
import JSON
public import Primitives
import Security
public import Telemetry

/// What the broker says became of a payment (PAY-02).
public struct BrokerCallBack: Decodable, Sendable {
    static let referenceBytesMax = 128

    public enum Event: String, Codable, Sendable { case paid, failed }

    public let invoice: UUID
    public let event: Event
    /// What the broker calls this payment.
    public let reference: String
    public let amount: Int64
    public let currency: String
    /// By the broker's clock, which may be wrong.
    public let at: Timestamp

    /// What was paid.
    public var price: Price { Price(amount: amount, currency: currency) }
}

/// Tells the broker's calls to us from anybody else's: signed as our own calls are, with a secret of its own.
public struct BrokerGate: Sendable {
    /// Calls that are not signed as they should be, from one address in an hour, in each replica. Good ones do not count.
    public static let wrongPerAddressMax = 60
    public static let window = Duration.seconds(3600)
    public static let bodyBytesMax = 4096

    private let hook: Replaceable<BrokerHook>
    private let limit: AddressLimit
    private let clock: any WallClock
    /// Members of call-backs that this version does not know.
    private let ignoredMembers: Counter

    public init(_ hook: Replaceable<BrokerHook>, clock: any WallClock, ignoredMembers: Counter) {
        self.hook = hook
        self.clock = clock
        self.ignoredMembers = ignoredMembers
        limit = AddressLimit(max: Self.wrongPerAddressMax, window: Self.window, clock: clock)
    }

    /// Errors: 401 `signature-refused`, 422, 429 `too-many-tries`.
    public func open(_ request: HTTPRequest) throws -> BrokerCallBack {
        let counted: AddressLimit.Counted
        do throws(AddressLimit.Exceeded) { counted = try limit.count(request.clientAddress) } catch {
            throw Problem(
                .tooManyRequests, code: "too-many-tries",
                detail: "too many calls from your network were not signed as they should be",
                retryAfter: error.retryAfter)
        }
        try checkSignature(request)
        limit.takeBack(counted)
        let call = try request.json(BrokerCallBack.self, unknownMembers: .counted(ignoredMembers))
        try Self.check(call)
        return call
    }

    private func checkSignature(_ request: HTTPRequest) throws(Problem) {
        guard let id = request.field("webhook-id"),
            let timestamp = request.field("webhook-timestamp"),
            let signature = request.field("webhook-signature")
        else { throw Self.refused }
        do throws(SecurityError) {
            try WebhookSignature.verify(
                id: id, timestamp: timestamp, signature: signature, body: request.bytes,
                secrets: hook.value.callBackSecrets, now: clock.now())
        } catch { throw Self.refused }
    }

    private static func check(_ call: BrokerCallBack) throws(Problem) {
        let reference = call.reference.utf8
        guard (1...BrokerCallBack.referenceBytesMax).contains(reference.count),
            reference.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw Problem(
                .unprocessableContent, code: "invalid-request", detail: "the reference cannot be used",
                errors: [
                    .init(
                        pointer: "/reference",
                        detail: "1 to \(BrokerCallBack.referenceBytesMax) visible ASCII characters without spaces")
                ])
        }
    }

    private static let refused = Problem(
        .unauthorized, code: "signature-refused", detail: "the call is not signed by the broker, or not now")
}
