import HTTP
import JSON
import Primitives
import Reactor
import Security
import SuiteClient
import Synchronization
import Testing

@testable import Simulator

/// The reference receiver's page: what it shows, what it lets people do, and who is kept away.
@Suite struct AmbulancePageTests {
    fileprivate static let incident = UUID(high: 0x0197_9c2e_8f00_7a31, low: 0x9c2b_5d3f_2a1b_4c6d)

    fileprivate static func items(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let items) = value { items } else { [] }
    }

    /// TrackMe's end: the calls back, by their last word, with what they said.
    private final class Dispatcher: Sendable {
        let taken = Mutex<[(word: String, body: JSONValue)]>([])
        let status = Mutex(HTTPStatus.ok)

        let called = EventCounter()

        var words: [String] { taken.withLock { $0.map(\.word) } }

        /// Whether so many calls back have come, at the latest after ten seconds.
        func isCalled(_ count: Int) async -> Bool {
            let deadline = Deadline.after(.seconds(10))
            while true {
                let seen = called.value
                if words.count >= count { return true }
                guard !deadline.hasPassed else { return false }
                _ = await called.wait(after: seen, deadline: deadline)
            }
        }
    }

    private struct World: Sendable {
        let board: IncidentBoard
        let page: AmbulancePage
        let dispatcher: Dispatcher
        let client: HTTPClient
        let hook: String
        let base: String
        let callBacks: String
        let secret: WebhookSecret
        let loops: EventLoopGroup

        /// A message as AutomatedSOS sends it.
        func send(_ kind: String, _ sequence: Int64, mode: String = "actual") async throws -> HTTPStatus {
            let reply: JSONObject = [
                "hook": "north", "token": "abc", "acceptance_url": .string("\(callBacks)/acceptance"),
                "rejection_url": .string("\(callBacks)/rejection"),
                "resolution_url": .string("\(callBacks)/resolution"),
                "status_url": .string("\(callBacks)/status"),
            ]
            let body: JSONValue = [
                "version": 1,
                "incident": [
                    "id": .string(AmbulancePageTests.incident.description), "sequence": .integer(sequence),
                    "message": .string(kind),
                    "mode": .string(mode),
                ],
                "person": ["name": "Rosa <b>", "surname": "Bianchi"], "reply": .object(reply),
            ]
            var request = try HTTPClientRequest.json(.post, try #require(HTTPURL("\(hook)/incidents")), body)
            let (id, now) = ("\(AmbulancePageTests.incident):\(sequence)", Timestamp.now())
            request.fields["webhook-id"] = id
            request.fields["webhook-timestamp"] = WebhookSignature.timestamp(now)
            request.fields["webhook-signature"] = WebhookSignature.sign(
                id: id, at: now, body: request.body, secrets: [secret])
            return try await client.send(request, deadline: .after(.seconds(10))).status
        }

        /// What a press on the page does.
        func press(_ act: String, _ body: JSONObject = [:]) async throws -> HTTPStatus {
            var request = try HTTPClientRequest.json(
                .post, try #require(HTTPURL("\(base)/incidents/\(AmbulancePageTests.incident)/\(act)")),
                JSONValue.object(body))
            request.fields["Ambulance-Request"] = "page"
            return try await client.send(request, deadline: .after(.seconds(10))).status
        }

        var shown: JSONValue? { AmbulancePageTests.items(board.value["incidents"]).first }

        /// Whether it is so, at the latest after ten seconds.
        func becomes(_ isSo: @Sendable (JSONValue) -> Bool) async -> Bool {
            let deadline = Deadline.after(.seconds(10))
            var seen = board.news.value
            while !(shown.map(isSo) ?? false) {
                guard !deadline.hasPassed else { return false }
                seen = await board.news.wait(after: seen, deadline: deadline)
            }
            return true
        }
    }

    private func with(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let (secret, dispatcher, board) = (WebhookSecret.random(), Dispatcher(), IncidentBoard())
            var router = HTTPRouter()
            router.on(.post, "/back/:word") { (request) async throws(Problem) in
                let word = try request.parameter("word")
                let said = try request.json(JSONValue.self)
                dispatcher.taken.withLock { $0.append((word, said)) }
                dispatcher.called.raise()
                return HTTPResponse(dispatcher.status.withLock { $0 })
            }
            let local = Endpoint(host: "127.0.0.1", port: 0)
            let trackMe = try await HTTPServer.start(at: local, router: router, loops: loops)
            var settings = ReferenceReceiver.Settings(secrets: [secret])
            settings.answer = .wait
            settings.pauses = [.milliseconds(50)]
            let receiver = try await ReferenceReceiver.start(at: local, settings, loops: loops) { board.take($0) }
            let page = AmbulancePage(board: board, receiver: receiver, leafletDirectory: "/nonexistent")
            let (host, server) = try await page.start(at: "127.0.0.1:0", loops: loops)
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            let client = HTTPClient(on: loops.loops[0], configuration: configuration)
            let world = World(
                board: board, page: page, dispatcher: dispatcher, client: client,
                hook: "http://127.0.0.1:\(receiver.port)", base: "http://\(host):\(server.port)",
                callBacks: "http://127.0.0.1:\(trackMe.port)/back", secret: secret, loops: loops)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(world)) } catch { outcome = .failure(error) }
            client.close()
            await server.shutdown(grace: .zero)
            await receiver.stop()
            await trackMe.shutdown(grace: .zero)
            try outcome.get()
        }
    }

    @Test(
        "SOS-13a: what comes waits on the page; accepted there, then on its way, expected, on the scene and over, each told once"
    )
    func accepted() async throws {
        try await with { (world) async throws in
            #expect(try await world.press("accept") == .conflict)
            #expect(try await world.send("alert", 1) == .noContent)
            #expect(world.shown?["state"] == .string("waiting") && world.shown?["is_exercise"] == .bool(false))
            #expect(world.shown?["message"]?["person"]?["name"] == .string("Rosa <b>"))
            #expect(try await world.press("accept") == .noContent)
            #expect(await world.becomes { $0["state"] == .string("accepted") && $0["pending"] == nil })
            #expect(try await world.press("accept") == .conflict)
            for act in ["dispatched", "on-scene"] { #expect(try await world.press(act) == .noContent, "\(act)") }
            #expect(try await world.press("arrival", ["minutes": 8]) == .noContent)
            #expect(await world.becomes { AmbulancePageTests.items($0["told"]).count == 3 && $0["arrival"] != nil })
            #expect(try await world.press("resolve") == .noContent)
            #expect(await world.becomes { $0["state"] == .string("over") })
            #expect(world.dispatcher.words.sorted() == ["acceptance", "resolution", "status", "status", "status"])
            let said = world.dispatcher.taken.withLock { $0 }
            #expect(said.first?.body["decision"] == .string("accepted") && said.first?.body["token"] == .string("abc"))
            #expect(said.contains { $0.body["status"] == .string("arrival-expected") && $0.body["arrival"] != nil })
        }
    }

    @Test(
        "SOS-13a: rejected with a reason only, also after an acceptance; a test call is marked, a cancelled one can be answered no more"
    )
    func rejected() async throws {
        try await with { (world) async throws in
            #expect(try await world.send("exercise", 1, mode: "exercise") == .noContent)
            #expect(world.shown?["is_exercise"] == .bool(true))
            #expect(try await world.press("reject") == .unprocessableContent)
            #expect(try await world.press("reject", ["reason": "because"]) == .unprocessableContent)
            #expect(try await world.press("arrival", ["minutes": 0]) == .unprocessableContent)
            #expect(try await world.press("fly") == .notFound)
            #expect(world.dispatcher.words.isEmpty)
            #expect(try await world.press("accept") == .noContent)
            #expect(await world.becomes { $0["state"] == .string("accepted") })
            #expect(try await world.press("reject", ["reason": "no-vehicle"]) == .noContent)
            #expect(await world.becomes { $0["state"] == .string("rejected") })
            let last = world.dispatcher.taken.withLock { $0.last }
            #expect(last?.word == "rejection" && last?.body["reason"] == .string("no-vehicle"))
            #expect(try await world.send("cancel", 2) == .noContent)
            #expect(world.shown?["state"] == .string("cancelled"))
            #expect(try await world.press("accept") == .conflict && world.shown?["pending"] == nil)
            // Needed again: another service has handed it back.
            #expect(try await world.send("alert", 3) == .noContent)
            #expect(world.shown?["state"] == .string("waiting"))
        }
    }

    @Test(
        "SOS-07c: an acceptance that comes too late is shown as what it is; one without an answer is sent again until there is one"
    )
    func late() async throws {
        try await with { (world) async throws in
            world.dispatcher.status.withLock { $0 = .serviceUnavailable }
            #expect(try await world.send("alert", 1) == .noContent)
            #expect(try await world.press("accept") == .noContent)
            #expect(await world.becomes { $0["pending"] == .string("accept") })
            #expect(await world.dispatcher.isCalled(1))
            world.dispatcher.status.withLock { $0 = .conflict }
            #expect(await world.becomes { $0["state"] == .string("refused") && $0["refused_with"] == .integer(409) })
            #expect(world.dispatcher.words.count >= 2 && Set(world.dispatcher.words) == ["acceptance"])
        }
    }

    @Test(
        "NFR-03: pages of others neither read nor answer: a name that is not this machine's, a request without the own field"
    )
    func kept() async throws {
        try await with { (world) async throws in
            #expect(try await world.send("alert", 1) == .noContent)
            let incident = Self.incident
            func ask(_ method: HTTPMethod, _ path: String, _ fields: HTTPFields) async throws -> HTTPStatus {
                var all = fields
                if method == .post { all["Content-Type"] = "application/json" }
                let body = method == .post ? Array("{}".utf8) : []
                return await world.page.router.handle(try HTTPRequest(method, path, fields: all, body: body)).status
            }
            for path in ["/", "/page.js", "/incidents", "/events", "/places.json"] {
                #expect(try await ask(.get, path, ["Host": "evil.example"]) == .forbidden, "\(path)")
                #expect(try await ask(.get, path, ["Host": "evil.example:8121"]) == .forbidden, "\(path)")
            }
            for host in ["127.0.0.1:8121", "localhost:8121", "localhost", "[::1]:8121"] {
                #expect(try await ask(.get, "/incidents", ["Host": host]) == .ok, "\(host)")
            }
            let accept = "/incidents/\(incident)/accept"
            #expect(try await ask(.post, accept, ["Host": "localhost"]) == .forbidden)
            let other: HTTPFields = ["Host": "localhost", "Ambulance-Request": "page", "Sec-Fetch-Site": "cross-site"]
            #expect(try await ask(.post, accept, other) == .forbidden)
            #expect(world.dispatcher.words.isEmpty && world.shown?["state"] == .string("waiting"))
            for address in ["0.0.0.0:0", "192.0.2.1:0", "unix:/tmp/page", "nonsense"] {
                await #expect(throws: SuiteError.self, "\(address)") {
                    _ = try await world.page.start(at: address, loops: world.loops)
                }
            }
        }
    }

    @Test("NFR-08: the page allows nothing from elsewhere and nothing inline, and has the same words in both languages")
    func page() async throws {
        let page = String(decoding: PackageResources.page_html, as: UTF8.self)
        #expect(!page.contains("style=") && !page.contains("<script>") && !page.contains("http"))
        func keys(_ value: JSONValue, _ before: String = "") -> Set<String> {
            guard case .object(let object) = value else { return [before] }
            return object.members.reduce(into: []) { $0.formUnion(keys($1.value, "\(before).\($1.key)")) }
        }
        let words = try [PackageResources.it_json, PackageResources.en_json].map {
            keys(try JSONDecoder().decode(JSONValue.self, from: $0))
        }
        #expect(words[0] == words[1] && words[0].count > 80)
        for reason in ReferenceReceiver.rejectionReasons {
            #expect(words[0].contains(".reasons.\(reason)"), "\(reason)")
        }
    }
}
