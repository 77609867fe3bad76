import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Query

/// Calls of webhooks that somebody asks for.
@Suite struct HandLimitTests {
    private func with(_ body: @escaping @Sendable (World, FakeReceiver) async throws -> Void) async throws {
        try await World.with(settings: FakeReceiver.settings) { world in
            try await FakeReceiver.with(on: world.service.loops) { receiver in try await body(world, receiver) }
        }
    }

    /// As if the company had asked for so many calls before.
    private func called(_ count: Int, _ ago: Duration, _ world: World) async throws {
        try await world.service.database.execute(
            """
            insert into webhook_by_hand (requester_id, called_at)
            select \(world.company), array_agg(now() - \(ago.microseconds) * interval '1 microsecond')
            from generate_series(1, \(Int64(count)))
            """)
    }

    @Test(
        "SUB-02c: webhooks are called by hand so often in an hour, tests and repeats of all of them together; then 429 says when"
    )
    func limit() async throws {
        try await with { world, receiver in
            let hooks = [try await world.addWebhook(at: receiver).id, try await world.addWebhook(at: receiver).id]
            let rival = world.neighbours.addCompany("Rival")
            let theirs = try await world.addWebhook(at: receiver, company: rival).id
            _ = try await world.askAndAccept()
            let event = try #require(
                try await world.asCompany(.get, "/events")["events"]?.items.first?["id"]?.text)
            try await called(HandLimit.callsMax - 3, .seconds(3000), world)
            // Three of different kinds are left; what is refused for another reason does not count.
            #expect(try await world.asCompany(.post, "/webhooks/\(UUID.random())/test").status == 404)
            #expect(try await world.asCompany(.post, "/webhooks/\(hooks[0])/replay", "{}").status == 422)
            #expect(
                try await world.asCompany(.post, "/webhooks/\(hooks[0])/replay", #"{"event_id": "\#(UUID.random())"}"#)
                    .status == 404)
            let bodies = ["test": "", "replay": #"{"event_id": "\#(event)"}"#]
            for (path, body) in bodies {
                let answer = try await world.asCompany(.post, "/webhooks/\(hooks[0])/\(path)", body)
                #expect(answer.status == 200, "\(answer.text)")
            }
            let since = #"{"since": "2025-01-01T00:00:00Z"}"#
            #expect(try await world.asCompany(.post, "/webhooks/\(hooks[1])/replay", since).status == 202)
            for (path, body) in [("test", ""), ("replay", bodies["replay"] ?? ""), ("replay", since)] {
                let refused = try await world.asCompany(.post, "/webhooks/\(hooks[1])/\(path)", body)
                #expect(refused.status == 429 && refused.code == "too-many-requests", "\(refused.text)")
                let wait = try #require(refused.fields["Retry-After"].flatMap { Int($0) })
                #expect((500...601).contains(wait))
                #expect(refused.fields["RateLimit-Policy"] == "\"webhooks-by-hand\";q=60;w=3600")
            }
            #expect(try await world.count("webhook_attempt") == 2)
            #expect(receiver.calls.count == 2)
            #expect(try await world.asCompany(.post, "/webhooks/\(theirs)/test", company: rival).status == 200)
            // When those of before are an hour old, there is room; and no more is kept than counts.
            try await world.service.database.execute(
                "update webhook_by_hand set called_at = array(select t - interval '10 minutes' from unnest(called_at) t)"
            )
            #expect(try await world.asCompany(.post, "/webhooks/\(hooks[1])/test").status == 200)
            let kept = try await world.service.database.queryOne(
                "select cardinality(called_at) from webhook_by_hand where requester_id = \(world.company)",
                as: Int32.self)
            #expect(kept == 4)
        }
    }

    @Test(
        "SUB-02c: calls that are asked for at the same time do not exceed the limit; times of before the clock was set back do not count"
    )
    func together() async throws {
        try await with { world, receiver in
            let hook = try await world.addWebhook(at: receiver).id
            try await called(HandLimit.callsMax, .zero - .seconds(86_400), world)
            #expect(try await world.asCompany(.post, "/webhooks/\(hook)/test").status == 200)
            try await world.service.database.execute("delete from webhook_by_hand")
            try await called(HandLimit.callsMax - 2, .seconds(1), world)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await world.asCompany(.post, "/webhooks/\(hook)/test").status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 200, 429, 429, 429, 429])
        }
    }

    @Test("SUB-02c ACC-12b: when a company is deleted nothing of it is kept")
    func erased() async throws {
        try await with { world, receiver in
            let hook = try await world.addWebhook(at: receiver).id
            #expect(try await world.asCompany(.post, "/webhooks/\(hook)/test").status == 200)
            #expect(try await world.count("webhook_by_hand") == 1)
            try await ErasureTests.follower(world).erase(
                world.company, .thirdParty, at: world.clock.now(), in: world.service.database)
            #expect(try await world.count("webhook_by_hand") == 0)
        }
    }
}
