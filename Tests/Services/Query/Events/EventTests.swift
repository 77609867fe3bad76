import Contracts
import Domain
import HTTP
import JSON
import OpenAPITesting
import Postgres
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// A third party's events by one cursor: pages and the stream.
@Suite struct EventTests {
    @Test("REQ-07a REQ-08a SUB-02a: Outcomes and data of all requests come in one order, by one cursor, each once")
    func pages() async throws {
        try await World.with { world in
            let other = world.addPerson(1)
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let first = try await world.askAndAccept()
            let second = try await world.ask(named: other.email)
            _ = try await world.asPerson(.post, "/me/requests/\(second)/refusal", person: other.id)
            let third = try await world.ask(named: other.email)
            _ = try await world.asPerson(.post, "/me/requests/\(third)/acceptance", person: other.id)
            world.neighbours.arrive(World.heartRates([71]), of: other.id)
            let found = try await world.events(after: "0", until: 5)
            #expect(
                Set(found.events.map(\.summary)) == [
                    "request.accepted \(first)", "request.refused \(second)", "request.accepted \(third)",
                    "data.samples \(first) 61", "data.samples \(third) 71",
                ])
            // Of each request its acceptance comes before its data.
            for request in [first, third] {
                #expect(
                    found.events.filter { $0.request == request }.map(\.type) == ["request.accepted", "data.samples"])
            }
            #expect(try await world.events(after: found.next, until: 0).events.isEmpty)
            world.neighbours.arrive(World.heartRates([62], at: World.start + .seconds(60)), of: world.person)
            let next = try await world.events(after: found.next, until: 1)
            #expect(next.events.map(\.summary) == ["data.samples \(first) 62"])
            // Whoever asks again gets the same again, and nobody else's cursor holds.
            #expect(try await world.events(after: found.next, until: 1).events.map(\.id) == next.events.map(\.id))
            let stranger = world.neighbours.addCompany("Other")
            #expect(try await world.asCompany(.get, "/events?cursor=\(next.next)", company: stranger).status == 422)
            #expect(try await world.asCompany(.get, "/events", company: stranger)["events"]?.items.isEmpty == true)
        }
    }

    @Test("SUB-02a: A page has as many events as were asked for, and says whether there are more")
    func limits() async throws {
        try await World.with { world in
            for value in 0..<5 { world.neighbours.arrive(World.heartRates([Double(value)]), of: world.person) }
            _ = try await world.askAndAccept()
            _ = try await world.events(after: "0", until: 6)
            var (cursor, counts, last): (String, [Int], Bool?) = ("0", [], nil)
            while last != false {
                let page = try await world.asCompany(.get, "/events?limit=4&cursor=\(cursor)")
                counts.append(page["events"]?.items.count ?? 0)
                cursor = try #require(page["next"]?.text)
                last = page["has_more"]?.flag
            }
            #expect(counts == [4, 2])
            for query in ["limit=0", "limit=1001", "cursor=x", "wait_ms=25001", "limits=1"] {
                #expect(try await world.asCompany(.get, "/events?\(query)").status == 422, "\(query)")
            }
        }
    }

    @Test("SUB-02ab: Who begins from now gets what comes, and nothing of what was before")
    func now() async throws {
        try await World.with { world in
            world.arrive(61)
            let id = try await world.askAndAccept()
            _ = try await world.events(after: "0", until: 2)
            for path in ["/events", "/requests/\(id)/data"] {
                let page = try await world.asCompany(.get, "\(path)?cursor=now")
                #expect(page.status == 200 && page["has_more"]?.flag == false)
                #expect((page["events"] ?? page["series"])?.items.isEmpty == true, "\(path)")
                #expect(page["next"]?.text != "now")
            }
            let start = try #require(try await world.asCompany(.get, "/events?cursor=now")["next"]?.text)
            try await world.streaming("cursor=now") { written in
                try #require(await world.reached(waiting: 1))
                world.arrive(62, at: 60)
                try #require(try await written.reached(1))
                #expect(written.text.contains("\"values\":[62") && !written.text.contains("\"values\":[61"))
                // Whoever comes back before the first event says where the stream began.
                let begun = try #require(
                    written.text.split(separator: "\n").first { $0.hasPrefix("id: ") }?.dropFirst("id: ".count))
                let next = try await world.events(after: String(begun), until: 1)
                #expect(next.events.map(\.summary) == ["data.samples \(id) 62"])
            }
            #expect(try await world.events(after: start, until: 1).events.map(\.summary) == ["data.samples \(id) 62"])
        }
    }

    @Test(
        "REQ-10b REQ-10e REQ-12a: What left only in part is the third party's own to keep, and goes here with the consent"
    )
    func parts() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61, 62]), of: world.person)
            let id = try await world.askAndAccept()
            let part = try await world.asCompany(.get, "/requests/\(id)/data?to=2025-07-01T12:00:01Z")
            #expect(part["series"]?.items.map { $0["values"]?.items.map(\.double) } == [[61]])
            let entry = try #require(try await world.deliveryLog().first)
            #expect(entry["counts"] == ["heart-rate": 1])
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            let results = try await world.asCompany(.get, "/requests/\(id)/results")
            #expect(results["series"]?.items.isEmpty == true && results["has_more"]?.flag == false)
            world.clock.advance(by: .seconds(11))
            try await world.round()
            #expect(try await world.reached(events: 0, of: id))
        }
    }

    @Test("SUB-02e NFR-04: A cursor from before the database was restored is told apart")
    func restored() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            let found = try await world.events(after: "0", until: 1)
            try await world.service.database.execute("delete from event")
            try await world.service.database.execute("update recipient set last_number = 0")
            for path in ["/events", "/events/stream"] {
                let answer = try await world.asCompany(.get, "\(path)?cursor=\(found.next)")
                #expect(answer.status == 410 && answer.code == "cursor-gone")
            }
        }
    }

    @Test("REQ-10be REQ-12ab: What has left stays and can be fetched again; what has not goes with the consent")
    func results() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            let first = try await world.asCompany(.get, "/requests/\(id)/data")
            #expect(first["series"]?.items.count == 1)
            // It becomes an event, and does not leave.
            world.neighbours.arrive(World.heartRates([62], at: World.start + .seconds(60)), of: world.person)
            try #require(await world.reached(events: 2, of: id))
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").code == "consent-withdrawn")
            world.clock.advance(by: .seconds(1))
            let results = try await world.asCompany(.get, "/requests/\(id)/results")
            #expect(results["series"]?.items.map { $0["values"]?.items.map(\.double) } == [[61]])
            #expect(results["has_more"]?.flag == false)
            let csv = try await world.asCompany(.get, "/requests/\(id)/results?format=csv")
            #expect(
                csv.text.split(whereSeparator: \.isNewline).dropFirst() == [
                    "heart-rate,2025-07-01T12:00:00Z,61,/min,,,,,,,"
                ])
            let lines = try await world.asCompany(.get, "/requests/\(id)/results?format=ndjson")
            #expect(lines.text.split(separator: "\n").count == 1)
            let log = try await world.deliveryLog()
            #expect(log.map { $0["way"]?.text } == ["result", "result", "result", "page"])
            let stranger = world.neighbours.addCompany("Other")
            #expect(try await world.asCompany(.get, "/requests/\(id)/results", company: stranger).status == 404)
            world.clock.advance(by: .seconds(11))
            try await world.round()
            #expect(try await world.reached(events: 1, of: id))
            #expect(try await world.events(after: "0", until: 3).events.map(\.type).suffix(1) == ["request.withdrawn"])
        }
    }

    @Test(
        "SUB-01a SUB-02b REQ-10b: A stream brings the events of all requests, and goes on without the one that was withdrawn"
    )
    func stream() async throws {
        try await World.with { world in
            let other = world.addPerson(1)
            let first = try await world.askAndAccept()
            let second = try await world.ask(named: other.email)
            _ = try await world.asPerson(.post, "/me/requests/\(second)/acceptance", person: other.id)
            try await world.streaming { written in
                try #require(try await written.reached(2))
                world.neighbours.arrive(World.heartRates([61]), of: world.person)
                world.neighbours.arrive(World.heartRates([71]), of: other.id)
                try #require(try await written.reached(4))
                _ = try await world.asPerson(.post, "/me/requests/\(first)/withdrawal")
                world.neighbours.arrive(World.heartRates([99]), of: world.person)
                world.neighbours.arrive(World.heartRates([72], at: World.start + .seconds(9)), of: other.id)
                try #require(try await written.reached(6))
                #expect(!written.text.contains("\"values\":[99"))
                let document = try APIDocument.of(QueryService.openAPI)
                #expect(
                    try document.faults(ofEvents: Array(written.text.utf8), of: "GET /query/v1/events/stream") == [])
            }
        }
    }

    @Test("SUB-02b REQ-10b: What may not leave any more holds up nothing that comes after it, however much it is")
    func passedOver() async throws {
        try await World.with { world in
            let other = world.addPerson(1)
            let first = try await world.askAndAccept()
            // More than a stream looks at together.
            try await world.store(3 * EventRoutes.countDefault, of: first)
            #expect(try await world.asPerson(.post, "/me/requests/\(first)/withdrawal").status == 200)
            _ = try await world.askAndAccept(other)
            try await world.streaming { written in
                try #require(try await written.reached(3))
                #expect(!written.text.contains("data.samples"))
            }
            let page = try await world.asCompany(.get, "/events?limit=1")
            let next = try #require(page["next"]?.text)
            #expect(page["events"]?.items.count == 1)
            let rest = try await world.asCompany(.get, "/events?limit=100&cursor=\(next)")
            #expect(rest["events"]?.items.count == 2 && rest["has_more"]?.flag == false)
        }
    }

    @Test("SUB-02a NFR-02: Of whoever does not listen nothing is read, and all of it is there for who comes back")
    func absent() async throws {
        try await World.with { world in
            _ = try await world.acceptedWithoutData()
            for value in 0..<20 {
                world.neighbours.arrive(
                    World.heartRates([Double(value)], at: World.start + .seconds(Int64(value))), of: world.person)
            }
            #expect(world.neighbours.reads.value == 1)
            let found = try await world.events(after: "0", until: 21)
            #expect(found.events.flatMap(\.values) == (0..<20).map(Double.init))
        }
    }

    @Test("REQ-11: The log says of each type how much left, and of which time")
    func counts() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61, 62, 63]), of: world.person)
            world.neighbours.arrive(
                SampleSeries(
                    type: .position, start: World.start + .seconds(60), offsets: [0], latitudes: [45], longitudes: [9]),
                of: world.person)
            let id = try await world.askAndAccept()
            _ = try await world.deliver(id, csv: true).collectedBody()
            let entry = try #require(try await world.deliveryLog().first)
            #expect(entry["counts"] == ["position": 1, "heart-rate": 3])
            #expect(entry["measured_from"]?.text == "2025-07-01T12:00:00Z")
            #expect(entry["measured_to"]?.text == "2025-07-01T12:01:00Z")
        }
    }
}
