import Domain
import HTTP
import Primitives
import Reactor
import Security

/// Calls receivers: signed POSTs (Standard Webhooks), to public addresses only unless the deployment says otherwise, without
/// following redirects.
final class WebhookCaller: Sendable {
    static let connectionsPerOriginMax = 64
    private static let waitingPerOriginMax = 1024
    /// What is read of an answer; a longer one is cut off, and its connection closed.
    private static let answerBytesMax = 4096
    /// What is shown of it.
    static let shownBytesMax = 1024

    /// What came of a call.
    struct Answer: Sendable {
        /// `nil` without an answer.
        var status: Int?
        /// What went wrong, in words; `nil` for 2xx.
        var error: String?
        var retryAfter: Duration?
        /// The beginning of the body.
        var body = ""
        let began: Timestamp
        var took = Duration.zero
        /// Whether this process could not call at all: no attempt.
        var isOwnFault = false

        var isDelivered: Bool { error == nil }
        var isGone: Bool { status == 410 }
    }

    let allowsPrivate: Bool
    private let clients: [(loop: EventLoop, client: HTTPClient)]
    private let clock: any WallClock

    /// `tls` verifies the receivers' certificates.
    init(loops: EventLoopGroup, tls: TLSContext?, allowsPrivate: Bool, clock: any WallClock) {
        self.clock = clock
        self.allowsPrivate = allowsPrivate
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = allowsPrivate
        configuration.connectionsPerOriginMax = Self.connectionsPerOriginMax
        configuration.waitingPerOriginMax = Self.waitingPerOriginMax
        clients = loops.loops.map { ($0, HTTPClient(on: $0, tls: tls, configuration: configuration)) }
    }

    func close() { for (_, client) in clients { client.close() } }

    /// Sends a body under an id by which a repeat is recognised. `whenSent` is called once all of it is written.
    func call(
        _ webhook: Webhook, id: UUID, body: [UInt8], within time: Duration,
        whenSent: (@Sendable () -> Void)? = nil
    ) async -> Answer {
        let now = clock.now()
        var answer = Answer(began: now)
        guard let url = HTTPURL(webhook.content.url), let secrets = try? webhook.secrets.signing(at: now) else {
            answer.error = "the address or the secret cannot be used"
            return answer
        }
        var request = HTTPClientRequest(
            .post, url,
            fields: [
                "Content-Type": "application/json", "User-Agent": "TrackMe-Webhooks/1",
                WebhookSignature.idHeader: id.description,
                WebhookSignature.timestampHeader: WebhookSignature.timestamp(now),
                WebhookSignature.signatureHeader: WebhookSignature.sign(
                    id: id.description, at: now, body: body, secrets: secrets),
            ], body: body)
        request.isRepeatable = true
        request.whenSent = whenSent
        let client = clients.first { $0.loop === EventLoop.current }?.client ?? clients[0].client
        let started = Deadline.now()
        do throws(HTTPClientError) {
            let received = try await client.stream(request, deadline: .after(time)) {
                (head, chunks) throws(HTTPClientError) in
                var bytes: [UInt8] = []
                // The head has said what became of it: a body that breaks off changes nothing.
                do throws(HTTPClientError) {
                    while bytes.count < Self.answerBytesMax, let chunk = try await chunks.next() {
                        bytes += chunk.prefix(Self.answerBytesMax - bytes.count)
                    }
                } catch {}
                return (head, bytes)
            }
            answer.read(received.0, received.1)
        } catch {
            answer.error = Self.words(error, time)
            answer.isOwnFault = error == .overloaded || error == .io(.cancelled)
        }
        answer.took = Deadline.now().since(started)
        return answer
    }

    /// What a third party is told: nothing about this network.
    private static func words(_ error: HTTPClientError, _ time: Duration) -> String {
        switch error {
        case .refusedAddress: "the address is not a public one"
        case .io(.timedOut): "no answer within \(time.components.seconds) seconds"
        case .io(.tls(let reason)): "TLS: \(reason)"
        case .io(.resolve): "the name cannot be resolved"
        case .io: "the connection failed or broke off"
        case .malformedResponse, .responseTooLarge: "the answer is not HTTP"
        case .invalidRequest: "the address cannot be called"
        case .overloaded: "too many calls to this host at the same time"
        }
    }
}

extension WebhookCaller.Answer {
    fileprivate mutating func read(_ head: HTTPClient.ResponseHead, _ bytes: [UInt8]) {
        let code = Int(head.status.rawValue)
        status = code
        let shown = bytes.prefix(WebhookCaller.shownBytesMax)
        body = String(decoding: shown, as: UTF8.self).filter { !$0.isASCIIControl }
        switch code {
        case 200..<300: break
        case 300..<400: error = "a redirect, which is not followed"
        case 410: error = "the receiver says that it is gone for good"
        default: error = "the receiver answered \(code)"
        }
        if code == 429 || code == 503, let seconds = head.fields["retry-after"].flatMap({ Int($0) }), seconds > 0 {
            retryAfter = .seconds(min(seconds, 86_400))
        }
    }
}

extension Character {
    fileprivate var isASCIIControl: Bool { asciiValue.map { $0 < 32 || $0 == 127 } ?? false }
}
