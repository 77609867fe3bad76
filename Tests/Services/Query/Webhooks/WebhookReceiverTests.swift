import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import ServiceTesting
import Testing

@testable import Query

/// Receivers as they are: slow, hostile, gone.
@Suite struct WebhookReceiverTests {
    private func webhook(_ url: String) -> Webhook {
        Webhook(
            id: .random(), requester: .random(), content: .init(url: url), secrets: .init(.random()), payload: .full,
            kinds: [],
            state: .active, reason: nil, position: 0, failingSince: nil, createdAt: World.start, heldCount: 0)
    }

    private func call(
        _ url: String, tls: TLSContext? = nil, allowsPrivate: Bool = true, within time: Duration = .seconds(15),
        on loops: EventLoopGroup
    ) async -> WebhookCaller.Answer {
        let caller = WebhookCaller(loops: loops, tls: tls, allowsPrivate: allowsPrivate, clock: TestClock(World.start))
        defer { caller.close() }
        return await caller.call(webhook(url), id: .random(), body: Array("{}".utf8), within: time)
    }

    private func answered(
        _ status: HTTPStatus, fields: HTTPFields = [:], body: [UInt8] = [], on loops: EventLoopGroup
    ) async throws -> (answer: WebhookCaller.Answer, calls: Int) {
        try await FakeReceiver.with(on: loops) { receiver in
            receiver.behave { _ in
                var response = HTTPResponse(status, contentType: .text, body: .bytes(body))
                for field in fields.entries { response.fields[field.name] = field.value }
                return response
            }
            let answer = await call("http://127.0.0.1:\(receiver.port)/hook", on: loops)
            return (answer, receiver.calls.count)
        }
    }

    @Test("SUB-02c NFR-05: a redirect is a failure and not followed; of ten megabytes a little is read")
    func hostile() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (redirect, calls) = try await answered(.found, fields: ["Location": "/hook"], on: loops)
            #expect(redirect.status == 302 && redirect.error?.contains("redirect") == true && calls == 1)
            let (large, _) = try await answered(
                .ok, body: Array(repeating: UInt8(ascii: "x"), count: 10_000_000), on: loops)
            #expect(large.isDelivered && large.body.utf8.count == WebhookCaller.shownBytesMax)
            let (gone, _) = try await answered(.gone, on: loops)
            #expect(gone.isGone && !gone.isDelivered)
            let (busy, _) = try await answered(.tooManyRequests, fields: ["Retry-After": "120"], on: loops)
            #expect(busy.retryAfter == .seconds(120) && busy.error != nil)
            let (strange, _) = try await answered(.serviceUnavailable, fields: ["Retry-After": "tomorrow"], on: loops)
            #expect(strange.retryAfter == nil && strange.status == 503)
        }
    }

    @Test(
        "SUB-02c NFR-05: no address of this network is called, also not by a name, and the answer tells nothing of it")
    func privateAddresses() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            for host in ["127.0.0.1", "localhost", "[::1]"] {
                let answer = await call("http://\(host):1/", allowsPrivate: false, on: loops)
                #expect(answer.error == "the address is not a public one" && answer.status == nil, "\(host)")
            }
            let closed = await call("http://127.0.0.1:1/", on: loops)
            #expect(closed.error?.contains("connection") == true && !closed.isOwnFault)
        }
    }

    @Test("SUB-02c: a certificate that is not trusted is said in words, and nothing is sent")
    func certificates() async throws {
        let server = try TLSContext.server(
            certificateFile: CertificateFiles.path("accounts.pem"), keyFile: CertificateFiles.path("accounts.key"),
            isHTTP: true)
        let stranger = try TLSContext.client(authorityFile: CertificateFiles.path("foreign-ca.pem"))
        try await EventLoopGroup.withLoops(1) { loops in
            try await FakeReceiver.with(on: loops, tls: server) { receiver in
                let answer = await call("https://127.0.0.1:\(receiver.port)/hook", tls: stranger, on: loops)
                #expect(answer.error?.hasPrefix("TLS: ") == true && answer.status == nil)
                #expect(receiver.calls.isEmpty)
            }
        }
    }

    @Test("SUB-02c: a receiver that does not answer in time has failed")
    func slow() async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            try await FakeReceiver.with(on: loops) { receiver in
                let end = EventCounter()
                receiver.behave { _ in
                    _ = await end.wait(after: 0)
                    return .noContent
                }
                defer { end.raise() }
                let answer = await call(
                    "http://127.0.0.1:\(receiver.port)/hook", within: .milliseconds(50), on: loops)
                #expect(answer.error?.contains("no answer") == true && !answer.isOwnFault)
            }
        }
    }
}
