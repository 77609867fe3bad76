import HTTP
import JSON
import Primitives
import Reactor
import Security
import SuiteClient
import Synchronization

/// A payments' broker for trying TrackMe's payments (PAY-02): it takes no money. Its pages, on loopback, ask whether a payment shall
/// succeed or fail, and it calls TrackMe accordingly, signed. Each payee, a service of TrackMe that makes invoices, has its own.
///
/// All that a payment needs is in its link, so that the broker can be started again at any time.
struct SandboxBroker: Sendable {
    private struct Message: Decodable {
        var invoice: UUID
        var event: String
        var amount: Int64
        var currency: String
    }

    private struct Answer: Encodable {
        var payURL: String
    }

    /// What a link to pay is about.
    private struct Payment {
        let invoice: UUID
        let amount: Int64
        let currency: String

        var query: String { "amount=\(amount)&currency=\(currency)" }
        var text: String { "\(amount / 100).\(amount % 100 < 10 ? "0" : "")\(amount % 100) \(currency)" }
    }

    /// All payees' with their server.
    struct Running: Sendable {
        fileprivate let server: HTTPServer
        fileprivate let client: HTTPClient

        var port: UInt16 { server.port }

        func stop() async {
            await server.shutdown(grace: .seconds(1))
            client.close()
        }
    }

    private static let cancelledMax = 10_000

    /// Of this payee's pages, without a slash at the end.
    private let path: String
    private let url: String
    private let callBackURL: HTTPURL
    private let secrets: (theirs: WebhookSecret, own: WebhookSecret)
    private let client: HTTPClient
    private let cancelled = Cancelled()

    private final class Cancelled: Sendable {
        let invoices = Mutex<Set<UUID>>([])
    }

    /// Runs until it is stopped. Errors: `local` for a configuration without a broker, and an address that is taken.
    static func run(_ configuration: SuiteConfiguration, loops: EventLoopGroup) async throws(SuiteError) {
        guard let settings = configuration.broker else { throw .local("simulator.json has no broker.") }
        Ending.whenTold()
        let running = try await start(settings, loops: loops)
        Output.event("The sandbox broker listens at http://\(settings.listen).")
        do throws(IOError) { try await loops.loops[0].sleep(until: .never) } catch {
            throw .local("The sandbox broker ended: \(error).")
        }
        await running.stop()
    }

    /// Errors: `local`.
    static func start(
        _ settings: SuiteConfiguration.Broker, loops: EventLoopGroup
    ) async throws(SuiteError) -> Running {
        guard let endpoint = Endpoint(settings.listen) else {
            throw .local("The broker's address in simulator.json cannot be used.")
        }
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        let client = HTTPClient(on: loops.loops[0], configuration: configuration)
        do throws(SuiteError) {
            var router = HTTPRouter()
            for payee in settings.payees {
                try SandboxBroker(payee, at: settings.listen, client: client).add(to: &router)
            }
            do throws(IOError) {
                let server = try await HTTPServer.start(at: endpoint, router: router, loops: loops)
                return Running(server: server, client: client)
            } catch { throw .local("Cannot listen at \(settings.listen): \(error).") }
        } catch {
            client.close()
            throw error
        }
    }

    private init(
        _ payee: SuiteConfiguration.Broker.Payee, at address: String, client: HTTPClient
    ) throws(SuiteError) {
        guard let callBackURL = HTTPURL(payee.callBackURL) else {
            throw .local("The call_back_url of the payee \(payee.name) in simulator.json cannot be used.")
        }
        path = "/\(payee.name)"
        url = "http://\(address)/\(payee.name)"
        self.callBackURL = callBackURL
        secrets = (theirs: try Self.secret(payee.secretFile), own: try Self.secret(payee.callBackSecretFile))
        self.client = client
    }

    private func add(to router: inout HTTPRouter) {
        router.on(.post, "\(path)/invoices") { (request) async throws(Problem) in try take(request) }
        router.on(.get, "\(path)/pay/:invoice") { (request) async throws(Problem) in try page(request) }
        router.on(.post, "\(path)/pay/:invoice") { (request) async throws(Problem) in try await tell("paid", request) }
        router.on(.post, "\(path)/fail/:invoice") { (request) async throws(Problem) in
            try await tell("failed", request)
        }
    }

