import Security
import ServiceTesting
import Contracts
import Domain
import JSON
import Primitives
import Reactor
import Testing

@testable import HTTP
@testable import Query

@Suite struct DeliveryTests {
    @Test(
        "REQ-05 REQ-08: nothing is shared before the acceptance, and nobody else's request is seen",
        arguments: ["data", "stream"])
    func before(way: String) async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.ask()
            #expect(try await world.asCompany(.get, "/requests/\(id)/\(way)").code == "consent-pending")
            let stranger = world.neighbours.addCompany("Other")
            #expect(try await world.asCompany(.get, "/requests/\(id)/\(way)", company: stranger).status == 404)
            _ = try await world.asPerson(.post, "/me/requests/\(id)/refusal")
            #expect(try await world.asCompany(.get, "/requests/\(id)/\(way)").code == "consent-refused")
            #expect(try await world.asPerson(.get, "/me/access-log")["accesses"]?.items.isEmpty == true)
        }
    }

    @Test("REQ-08 REQ-11 SUB-02: past data by pages, then what comes; each delivery is in the person's log")
    func pages() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61, 62]), of: world.person)
            world.neighbours.arrive(World.heartRates([63], at: World.start + .seconds(60)), of: world.person)
            let id = try await world.askAndAccept()
            let first = try await world.asCompany(.get, "/requests/\(id)/data")
            #expect(first["has_more"]?.bool == true)
            #expect(first["series"]?.items.first?["values"]?.items.map(\.double) == [61, 62])
            let next = try #require(first["next"]?.text)
            world.clock.advance(by: .seconds(1))
            let second = try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(next)")
            #expect(second["has_more"]?.bool == false)
            #expect(second["series"]?.items.first?["values"]?.items.map(\.double) == [63])
            let last = try #require(second["next"]?.text)
            world.clock.advance(by: .seconds(1))
            #expect(
                try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(last)")["series"]?.items.isEmpty == true)
            let seen = world.neighbours.reads.value
            async let waiting = world.asCompany(.get, "/requests/\(id)/data?cursor=\(last)&wait_ms=20000")
            try #require(await world.neighbours.reached(reads: seen + 1))
            world.neighbours.arrive(World.heartRates([64]), of: world.person)
            #expect(try await waiting["series"]?.items.first?["values"]?.items.map(\.double) == [64])
            let log = try await world.asPerson(.get, "/me/access-log")["accesses"]?.items ?? []
            #expect(log.map { $0["samples"]?.integer } == [1, 1, 2])
            #expect(log.allSatisfy { $0["requester_name"]?.text == "Acme S.p.A." && $0["way"]?.text == "page" })
            #expect(try await world.asPerson(.get, "/me/requests")["requests"]?.items.first?["last_read_at"] != nil)
            #expect(try await world.asCompany(.get, "/requests/\(id)/data?cursor=x").status == 400)
        }
    }

    @Test("REQ-05 SUB-01: types that were not accepted never leave, even if ingestion gave them")
    func part() async throws {
        try await World.with { world in
            let id = try await world.ask()
            _ = try await world.asPerson(.post, "/me/requests/\(id)/acceptance", "{\"data_types\": [\"position\"]}")
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let answer = try await world.asCompany(.get, "/requests/\(id)/data")
            #expect(answer["series"]?.items.isEmpty == true)
        }
    }

    @Test("REQ-12: everything as CSV, one line per sample")
    func csv() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61, 62.5]), of: world.person)
            world.neighbours.arrive(
                SampleSeries(
                    type: .position, start: World.start, offsets: [500], latitudes: [45.4642], longitudes: [9.19],
                    altitudes: [nil], accuracies: [8]), of: world.person)
            let id = try await world.askAndAccept()
            let token = try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"])
            let response = try await world.service.call(
                .get, "/query/v1/requests/\(id)/data", token: token, fields: ["Accept": "text/csv"])
            #expect(response.contentType == .csv)
            let text = String(decoding: try await response.collectedBody(), as: UTF8.self)
            #expect(
                text == """
                    type,time,value,unit,latitude,longitude,altitude,accuracy\r
                    heart-rate,2026-07-01T12:00:00Z,61,/min,,,,\r
                    heart-rate,2026-07-01T12:00:01Z,62.5,/min,,,,\r
                    position,2026-07-01T12:00:00.500Z,,,45.4642,9.19,,8\r

                    """)
            let log = try await world.asPerson(.get, "/me/access-log")["accesses"]?.items ?? []
            #expect(log.map { $0["samples"]?.integer } == [3])
            #expect(log.first?["way"]?.text == "download")
            #expect(log.first?["data_types"]?.items.map(\.text) == ["position", "heart-rate"])
        }
    }

    @Test("REQ-10: after the withdrawal no way gives anything, and a waiting one is told at once", arguments: [1, 2])
    func withdrawal(round: Int) async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            let seen = world.neighbours.reads.value
            async let waiting = world.asCompany(.get, "/requests/\(id)/data?wait_ms=25000")
            try #require(await world.neighbours.reached(reads: seen + 1))
            let begun = ContinuousClock.now
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            #expect(try await waiting.code == "consent-withdrawn")
            #expect(ContinuousClock.now - begun < .seconds(3))
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            for path in ["data", "data?wait_ms=100", "stream"] {
                let answer = try await world.asCompany(.get, "/requests/\(id)/\(path)")
                #expect(answer.status == 403)
                #expect(answer.code == "consent-withdrawn")
            }
            #expect(try await world.asPerson(.get, "/me/access-log")["accesses"]?.items.isEmpty == true)
        }
    }

    /// What a producer wrote, and whether it broke off.
    private func run(_ response: HTTPResponse) async -> (text: String, hasFailed: Bool) {
        guard case .stream(_, let producer) = response.body else { return ("", true) }
        let writer = HTTPBodyWriter(count: nil)
        do {
            try await producer(writer)
            return (String(decoding: writer.collected, as: UTF8.self), false)
        } catch {
            return (String(decoding: writer.collected, as: UTF8.self), true)
        }
    }

    @Test("REQ-10 SUB-02: a stream gives what comes, with cursors, and breaks off at the withdrawal")
    func stream() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            let token = try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"])
            let response = try await world.service.call(.get, "/query/v1/requests/\(id)/stream", token: token)
            #expect(response.contentType == .eventStream)
            let seen = world.neighbours.reads.value
            async let outcome = run(response)
            // The second read follows the first event.
            try #require(await world.neighbours.reached(reads: seen + 2))
            _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            world.neighbours.arrive(World.heartRates([99]), of: world.person)
            let (text, hasFailed) = await outcome
            #expect(hasFailed)
            #expect(text.contains("event: samples\nid: 1\ndata: {\"series\":["))
            #expect(text.contains("61"))
            #expect(!text.contains("99"))
            let log = try await world.asPerson(.get, "/me/access-log")["accesses"]?.items ?? []
            #expect(log.map { $0["way"]?.text } == ["stream"])
        }
    }

    @Test("REQ-10: a download breaks off when consent is withdrawn between two writes")
    func downloadBreaksOff() async throws {
        try await World.with { world in
            for value in 0..<3 { world.neighbours.arrive(World.heartRates([Double(60 + value)]), of: world.person) }
            let id = try await world.askAndAccept()
            let token = try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"])
            let response = try await world.service.call(
                .get, "/query/v1/requests/\(id)/data", token: token, fields: ["Accept": "text/csv"])
            _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            let (text, hasFailed) = await run(response)
            #expect(hasFailed)
            #expect(!text.contains("heart-rate"))
        }
    }
}
