import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct PushTests {
    private static let request = [
        "company": "Salus S.r.l.", "data_types": "heart-rate", "from": "2026-01-01", "to": "2026-02-01", "mode": "once",
        "reason": "Studio serio", "lapses_at": "2026-01-04", "request_id": "7",
    ]

    /// The service, a push service, and a person.
    private func with(
        _ body: @escaping @Sendable (AccountsTest, FakePushService, LoggedIn) async throws -> Void
    ) async throws {
        try await AccountsTest.with { test in
            try await FakePushService.with(on: test.service.loops) { pushes in
                try await body(test, pushes, try await test.individual())
            }
        }
    }

    private func subscribe(_ browser: PushSubscriber, _ test: AccountsTest, as person: LoggedIn) async throws {
        #expect(try await test.send(.put, "/push-subscription", token: person.token, browser.form).status == 204)
    }

    private func isSubscribed(_ test: AccountsTest, _ person: LoggedIn) async throws -> Bool? {
        try await test.send(.get, "/push-subscription", token: person.token).json["is_subscribed"]?.flag
    }

    private func notify(
        _ test: AccountsTest, _ person: LoggedIn, id: UUID = .random(), template: String = "request-received",
        values: [String: String] = request, as caller: String = "query"
    ) async throws {
        _ = try await test.service.rpc(as: caller).call(
            Accounts.Notify.self,
            .init(id: id, accountID: person.account, template: template, values: values, email: false))
    }

    private func alarm(_ test: AccountsTest, _ person: LoggedIn) async throws {
        try await notify(
            test, person, template: "incident-opened", values: ["time": "2026-05-01T08:00:09Z", "cause": "heart-rate"],
            as: "dispatcher")
    }

    private func send(_ test: AccountsTest, _ kinds: [PushKind] = PushKind.allCases) async throws {
        try await #require(try test.capabilities.pushes).send(kinds, untilNoneIsDue: true)
    }

    private func waiting(_ test: AccountsTest) async throws -> Int? {
        try await test.database.queryOne("select count(*) from push", as: Int.self)
    }

    @Test("ACC-17 REQ-04: A browser that subscribed is told of a request, encrypted for it, with nothing of anybody")
    func request() async throws {
        try await with { test, pushes, anna in
            let browser = pushes.browser("anna")
            let before = try await test.send(.get, "/push-subscription", token: anna.token)
            let key = try #require(try test.capabilities.push?.key)
            #expect(try before.text("public_key") == key.publicText && before.json["is_subscribed"]?.flag == false)
            try await subscribe(browser, test, as: anna)
            #expect(try await isSubscribed(test, anna) == true)
            let id = UUID.random()
            try await notify(test, anna, id: id)
            try await send(test)
            let call = try #require(pushes.desk.calls.first)
            #expect(pushes.desk.calls.count == 1 && call.browser == "anna")
            #expect(call.coding == "aes128gcm" && call.topic == "request" && call.urgency == "normal")
            #expect(call.life == "86400")
            let message = try JSONDecoder().decode(JSONValue.self, from: try browser.open(call.body))
            #expect(
                message
                    == .object([
                        "kind": "request", "path": "/requests", "title": "C'è una nuova richiesta dei tuoi dati",
                        "language": "it",
                    ]))
            // The same message again, and what can wait, is not pushed.
            try await notify(test, anna, id: id)
            try await notify(test, anna, template: "sos-enrolled", values: [:], as: "dispatcher")
            try await send(test)
            #expect(pushes.desk.calls.count == 1)
            #expect(try await waiting(test) == 0)
        }
    }

    @Test("The push service is told who sends, for it alone (RFC 8292)")
    func sender() async throws {
        try await with { test, pushes, anna in
            try await subscribe(pushes.browser("anna"), test, as: anna)
            try await alarm(test, anna)
            try await send(test)
            let call = try #require(pushes.desk.calls.first)
            #expect(call.topic == "alarm" && call.urgency == "high" && call.life == "3600")
            let key = try #require(try test.capabilities.push?.key)
            let value = try #require(call.authorization)
            let parts = value.dropFirst("vapid t=".count).split(separator: ", k=").map(String.init)
            #expect(value.hasPrefix("vapid t=") && parts.last == key.publicText)
            let token = try #require(parts.first).split(separator: ".").map(String.init)
            let claims = try JSONDecoder().decode(
                JSONValue.self, from: try #require(token.count == 3 ? Base64.url.decode(token[1]) : nil))
            #expect(claims["aud"]?.text == pushes.origin)
            #expect(claims["sub"]?.text == "mailto:\(Capabilities.mailFromDefault)")
            let point = try P256PublicKey(try #require(Base64.url.decode(key.publicText)))
            let signature = try #require(Base64.url.decode(token[2]))
            #expect(point.isValid(signature, for: Array("\(token[0]).\(token[1])".utf8)))
        }
    }

    @Test("A push service that says that a browser is gone ends its subscription", arguments: [404, 410] as [UInt16])
    func gone(_ status: UInt16) async throws {
        try await with { test, pushes, anna in
            try await subscribe(pushes.browser("anna"), test, as: anna)
            pushes.desk.answer(HTTPStatus(rawValue: status))
            try await notify(test, anna)
            try await send(test)
            #expect(try await isSubscribed(test, anna) == false)
            try await notify(test, anna)
            try await send(test)
            #expect(pushes.desk.calls.count == 1)
        }
    }

    @Test(
        "NFR-03: What a push service does not take is tried again with growing pauses, and no longer than it is of use")
    func retries() async throws {
        try await with { test, pushes, anna in
            try await subscribe(pushes.browser("anna"), test, as: anna)
            pushes.desk.answer(.serviceUnavailable)
            try await alarm(test, anna)
            for count in 1...3 {
                try await send(test)
                try await send(test)
                #expect(pushes.desk.calls.count == count)
                test.clock.advance(by: PushSender.pause(after: Int32(count)))
            }
            // A service says how long to wait.
            pushes.desk.answer(.tooManyRequests, retryAfter: 60)
            try await send(test)
            test.clock.advance(by: .seconds(59))
            try await send(test)
            #expect(pushes.desk.calls.count == 4)
            pushes.desk.answer(.created)
            test.clock.advance(by: .seconds(1))
            try await send(test)
            #expect(pushes.desk.calls.count == 5)
            #expect(try await waiting(test) == 0)

            pushes.desk.answer(.serviceUnavailable)
            try await alarm(test, anna)
            try await send(test)
            test.clock.advance(by: PushKind.alarm.life)
            try await send(test)
            #expect(pushes.desk.calls.count == 6)
            #expect(try await waiting(test) == 0)
            // The token of then has expired.
            let later = try LoggedIn(
                try await test.send(.post, "/sessions/refresh", "{\"refresh_token\":\"\(anna.refresh)\"}"))
            #expect(try await isSubscribed(test, later) == true)
        }
    }

    @Test("What a push service refuses is given up and told to the operator, and the subscription stays")
    func refused() async throws {
        try await with { test, pushes, anna in
            try await subscribe(pushes.browser("anna"), test, as: anna)
            pushes.desk.answer(.forbidden)
            try await notify(test, anna)
            try await send(test)
            #expect(try await waiting(test) == 0)
            #expect(try await isSubscribed(test, anna) == true)
            #expect(
                test.service.log.lines.contains {
                    $0.contains("a push message was given up") && $0.contains("http-403")
                })
        }
    }

    @Test("NFR-05: Nothing is sent to addresses of this network unless the deployment allows it")
    func privateAddress() async throws {
        let push = PushPart(key: VAPIDKey(.random()), allowPrivate: false, tls: nil)
        try await AccountsTest.with(push: push) { test in
            try await FakePushService.with(on: test.service.loops) { pushes in
                let anna = try await test.individual()
                let plain = try await test.send(
                    .put, "/push-subscription", token: anna.token, pushes.browser("anna").form)
                #expect(plain.status == 422 && plain.json["errors"]?.items.first?["pointer"]?.text == "/endpoint")
                let secure = "https" + pushes.origin.dropFirst("http".count) + "/push/anna"
                try await subscribe(PushSubscriber(endpoint: secure), test, as: anna)
                try await notify(test, anna)
                try await send(test)
                #expect(test.service.log.lines.contains { $0.contains("refused-address") })
                #expect(pushes.desk.calls.isEmpty)
                #expect(try await waiting(test) == 0)
            }
        }
    }

    @Test("Messages of a kind that wait are one: it says that there is something to see")
    func collapsed() async throws {
        try await with { test, pushes, anna in
            try await subscribe(pushes.browser("anna"), test, as: anna)
            for _ in 0..<3 { try await notify(test, anna) }
            try await alarm(test, anna)
            #expect(try await waiting(test) == 2)
            // Alarms have a lane of their own.
            try await send(test, [.alarm])
            #expect(pushes.desk.calls.map(\.topic) == ["alarm"])
            try await send(test)
            #expect(pushes.desk.calls.map(\.topic) == ["alarm", "request"])
        }
    }

    @Test("ACC-16: A subscription ends with its session, and a browser belongs to whoever subscribed last")
    func sessions() async throws {
        try await with { test, pushes, anna in
            let browser = pushes.browser("shared")
            try await subscribe(browser, test, as: anna)
            let other = try LoggedIn(try await test.logIn("anna@example.org"))
            try await subscribe(pushes.browser("phone"), test, as: other)
            let bruno = try await test.individual(TestPerson(number: 1))
            try await subscribe(browser, test, as: bruno)
            #expect(try await isSubscribed(test, anna) == false)
            try await notify(test, anna)
            try await send(test)
            #expect(pushes.desk.calls.map(\.browser) == ["phone"])
            #expect(try await test.send(.delete, "/sessions/\(other.session)", token: anna.token).status == 204)
            try await notify(test, anna)
            try await send(test)
            #expect(pushes.desk.calls.count == 1)
            #expect(try await test.send(.delete, "/push-subscription", token: bruno.token).status == 204)
            #expect(try await isSubscribed(test, bruno) == false)
            #expect(try await test.send(.delete, "/push-subscription", token: bruno.token).status == 204)
        }
    }

    @Test("An account has ten subscriptions at most: a new one takes the place of the oldest")
    func limit() async throws {
        try await with { test, pushes, anna in
            try await subscribe(pushes.browser("0"), test, as: anna)
            for number in 1...PushSubscriptions.perAccountMax {
                test.clock.advance(by: .seconds(1))
                let session = try LoggedIn(try await test.logIn("anna@example.org"))
                try await subscribe(pushes.browser("\(number)"), test, as: session)
            }
            #expect(try await isSubscribed(test, anna) == false)
            try await notify(test, anna)
            try await send(test)
            #expect(
                Set(pushes.desk.calls.map(\.browser)) == Set((1...PushSubscriptions.perAccountMax).map(String.init)))
            #expect(pushes.desk.calls.count == PushSubscriptions.perAccountMax)
        }
    }

    @Test(
        "Subscriptions that nothing can be sent to are refused with the place",
        arguments: [
            ("ftp://push.example.net/1", nil, nil, "/endpoint"),
            ("http://push.example.net/1", nil, nil, "/endpoint"),
            ("https://push.example.net/" + String(repeating: "a", count: 1000), nil, nil, "/endpoint"),
            (nil, String(repeating: "A", count: 87), nil, "/keys/p256dh"), (nil, "BCVx", nil, "/keys/p256dh"),
            (nil, nil, "AAAA", "/keys/auth"), (nil, nil, "?", "/keys/auth"),
        ] as [(String?, String?, String?, String)])
    func forms(_ endpoint: String?, _ key: String?, _ auth: String?, _ pointer: String) async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let known = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
            let answer = try await test.send(
                .put, "/push-subscription", token: anna.token,
                """
                {"endpoint":"\(endpoint ?? "https://push.example.net/1")",
                 "keys":{"p256dh":"\(key ?? known)","auth":"\(auth ?? "BTBZMqHH6r4Tts7J_aSIgg")"}}
                """)
            #expect(answer.status == 422 && answer.json["errors"]?.items.first?["pointer"]?.text == pointer)
        }
    }

    @Test("A deployment without a key says that it pushes nothing")
    func withoutKey() async throws {
        try await AccountsTest.with(push: nil) { test in
            let anna = try await test.individual()
            let state = try await test.send(.get, "/push-subscription", token: anna.token)
            #expect(state.status == 200 && state.json["public_key"] == nil)
            let browser = PushSubscriber(endpoint: "https://push.example.net/1")
            let answer = try await test.send(.put, "/push-subscription", token: anna.token, browser.form)
            #expect(answer.status == 409 && answer.code == "no-push")
        }
    }

    @Test("NFR-02d: Push messages go out by themselves soon after they were put into the outbox")
    func task() async throws {
        try await with { test, pushes, anna in
            test.service.start()
            try await subscribe(pushes.browser("anna"), test, as: anna)
            let before = pushes.desk.arrived.value
            try await alarm(test, anna)
            #expect(await pushes.desk.arrived.wait(after: before, deadline: .after(.patience)) > before)
        }
    }

    @Test("NFR-02d: A push service that does not answer holds up nobody else's messages")
    func slow() async throws {
        try await with { test, pushes, anna in
            test.service.start()
            try await subscribe(pushes.browser("slow"), test, as: anna)
            let bruno = try await test.individual(TestPerson(number: 1))
            try await subscribe(pushes.browser("bruno"), test, as: bruno)
            for (count, person) in [anna, bruno].enumerated() {
                try await alarm(test, person)
                #expect(await pushes.desk.arrived.wait(after: UInt64(count), deadline: .after(.patience)) > count)
            }
            #expect(pushes.desk.calls.map(\.browser) == ["slow", "bruno"])
            pushes.desk.released.raise()
        }
    }
}
