import Glibc
import HTTP
import JSON
import Primitives
import Reactor
import Security
import SuiteClient
import Synchronization
import Testing

@testable import Simulator

@Suite struct SandboxBrokerTests {
    /// TrackMe's end: what the broker has called, with a signature that is right.
    private final class Hook: Sendable {
        private let taken = Mutex<[JSONValue]>([])

        var calls: [JSONValue] { taken.withLock { $0 } }

        func take(_ call: JSONValue) { taken.withLock { $0.append(call) } }
    }

    private let own = WebhookSecret.random()
    private let theirs = WebhookSecret.random()

    private func with(
        _ body: @escaping @Sendable (_ broker: String, _ client: HTTPClient, _ hook: Hook) async throws -> Void
    ) async throws {
        let (own, theirs) = (own, theirs)
        try await EventLoopGroup.withLoops(1) { loops in
            let hook = Hook()
            var router = HTTPRouter()
            router.on(.post, "/hook") { (request) async throws(Problem) in
                do {
                    try WebhookSignature.verify(
                        id: request.field("webhook-id") ?? "", timestamp: request.field("webhook-timestamp") ?? "",
                        signature: request.field("webhook-signature") ?? "", body: request.bytes, secrets: [own],
                        now: .now())
                    let call = try JSONDecoder().decode(JSONValue.self, from: request.bytes)
                    hook.take(call)
                } catch { throw Problem(.unauthorized, code: "signature-refused") }
                return .noContent
            }
            let trackMe = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops)
            let directory = "/tmp/sandbox-\(UUID.random())"
            try File.write(theirs.text, to: "\(directory).theirs")
            try File.write(own.text, to: "\(directory).own")
            let running = try await SandboxBroker.start(
                .init(
                    listen: "127.0.0.1:0",
                    payees: [
                        .init(
                            name: "query", secretFile: "\(directory).theirs", callBackSecretFile: "\(directory).own",
                            callBackURL: "http://127.0.0.1:\(trackMe.port)/hook"),
                        // Another one, with other secrets.
                        .init(
                            name: "dispatcher", secretFile: "\(directory).own",
                            callBackSecretFile: "\(directory).theirs", callBackURL: "http://127.0.0.1:1/"),
                    ]), loops: loops)
            for name in ["theirs", "own"] { unlink("\(directory).\(name)") }
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            let client = HTTPClient(on: loops.loops[0], configuration: configuration)
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await body("http://127.0.0.1:\(running.port)/query", client, hook))
            } catch { outcome = .failure(error) }
            client.close()
            await running.stop()
            await trackMe.shutdown(grace: .zero)
            try outcome.get()
        }
    }

    private func announce(
        _ event: String, _ invoice: UUID, to broker: String, by client: HTTPClient, secret: WebhookSecret
    ) async throws -> HTTPClientResponse {
        let body: JSONValue = [
            "invoice": .string(invoice.description), "event": .string(event), "amount": 1250, "currency": "EUR",
            "description": "TrackMe request",
        ]
        var request = try HTTPClientRequest.json(.post, try #require(HTTPURL("\(broker)/invoices")), body)
        let now = Timestamp.now()
        request.fields["webhook-id"] = "\(invoice):\(event)"
        request.fields["webhook-timestamp"] = WebhookSignature.timestamp(now)
        request.fields["webhook-signature"] = WebhookSignature.sign(
            id: "\(invoice):\(event)", at: now, body: request.body, secrets: [secret])
        return try await client.send(request, deadline: .after(.seconds(10)))
    }

    private func ask(_ method: HTTPMethod, _ url: String, _ client: HTTPClient) async throws -> HTTPClientResponse {
        try await client.send(
            HTTPClientRequest(method, try #require(HTTPURL(url))), deadline: .after(.seconds(10)))
    }

    @Test("PAY-02b: the sandbox broker says where to pay, and tells TrackMe what was chosen there, signed")
    func pays() async throws {
        try await with { broker, client, hook in
            let invoice = UUID.random()
            let answer = try await announce("due", invoice, to: broker, by: client, secret: theirs)
            #expect(answer.status == .ok)
            let link = try #require(try answer.json(JSONValue.self)["pay_url"]?.text)
            #expect(link.contains("/query/pay/"))
            let path = link.drop { $0 != "?" }
            let page = try await ask(.get, "\(broker)/pay/\(invoice)\(path)", client)
            #expect(page.status == .ok && page.text.contains("12.50 EUR"))
            #expect(hook.calls.isEmpty)
            _ = try await ask(.post, "\(broker)/fail/\(invoice)\(path)", client)
            let paid = try await ask(.post, "\(broker)/pay/\(invoice)\(path)", client)
            #expect(paid.text.contains("204"))
            let told = hook.calls
            #expect(told.map { $0["event"]?.text } == ["failed", "paid"])
            #expect(told.allSatisfy { $0["invoice"]?.text == invoice.description && $0["amount"]?.number == 1250 })
        }
    }

    @Test("PAY-02b: the sandbox broker takes signed invoices alone, and no payment for one that is cancelled")
    func refuses() async throws {
        try await with { broker, client, hook in
            let invoice = UUID.random()
            #expect(
                try await announce("due", invoice, to: broker, by: client, secret: .random()).status == .unauthorized)
            #expect(
                try await announce("cancelled", invoice, to: broker, by: client, secret: theirs).status == .noContent)
            #expect(
                try await announce(
                    "due", invoice, to: broker.replacing("query", with: "dispatcher"), by: client, secret: theirs
                ).status == .unauthorized)
            let page = try await ask(.get, "\(broker)/pay/\(invoice)?amount=1250&currency=EUR", client)
            #expect(page.text.contains("nothing is owed") && !page.text.contains("<form"))
            let odd = try await ask(.get, "\(broker)/pay/\(invoice)?amount=1250&currency=%3Cb%3E", client)
            #expect(odd.status == .unprocessableContent)
        }
    }
}
