import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ServiceTesting
import Testing

@testable import Query

/// Subscriptions with a granularity and a frequency.
@Suite struct SumTests {
    private func draft(_ granularity: String, _ frequency: String = "") -> String {
        """
        {"fiscal_code": "\(World.fiscalCode)", "data_types": ["heart-rate", "steps"], "from": "2025-06-01T00:00:00Z",
          "to": "2025-09-01T00:00:00Z", "mode": "subscription", "granularity": "\(granularity)"\(frequency),
          "reason": "Study of the heart"}
        """
    }

    private func accepted(_ draft: String, _ world: World) async throws -> UUID {
        let id = try await world.ask(draft)
        #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").status == 200)
        return id
    }

    /// What sums say, each as `type start value`.
    private func sums(_ page: World.Answer) -> [String] {
        (page["sums"]?.items ?? []).flatMap { sums in
            (sums["buckets"]?.items ?? []).map { bucket in
                let value = (bucket["mean"] ?? bucket["sum"])?.double
                return "\(sums["type"]?.text ?? "") \(bucket["start"]?.text ?? "") \(value ?? -1)"
            }
        }
    }

    @Test("SUB-01b: Past sums come at once, each that goes on after its end, and again when late data changes it")
    func hours() async throws {
        try await World.with { world in
            let hour = World.start - .seconds(7200)
            world.neighbours.arrive(World.heartRates([60, 70], at: hour), of: world.person)
            world.neighbours.arrive(
                SampleSeries(type: .steps, start: hour, offsets: [0, 1000], values: [10, 20]), of: world.person)
            // The hour that goes on.
            world.neighbours.arrive(World.heartRates([80]), of: world.person)
            let id = try await accepted(draft("hour"), world)
            let first = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=5000")
            #expect(
                sums(first).sorted() == ["heart-rate 2025-07-01T10:00:00Z 65.0", "steps 2025-07-01T10:00:00Z 30.0"])
            #expect(first["series"] == nil)
            var cursor = try #require(first["next"]?.text)
            world.clock.advance(by: .seconds(3661))
            try await world.round()
            let second = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=5000&cursor=\(cursor)")
            #expect(sums(second) == ["heart-rate 2025-07-01T12:00:00Z 80.0"])
            cursor = try #require(second["next"]?.text)
            world.neighbours.arrive(World.heartRates([90], at: World.start + .seconds(5)), of: world.person)
            world.clock.advance(by: .seconds(61))
            try await world.round()
            let third = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=5000&cursor=\(cursor)")
            #expect(sums(third) == ["heart-rate 2025-07-01T12:00:00Z 85.0"])
            #expect(third["sums"]?.items.first?["from"]?.text == "2025-07-01T12:00:00Z")
            #expect(third["sums"]?.items.first?["granularity"]?.text == "hour")
            let events = try await world.events(after: "0", until: 4)
            #expect(events.events.map(\.type) == ["request.accepted", "data.sums", "data.sums", "data.sums"])
            let csv = try await world.asCompany(.get, "/requests/\(id)/data?format=csv")
            #expect(csv.text.hasPrefix("type,start,end,count,mean,min,max,sum,unit,state,seconds\r\n"))
            #expect(csv.text.contains("steps,2025-07-01T10:00:00Z,2025-07-01T11:00:00Z,2,,,,30,{steps},,\r\n"))
            for format in ["fhir", "open-mhealth", "ndjson"] {
                let file = try await world.asCompany(.get, "/requests/\(id)/data?format=\(format)")
                #expect(file.status == 200 && file.text.split(separator: "\n").count >= 4, "\(format): \(file.text)")
            }
        }
    }

    @Test("SUB-01b: That a span has no values any more is told, too, when nothing else is")
    func vanished() async throws {
        try await World.with { world in
            let hour = World.start - .seconds(7200)
            world.neighbours.arrive(World.heartRates([60, 70], at: hour), of: world.person)
            let id = try await accepted(draft("hour"), world)
            let first = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=5000")
            #expect(sums(first) == ["heart-rate 2025-07-01T10:00:00Z 65.0"])
            let cursor = try #require(first["next"]?.text)
            // A source that counts in its place, without a value in this hour.
            world.neighbours.removeValues(of: .heartRate)
            world.neighbours.arrive(World.heartRates([90], at: hour + .seconds(5)), of: world.person)
            world.clock.advance(by: .seconds(61))
            try await world.round()
            let second = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=5000&cursor=\(cursor)")
            let told = try #require(second["sums"]?.items.first)
            #expect(told["buckets"]?.items.isEmpty == true && told["type"]?.text == "heart-rate")
            #expect(told["from"]?.text == "2025-07-01T10:00:00Z" && told["to"]?.text == "2025-07-01T11:00:00Z")
            let all = try await world.events(after: "0", until: 3)
            #expect(all.events.map(\.type) == ["request.accepted", "data.sums", "data.sums"])
            // So it is for who reads a part of the time; of another part it says nothing.
            for (span, count) in [
                ("from=2025-07-01T10:30:00Z&to=2025-07-01T12:00:00Z", 1), ("from=2025-07-01T11:00:00Z", 0),
                ("to=2025-07-01T10:00:00Z", 0),
            ] {
                let part = try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(cursor)&\(span)")
                #expect(part["sums"]?.items.count == count, "\(span)")
            }
            for format in ["csv", "fhir", "open-mhealth", "ndjson"] {
                #expect(try await world.asCompany(.get, "/requests/\(id)/data?format=\(format)").status == 200)
            }
        }
    }

    @Test(
        "SUB-01b: Updates at an interval, or once a day or week, hold back what arrives until then, over a restart, too",
        arguments: [
            ("\"interval\", \"every_minutes\": 30", 1800), ("\"daily\"", 86_400), ("\"weekly\"", 7 * 86_400),
        ] as [(String, Int64)])
    func intervals(frequency: String, seconds: Int64) async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await accepted(draft("raw", ", \"frequency\": \(frequency)"), world)
            let first = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=5000")
            #expect(first["series"]?.items.count == 1)
            let cursor = try #require(first["next"]?.text)
            world.neighbours.arrive(World.heartRates([62], at: World.start + .seconds(60)), of: world.person)
            world.clock.advance(by: .seconds(seconds - 1))
            try await world.round()
            let early = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=100&cursor=\(cursor)")
            #expect(early["series"]?.items.isEmpty == true)
            #expect(
                try await world.service.database.queryOne(
                    "select next_at from reading where request_id = \(id)", as: Timestamp?.self)
                    == World.start + .seconds(seconds))
            world.clock.advance(by: .seconds(1))
            try await world.round()
            let late = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=5000&cursor=\(cursor)")
            #expect(late["series"]?.items.first?["values"]?.items.map(\.double) == [62])
        }
    }
}
