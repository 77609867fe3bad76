import HTTP
import JSON
import Primitives
import Reactor
import Security

/// Calls push services (RFC 8030) with encrypted messages.
struct PushCaller: Sendable {
    /// What came of a call.
    enum Outcome: Sendable, Equatable {
        case taken
        /// The browser has unsubscribed, or its subscription has expired.
        case gone
        /// The service does not take this message, now or later.
        case refused(String)
        /// To be tried again, not before `pause` where the service says so.
        case failed(String, pause: Duration?)
    }

    static let connectionsPerServiceMax = 16
    static let responseBytesMax = 64 * 1024
    static let callTime = Duration.seconds(10)

    private let client: HTTPClient
    private let key: VAPIDKey
    /// Where the operators of push services reach us.
    private let subject: String
    private let clock: any WallClock

    /// `tls` verifies the services' certificates.
    init(
        _ key: VAPIDKey, subject: String, allowPrivate: Bool, on loop: EventLoop, tls: TLSContext?, clock: any WallClock
    ) {
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = allowPrivate
        configuration.connectionsPerOriginMax = Self.connectionsPerServiceMax
        configuration.responseBytesMax = Self.responseBytesMax
        client = HTTPClient(on: loop, tls: tls, configuration: configuration)
        self.key = key
        self.subject = subject
        self.clock = clock
    }

    /// Sends a message that is of use for `life`.
    func send(
        _ kind: PushKind, _ message: PushMessage, to address: PushAddress, life: Duration
    ) async throws -> Outcome {
        guard let url = HTTPURL(address.endpoint) else { throw StoredValueError(column: "push_subscription.content") }
        let body = try PushEncryption.seal(
            try JSONEncoder().encode(message), for: try P256PublicKey(address.key), auth: address.auth)
        var request = HTTPClientRequest(
            .post, url,
            fields: [
                "Authorization": try key.authorization(for: url.originText, subject: subject, at: clock.now()),
                "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
                "TTL": "\(life.components.seconds)", "Urgency": kind.urgency, "Topic": kind.rawValue,
            ], body: body)
        // A repeat replaces the first, by its topic.
        request.isRepeatable = true
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try await client.send(request, deadline: .after(Self.callTime))
        } catch {
            switch error {
            case .io: return .failed("connection", pause: nil)
            case .refusedAddress: return .refused("refused-address")
            default: return .failed("malformed-answer", pause: nil)
            }
        }
        return Self.outcome(of: response)
    }

    private static func outcome(of response: HTTPClientResponse) -> Outcome {
        let status = response.status.rawValue
        switch status {
        case 200..<300: return .taken
        case 404, 410: return .gone
        case 408, 429, 500...:
            let seconds = response.fields["Retry-After"].flatMap { UInt32($0) }
            return .failed("http-\(status)", pause: seconds.map { .seconds(Int64($0)) })
        default: return .refused("http-\(status)")
        }
    }

    func close() { client.close() }
}
