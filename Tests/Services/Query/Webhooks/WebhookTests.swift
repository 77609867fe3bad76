import Contracts
import Domain
import HTTP
import JSON
import OpenAPITesting
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// Webhooks as third parties have them.
@Suite struct WebhookTests {
    private func with(_ body: @escaping @Sendable (World, FakeReceiver) async throws -> Void) async throws {
        try await World.with(settings: FakeReceiver.settings) { world in
            try await FakeReceiver.with(on: world.service.loops) { receiver in try await body(world, receiver) }
        }
    }

    @Test(
        "REQ-07a SUB-02c: outcomes and data reach a webhook, signed, each once, in the order of each person, as documented"
    )
    func full() async throws {
        try await with { world, receiver in
            let webhook = try await world.addWebhook(at: receiver)
            let other = world.addPerson(1)
            try await Replica.with(world) { _ in
                world.arrive(61, 62)
                let first = try await world.askAndAccept()
                let second = try await world.ask(named: other.email)
                _ = try await world.asPerson(.post, "/me/requests/\(second)/refusal", person: other.id)
                #expect(await receiver.reached(received: 4))
                let summaries = receiver.received.map(\.summary)
                #expect(
                    summaries.filter { $0.contains("\(first)") } == [
                        "request.accepted \(first)", "data.samples \(first) 61", "data.samples \(first) 62",
                    ])
                #expect(summaries.contains("request.refused \(second)"))
                let document = try APIDocument.of(QueryService.openAPI)
                for call in receiver.received {
                    #expect(call.isSigned(with: webhook.secret, at: world.clock.now()))
                    #expect(call.id == call.event?.id && call.type == call.event?.type)
                    #expect(document.faults(ofMessage: call.body, to: "event") == [])
                }
                let row: SQL = "select count(*) from access where way = 'webhook'"
                #expect(try await world.reached(1, row))
                #expect(receiver.calls.count == 4)
            }
        }
    }

    @Test("SUB-02c: a thin webhook gets a link in place of the series, and one with kinds only those")
    func thin() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver, #", "payload": "thin", "events": ["data.samples"]"#)
            try await Replica.with(world) { _ in
                world.arrive(61)
                let id = try await world.askAndAccept()
                #expect(await receiver.reached(received: 1))
                let call = try #require(receiver.received.first)
                #expect(call.summary == "data.samples \(id)" && call.json["data"]?["series"] == nil)
                #expect(
                    call.json["data"]?["link"]?.text == "http://127.0.0.1:8100/query/v1/events/\(call.id)")
                _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
                #expect(try await world.reached(1, "select count(*) from webhook where position = 3"))
                #expect(receiver.calls.count == 1)
            }
        }
    }

    @Test("SUB-02c: a new secret signs at once, the one before beside it for a day, and neither is shown again")
    func rotation() async throws {
        try await with { world, receiver in
            let webhook = try await world.addWebhook(at: receiver)
            let answer = try await world.asCompany(.post, "/webhooks/\(webhook.id)/secret")
            let secret = try #require(answer["secret"]?.text)
            #expect(secret != webhook.secret)
            let end = (world.clock.now() + .seconds(86_400)).description
            #expect(answer["previous_secret_until"]?.text == end)
            func shown() async throws -> World.Answer { try await world.asCompany(.get, "/webhooks/\(webhook.id)") }
            #expect(try await shown()["previous_secret_until"]?.text == end)
            func test() async throws -> FakeReceiver.Call {
                let result = try await world.asCompany(.post, "/webhooks/\(webhook.id)/test")
                #expect(result["is_delivered"]?.flag == true && result["status"]?.integer == 204, "\(result.text)")
                return try #require(receiver.calls.last)
            }
            let both = try await test()
            #expect(both.signature.split(separator: " ").count == 2 && both.type == "webhook.test")
            for secret in [secret, webhook.secret] { #expect(both.isSigned(with: secret, at: world.clock.now())) }
            world.clock.advance(by: .seconds(86_400))
            #expect(try await shown()["previous_secret_until"] == nil)
            let one = try await test()
            #expect(one.isSigned(with: secret, at: world.clock.now()))
            #expect(!one.isSigned(with: webhook.secret, at: world.clock.now()))
            for path in ["/webhooks", "/webhooks/\(webhook.id)"] {
                let shown = try await world.asCompany(.get, path).text
                #expect(!shown.contains("whsec_") && shown.contains("127.0.0.1"))
            }
            let attempts = try await world.asCompany(.get, "/webhooks/\(webhook.id)/attempts")["attempts"]?.items
            #expect(attempts?.map { $0["type"]?.text } == ["webhook.test", "webhook.test"])
        }
    }

    @Test(
        "SUB-02c NFR-04 NFR-05d: adding a webhook and replacing its secret take effect once under a key, however often they are sent"
    )
    func again() async throws {
        try await with { world, receiver in
            let body = #"{"url": "http://127.0.0.1:\#(receiver.port)/hook"}"#
            let first = try await world.asCompany(.post, "/webhooks", body, key: "one")
            #expect(first.status == 201 && first.fields["Idempotency-Replayed"] == nil)
            let again = try await world.asCompany(.post, "/webhooks", body, key: "one")
            #expect(again.status == 201 && again.body == first.body)
            #expect(
                again.fields["Idempotency-Replayed"] == "true" && again.fields["Location"] == first.fields["Location"])
            #expect(again.fields["Cache-Control"] == first.fields["Cache-Control"])
            #expect(try await world.count("webhook") == 1)
            let other = #"{"url": "http://127.0.0.1:\#(receiver.port)/other"}"#
            let reused = try await world.asCompany(.post, "/webhooks", other, key: "one")
            #expect(reused.status == 422 && reused.code == "idempotency-key-reused")
            // What is refused is not kept.
            #expect(try await world.asCompany(.post, "/webhooks", "{}", key: "two").status == 422)
            #expect(try await world.asCompany(.post, "/webhooks", other, key: "two").status == 201)

            let (id, before) = (try #require(first["id"]?.text), try #require(first["secret"]?.text))
            let rotated = try await world.asCompany(.post, "/webhooks/\(id)/secret", "", key: "three")
            let repeated = try await world.asCompany(.post, "/webhooks/\(id)/secret", "", key: "three")
            let secret = try #require(rotated["secret"]?.text)
            #expect(rotated.status == 200 && repeated.body == rotated.body && secret != before)
            #expect(try await world.asCompany(.post, "/webhooks/\(id)/test")["is_delivered"]?.flag == true)
            let call = try #require(receiver.calls.last)
            // The receiver that has the one before does not lose a call.
            for one in [secret, before] { #expect(call.isSigned(with: one, at: world.clock.now())) }
            let kept = try await world.service.database.queryOne(
                "select string_agg(encode(answer, 'escape'), ' ') from idempotency", as: String.self)
            #expect(try !#require(kept).contains("whsec_"))
        }
    }

    @Test("SUB-02c NFR-05d: addresses and secrets are sealed, and open with another key after a rotation")
    func keys() async throws {
        let replacement = try KeyReplacement()
        try await World.with(keys: replacement.keys) { world in
            let added = try await world.asCompany(.post, "/webhooks", #"{"url": "https://hooks.example.org/secret"}"#)
            let id = try #require(added["id"]?.text)
            let database = world.service.database
            let sealed: Set<String> = ["webhook.content", "webhook.secrets"]
            #expect(Set(try await replacement.columns(sealedWith: .old, in: [database])).isSuperset(of: sealed))
            try replacement.begin()
            try await replacement.rotate(try await QueryService.sealedColumns(world.service.context))
            #expect(try await replacement.columns(sealedWith: .old, in: [database]) == [])
            try replacement.end()
            let shown = try await world.asCompany(.get, "/webhooks/\(id)")
            #expect(shown["url"]?.text == "https://hooks.example.org/secret")
        }
    }

    @Test("SUB-02c NFR-05: only https addresses that can be public are taken, ten webhooks of each third party")
    func limits() async throws {
        try await World.with { world in
            for url in [
                "http://hooks.example.org/", "https://127.0.0.1/", "https://localhost/", "https://10.1.2.3/",
                "https://[::1]/",
                "https://169.254.169.254/", "https://user:word@hooks.example.org/", "ftp://hooks.example.org/",
                "https:/",
                "https://[::ffff:127.0.0.1]/",
            ] {
                let answer = try await world.asCompany(.post, "/webhooks", #"{"url": "\#(url)"}"#)
                #expect(answer.status == 422, "\(url)")
            }
            var ids: [String] = []
            for number in 1...10 {
                let answer = try await world.asCompany(
                    .post, "/webhooks", #"{"url": "https://hooks.example.org/\#(number)"}"#)
                #expect(answer.status == 201)
                ids.append(try #require(answer["id"]?.text))
            }
            let more = #"{"url": "https://hooks.example.org/"}"#
            let refused = try await world.asCompany(.post, "/webhooks", more)
            #expect(refused.status == 409 && refused.code == "too-many-webhooks")
            let other = world.neighbours.addCompany("Other")
            #expect(try await world.asCompany(.post, "/webhooks", more, company: other).status == 201)
            #expect(try await world.asCompany(.get, "/webhooks")["webhooks"]?.items.count == 10)
            #expect(try await world.asCompany(.delete, "/webhooks/\(ids[0])").status == 204)
            #expect(try await world.asCompany(.get, "/webhooks/\(ids[0])").status == 404)
            #expect(try await world.asCompany(.post, "/webhooks", more).status == 201)
            let internalAddress = #"{"url": "https://192.168.1.1/"}"#
            #expect(try await world.asCompany(.patch, "/webhooks/\(ids[1])", internalAddress).status == 422)
        }
    }

    @Test("SUB-02c NFR-05: programs can look, test and send again; where data goes is decided by log-in alone")
    func programs() async throws {
        try await with { world, receiver in
            let webhook = try await world.addWebhook(at: receiver)
            let token = try world.service.tokens.token(
                .thirdParty, account: world.company, scopes: ["requests"], client: "program")
            func call(_ method: HTTPMethod, _ path: String, _ body: String = "") async throws -> Int {
                try await world.call(method, "/webhooks\(path)", body, token: token).status
            }
            let one = "/\(webhook.id)"
            #expect(try await call(.get, "") == 200)
            #expect(try await call(.get, one) == 200)
            #expect(try await call(.get, "\(one)/attempts") == 200)
            #expect(try await call(.post, "\(one)/test") == 200)
            #expect(try await call(.post, "\(one)/replay", #"{"since": "2025-01-01T00:00:00Z"}"#) == 202)
            #expect(try await call(.post, "", #"{"url": "https://hooks.example.org/"}"#) == 403)
            #expect(try await call(.patch, one, #"{"state": "paused"}"#) == 403)
            #expect(try await call(.post, "\(one)/secret") == 403)
            #expect(try await call(.delete, one) == 403)
        }
    }

    @Test("SUB-02c: what happens while a webhook is paused is sent afterwards, also to another address")
    func paused() async throws {
        try await with { world, receiver in
            let webhook = try await world.addWebhook(at: receiver)
            _ = try await world.asCompany(.patch, "/webhooks/\(webhook.id)", #"{"state": "paused"}"#)
            try await Replica.with(world) { _ in
                let id = try await world.askAndAccept()
                try await FakeReceiver.with(on: world.service.loops) { next in
                    let changed = try await world.asCompany(
                        .patch, "/webhooks/\(webhook.id)",
                        #"{"state": "active", "url": "http://127.0.0.1:\#(next.port)/hook", "description": "Next"}"#)
                    #expect(changed["state"]?.text == "active" && changed["description"]?.text == "Next")
                    #expect(await next.reached(received: 1))
                    #expect(next.received.map(\.summary) == ["request.accepted \(id)"])
                    #expect(receiver.calls.isEmpty)
                }
            }
        }
    }

    @Test("SUB-02c: events are sent again by hand, all from one on in order or one at once, under the same ids")
    func replay() async throws {
        try await with { world, receiver in
            let webhook = try await world.addWebhook(at: receiver)
            try await Replica.with(world) { _ in
                world.arrive(61, 62)
                let id = try await world.askAndAccept()
                #expect(await receiver.reached(received: 3))
                #expect(try await world.reached(1, "select count(*) from webhook where position = 3"))
                let first = receiver.received.map(\.id)
                let path = "/webhooks/\(webhook.id)/replay"
                let again = try await world.asCompany(.post, path, #"{"from_event_id": "\#(first[1])"}"#)
                #expect(again.status == 202)
                #expect(await receiver.reached(received: 5))
                #expect(receiver.received.map(\.id) == first + first[1...])
                let one = try await world.asCompany(.post, path, #"{"event_id": "\#(first[2])"}"#)
                #expect(one.status == 200 && one["is_delivered"]?.flag == true)
                #expect(receiver.received.last?.id == first[2])
                let since = try await world.asCompany(.post, path, #"{"since": "2025-01-01T00:00:00Z"}"#)
                #expect(since.status == 202)
                #expect(await receiver.reached(received: 9))
                #expect(receiver.received.suffix(3).map(\.id) == first)
                // Consent is checked as ever.
                _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
                #expect(await receiver.reached(received: 10))
                #expect(try await world.asCompany(.post, path, #"{"event_id": "\#(first[2])"}"#).status == 404)
                #expect(try await world.asCompany(.post, path, #"{"event_id": "\#(UUID.random())"}"#).status == 404)
                #expect(
                    try await world.asCompany(.post, path, #"{"from_event_id": "\#(UUID.random())"}"#).status == 404)
                #expect(try await world.asCompany(.post, path, "{}").status == 422)
                _ = try await world.asCompany(.post, path, #"{"since": "2025-01-01T00:00:00Z"}"#)
                #expect(await receiver.reached(received: 12))
                #expect(receiver.received.suffix(2).map(\.type) == ["request.accepted", "request.withdrawn"])
            }
        }
    }

    @Test("SUB-02c: the log of attempts has the latest first, by pages, with what went wrong and what comes next")
    func attempts() async throws {
        try await with { world, receiver in
            let webhook = try await world.addWebhook(at: receiver)
            receiver.behave { _ in receiver.calls.count < 3 ? HTTPResponse(.internalServerError) : .noContent }
            try await Replica.with(world) { _ in
                let id = try await world.askAndAccept()
                #expect(await receiver.reached(received: 1))
                #expect(try await world.reached(3, "select count(*) from webhook_attempt"))
                let path = "/webhooks/\(webhook.id)/attempts"
                let all = try #require(try await world.asCompany(.get, path)["attempts"]?.items)
                let attempt = try #require(all.first { $0["attempt"]?.integer == 1 })
                #expect(attempt["status"]?.integer == 500 && attempt["is_delivered"]?.flag == false)
                #expect(attempt["next_at"] != nil && attempt["error"]?.text?.contains("500") == true)
                #expect(attempt["request_id"]?.text == id.description)
                #expect(Set(all.compactMap { $0["attempt"]?.integer }) == [1, 2, 3])
                let page = try await world.asCompany(.get, "\(path)?limit=2")
                let cursor = try #require(page["next"]?.text)
                let rest = try await world.asCompany(.get, "\(path)?cursor=\(cursor)")
                #expect(page["attempts"]?.items.count == 2 && rest["attempts"]?.items.count == 1)
                let shown = try await world.asCompany(.get, "/webhooks/\(webhook.id)")
                #expect(shown["held_people"]?.integer == 0 && shown["failing_since"] == nil)
            }
        }
    }
}
