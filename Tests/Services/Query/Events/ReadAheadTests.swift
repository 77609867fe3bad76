import Domain
import HTTP
import JSON
import Primitives
import Reactor
import Service
import ServiceTesting
import Testing

@testable import Query

/// The first events of a request, which are made before anybody asks for them.
@Suite struct ReadAheadTests {
    private func arrive(_ count: Int, _ world: World) {
        for value in 0..<count {
            let series = World.heartRates([Double(60 + value)], at: World.start + .seconds(60 * Int64(value)))
            world.neighbours.arrive(series, of: world.person)
        }
    }

    @Test("REQ-08a: The first data of an accepted request is in the log although nobody listens, and comes once")
    func accepted() async throws {
        try await World.with { world in
            arrive(3, world)
            let id = try await world.askAndAccept()
            #expect(try await world.reached(events: 3, of: id))
            let all = try await world.events(after: "0", until: 4).events
            #expect(
                all.map(\.summary)
                    == ["request.accepted \(id)"] + (60..<63).map { "data.samples \(id) \($0)" })
        }
    }

    @Test("REQ-08a SUB-02a: A page with more behind it asks ingestion nothing; the last one has what came since")
    func pages() async throws {
        try await World.with { world in
            arrive(3, world)
            let id = try await world.askAndAccept()
            try #require(try await world.reached(events: 3, of: id))
            let reads = world.neighbours.reads.value
            let first = try await world.asCompany(.get, "/requests/\(id)/data?limit=2")
            #expect(first["series"]?.items.count == 2 && first["has_more"]?.flag == true)
            #expect(world.neighbours.reads.value == reads)
            let late = World.heartRates([70], at: World.start + .seconds(600))
            world.neighbours.arrive(late, of: world.person)
            let cursor = try #require(first["next"]?.text)
            var (values, next, hasMore): ([Double?], String, Bool?) = ([], cursor, nil)
            while hasMore != false {
                let page = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=1000&cursor=\(next)")
                values += (page["series"]?.items ?? []).map { $0["values"]?.items.first?.double }
                next = try #require(page["next"]?.text)
                hasMore = page["has_more"]?.flag
            }
            #expect(values == [62, 70])
        }
    }

    @Test("REQ-10b: Of a consent that ends while it is read ahead nothing becomes an event")
    func withdrawn() async throws {
        try await World.with { world in
            arrive(2, world)
            world.neighbours.hold(read: 1)
            let id = try await world.askAndAccept()
            try #require(await world.neighbours.reached(reads: 1))
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            world.neighbours.releaseReads()
            let other = try await world.askAndAccept()
            #expect(try await world.reached(events: 2, of: other))
            #expect(try await world.reached(events: 0, of: id))
        }
    }

    @Test("REQ-08a: What cannot be read ahead is read when it is asked for")
    func failing() async throws {
        try await World.with { world in
            arrive(2, world)
            world.neighbours.failReads(of: world.person)
            let id = try await world.askAndAccept()
            try #require(await world.neighbours.reached(reads: 1))
            world.neighbours.failReads(of: world.person, false)
            #expect(try await world.events(after: "0", until: 3).events.map(\.request) == [id, id, id])
        }
    }

    @Test("PAY-01b: What is due is not read ahead; what is paid is")
    func unpaid() async throws {
        try await World.withPayments { world, broker in
            arrive(2, world)
            let id = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices("?state=due").first)
            #expect(world.neighbours.reads.value == 0)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            #expect(try await world.reached(events: 2, of: id))
        }
    }
}