    private static func secret(_ path: String) throws(SuiteError) -> WebhookSecret {
        let text = String(decoding: try File.read(path, bytesMax: 1024), as: UTF8.self)
        do throws(SecurityError) { return try WebhookSecret(text.filter { !$0.isWhitespace }) } catch {
            throw .local("\(path) holds no webhook secret: \(error).")
        }
    }

    // MARK: What TrackMe says

    private func take(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        do throws(SecurityError) {
            try WebhookSignature.verify(
                id: request.field("webhook-id") ?? "", timestamp: request.field("webhook-timestamp") ?? "",
                signature: request.field("webhook-signature") ?? "", body: request.bytes, secrets: [secrets.theirs],
                now: .now())
        } catch { throw Problem(.unauthorized, code: "signature-refused") }
        let message: Message
        do throws(JSONError) { message = try JSONDecoder().decode(Message.self, from: request.bytes) } catch {
            throw Problem(error)
        }
        guard message.event == "due" else {
            cancelled.invoices.withLock { invoices in
                if invoices.count < Self.cancelledMax { invoices.insert(message.invoice) }
            }
            return .noContent
        }
        let payment = Payment(invoice: message.invoice, amount: message.amount, currency: message.currency)
        let link = "\(url)/pay/\(payment.invoice)?\(payment.query)"
        return try .json(Answer(payURL: link))
    }

    // MARK: What people do

    private func payment(_ request: HTTPRequest) throws(Problem) -> Payment {
        let invoice: UUID = try request.parameter("invoice")
        let (amount, currency) = try request.parameters { (query) throws(Problem) in
            (
                try query.required("amount", query.value("amount", as: Int64.self)),
                try query.required("currency", query.text("currency"))
            )
        }
        // It stands in pages as it is.
        guard amount > 0, currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5a).contains($0) }) else {
            throw Problem(parameter: "currency", "take the link as it is")
        }
        return Payment(invoice: invoice, amount: amount, currency: currency)
    }

    private func page(_ request: HTTPRequest) throws(Problem) -> HTTPResponse {
        let payment = try payment(request)
        let isCancelled = cancelled.invoices.withLock { $0.contains(payment.invoice) }
        let acts =
            isCancelled
            ? "<p>The invoice is cancelled: nothing is owed.</p>"
            : """
            <form method="post" action="\(path)/pay/\(payment.invoice)?\(payment.query)"><button>Pay</button></form>
            <form method="post" action="\(path)/fail/\(payment.invoice)?\(payment.query)"><button>Let it fail</button></form>
            """
        return Self.html("<p>Invoice \(payment.invoice): \(payment.text)</p>\n\(acts)")
    }

    private func tell(_ event: String, _ request: HTTPRequest) async throws(Problem) -> HTTPResponse {
        let payment = try payment(request)
        let now = Timestamp.now()
        let body: JSONObject = [
            "invoice": .string(payment.invoice.description), "event": .string(event),
            // Pressed twice it is the same payment.
            "reference": .string("sandbox_\(payment.invoice)"), "amount": .integer(payment.amount),
            "currency": .string(payment.currency), "at": .string(now.description),
        ]
        let status: String
        do throws(HTTPClientError) {
            var call = try HTTPClientRequest.json(.post, callBackURL, JSONValue.object(body))
            let id = "msg_\(UUID.random())"
            call.fields[WebhookSignature.idHeader] = id
            call.fields[WebhookSignature.timestampHeader] = WebhookSignature.timestamp(now)
            call.fields[WebhookSignature.signatureHeader] = WebhookSignature.sign(
                id: id, at: now, body: call.body, secrets: [secrets.own])
            status = "\(try await client.send(call, deadline: .after(.seconds(10))).status)"
        } catch { status = "no answer (\(error))" }
        Output.event("\(event) \(payment.invoice) \(payment.text): \(status)")
        return Self.html("<p>TrackMe was told that invoice \(payment.invoice) is \(event): \(status).</p>")
    }

    private static func html(_ content: String) -> HTTPResponse {
        let text = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox broker</title>
            <h1>Sandbox broker</h1><p>No money moves here.</p>
            \(content)</html>
            """
        return HTTPResponse(.ok, contentType: .html, body: .bytes(Array(text.utf8)))
    }
}
