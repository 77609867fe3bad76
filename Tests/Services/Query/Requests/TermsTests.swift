import Contracts
import Domain
import HTTP
import JSON
import Primitives
import RPC
import ServiceTesting
import Testing

@testable import Query

/// What a third party asks for, beside of whom.
@Suite struct TermsTests {
    /// A draft with other members in place of the granularity and frequency that it does not have.
    private static func draft(_ terms: String, types: String = "\"heart-rate\", \"steps\"") -> String {
        World.draft.replacing("\"reason\"", with: "\(terms)\"reason\"")
            .replacing("\"heart-rate\", \"position\"", with: types)
    }

    @Test(
        "REQ-01bc SUB-01b: granularity and frequency are kept as they were asked for, and both sides see them, before the consent and after",
        arguments: [
            ("", "raw", "live", nil), ("\"granularity\": \"raw\", \"frequency\": \"live\", ", "raw", "live", nil),
            ("\"granularity\": \"minute\", ", "minute", "live", nil),
            ("\"granularity\": \"hour\", \"frequency\": \"daily\", ", "hour", "daily", nil),
            ("\"granularity\": \"day\", \"frequency\": \"weekly\", ", "day", "weekly", nil),
            ("\"granularity\": \"week\", \"frequency\": \"interval\", \"every_minutes\": 5, ", "week", "interval", 5),
            ("\"frequency\": \"interval\", \"every_minutes\": 1440, ", "raw", "interval", 1440),
        ] as [(String, String, String, Int64?)])
    func kept(terms: String, granularity: String, frequency: String, minutes: Int64?) async throws {
        try await World.with { world in
            try await world.round()
            let id = try await world.ask(Self.draft(terms))
            func check(_ seen: JSONValue?) {
                #expect(seen?["granularity"]?.text == granularity, "\(String(describing: seen))")
                #expect(seen?["frequency"]?.text == frequency)
                #expect(seen?["every_minutes"]?.integer == minutes)
            }
            check(try await world.asCompany(.get, "/requests/\(id)").json)
            check(try await world.asPerson(.get, "/me/requests")["requests"]?.items.first)
            check(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").json)
            check(try await world.asCompany(.get, "/requests")["requests"]?.items.first)
            try #require(await world.neighbours.reached(sent: 2))
            for sent in world.neighbours.sent {
                #expect(sent.values["granularity"] == granularity && sent.values["frequency"] == frequency)
                #expect(sent.values["every_minutes"] == minutes.map { "\($0)" } ?? "")
            }
        }
    }

    @Test("REQ-01c SUB-01b: a request for the past may be aggregated, and has no frequency")
    func past() async throws {
        try await World.with { world in
            func draft(_ terms: String) -> String {
                Self.draft(terms).replacing("2025-09-01", with: "2025-06-20")
                    .replacing("subscription", with: "once")
            }
            for terms in ["\"frequency\": \"live\", ", "\"frequency\": \"daily\", "] {
                let answer = try await world.asCompany(.post, "/requests", draft(terms))
                #expect(answer.status == 422)
                #expect(answer["errors"]?.items.map { $0["pointer"]?.text } == ["/frequency"])
            }
            let id = try await world.ask(draft("\"granularity\": \"day\", "))
            let seen = try await world.asPerson(.get, "/me/requests")["requests"]?.items.first
            #expect(seen?["id"]?.text == id.description && seen?["granularity"]?.text == "day")
            #expect(seen?["frequency"] == nil && seen?["mode"]?.text == "once")
        }
    }

    @Test(
        "REQ-01c SUB-01b: terms that do not go together, and members that are not known, are refused at their place",
        arguments: [
            ("\"granularity\": \"month\", ", "/granularity"), ("\"frequency\": \"hourly\", ", "/frequency"),
            ("\"frequency\": \"interval\", ", "/every_minutes"), ("\"every_minutes\": 30, ", "/every_minutes"),
            ("\"frequency\": \"daily\", \"every_minutes\": 30, ", "/every_minutes"),
            ("\"frequency\": \"interval\", \"every_minutes\": 4, ", "/every_minutes"),
            ("\"frequency\": \"interval\", \"every_minutes\": 1441, ", "/every_minutes"),
            ("\"frequency\": \"interval\", \"every_minutes\": -9223372036854775808, ", "/every_minutes"),
            ("\"frequency\": \"interval\", \"every_minutes\": 30.5, ", "/every_minutes"),
            ("\"frequency\": \"interval\", \"every_minutes\": \"30\", ", "/every_minutes"),
            ("\"frequncy\": \"daily\", ", "/frequncy"), ("\"run_id\": null, ", "/run_id"),
        ])
    func refused(terms: String, pointer: String) async throws {
        try await World.with { world in
            let answer = try await world.asCompany(.post, "/requests", Self.draft(terms))
            #expect(answer.status == 422 && answer.code == "invalid-request", "\(answer.text)")
            #expect(answer["errors"]?.items.map { $0["pointer"]?.text } == [pointer], "\(answer.text)")
            #expect(world.neighbours.finds == 0)
        }
    }

    @Test("REQ-01b SUB-01b: positions are not aggregated", arguments: ["minute", "hour", "day", "week"])
    func positions(granularity: String) async throws {
        try await World.with { world in
            let draft = Self.draft("\"granularity\": \"\(granularity)\", ", types: "\"steps\", \"position\"")
            let answer = try await world.asCompany(.post, "/requests", draft)
            #expect(answer.status == 422)
            #expect(answer["errors"]?.items.map { $0["pointer"]?.text } == ["/data_types"])
            #expect(answer["detail"]?.text?.contains("raw") == true)
        }
    }

    @Test("REQ-01c: a subscription ends within its maximum, which the refusal names", arguments: [366, 10])
    func duration(days: Int) async throws {
        try await World.with(settings: days == 366 ? "" : ", \"subscription_days_max\": \(days)") { world in
            let end = World.start + .seconds(86_400 * Int64(days))
            let draft = World.draft.replacing("2025-09-01T00:00:00Z", with: "\(end + .seconds(1))")
            let answer = try await world.asCompany(.post, "/requests", draft)
            #expect(answer.status == 422)
            #expect(answer["errors"]?.items.map { $0["pointer"]?.text } == ["/to"])
            #expect(answer["detail"]?.text?.contains("\(days) days") == true)
            let longest = World.draft.replacing("2025-09-01T00:00:00Z", with: "\(end)")
            #expect(try await world.asCompany(.post, "/requests", longest).status == 201)
        }
    }

    @Test("REQ-01c RUN-08: the check-in of a run is for each sample, as soon as it is there")
    func checkIn() async throws {
        try await World.with { world in
            _ = try await world.service.rpc(as: "track4run").call(Query.RequestCheckIn.self, world.checkIn())
            let seen = try await world.asPerson(.get, "/me/requests")["requests"]?.items.first
            #expect(seen?["granularity"]?.text == "raw" && seen?["frequency"]?.text == "live")
        }
    }
}
