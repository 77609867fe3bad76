import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Testing

@testable import Query

/// What cannot be read of one person, and what becomes of that of the others.
@Suite struct ReadingFaultTests {
    private func accepted(of somebody: World.Somebody, _ world: World) async throws -> UUID {
        let id = try await world.ask(named: somebody.email)
        #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance", person: somebody.id).status == 200)
        return id
    }

    private func lines(_ world: World) -> [String] {
        world.service.log.lines.filter { $0.contains("what arrived cannot be read") }
    }

    @Test(
        "SUB-02ae NFR-03b: A reading that always fails ends no pages for ever; it is in the log, and comes when it can be read"
    )
    func failing() async throws {
        try await World.with { world in
            let other = world.addPerson(1)
            world.neighbours.failReads(of: other.id)
            world.arrive(61)
            world.arrive(71, of: other.id)
            let good = try await world.askAndAccept()
            let bad = try await accepted(of: other, world)
            let found = try await world.events(after: "0", until: 3)
            #expect(found.events.filter { $0.type == "data.samples" }.map(\.request) == [good])
            // It fails each second, for whoever listened a moment ago, too.
            let (before, deadline) = (world.neighbours.reads.value, Deadline.after(.patience))
            while world.neighbours.reads.value < before + 20, !deadline.hasPassed { try await world.round() }
            let page = try await world.asCompany(.get, "/events?cursor=\(found.next)")
            #expect(page["events"]?.items.isEmpty == true)
            #expect(page["has_more"]?.flag == false && page["is_delayed"]?.flag == true)
            let data = try await world.asCompany(.get, "/requests/\(bad)/data")
            #expect(data["has_more"]?.flag == false && data["is_delayed"]?.flag == true)
            let file = try await world.asCompany(.get, "/events?format=ndjson&cursor=\(found.next)").text
            #expect(file.contains(#""has_more":false,"is_delayed":true"#))
            let whole = try await world.asCompany(.get, "/requests/\(good)/data")
            #expect(whole["has_more"]?.flag == false && whole["is_delayed"] == nil)
            #expect(lines(world).contains { $0.contains("\(bad)") })
            #expect((1...8).contains(lines(world).count))
            let metrics = String(decoding: await world.service.context.metrics.text(), as: UTF8.self)
            #expect(metrics.contains("\ntrackme_readings_failing 1\n"))

            world.neighbours.failReads(of: other.id, false)
            try await world.round()
            let next = try await world.events(after: found.next, until: 1)
            #expect(next.events.map(\.summary) == ["data.samples \(bad) 71"])
            let last = try await world.asCompany(.get, "/events?cursor=\(next.next)")
            #expect(last["has_more"]?.flag == false && last["is_delayed"] == nil)
        }
    }

    @Test("SUB-02a NFR-03: A reading and an event that cannot be made out are reported, and hold up nobody else")
    func unreadable() async throws {
        try await World.with { world in
            let (other, third) = (world.addPerson(1), world.addPerson(2))
            let broken = try await world.acceptedWithoutData()
            world.arrive(61)
            for (value, somebody) in [(71, other), (81, third)] { world.arrive(value, of: somebody.id) }
            let (good, damaged) = (try await accepted(of: other, world), try await accepted(of: third, world))
            let database = world.service.database
            try await database.execute("update reading set touched = 'x' where request_id = \(broken)")
            let found = try await world.events(after: "0", until: 5)
            #expect(
                Set(found.events.filter { $0.type == "data.samples" }.map(\.summary)) == [
                    "data.samples \(good) 71", "data.samples \(damaged) 81",
                ])
            try await database.execute(
                "update event set content = '\\x00' where request_id = \(damaged) and content is not null")
            let again = try await world.events(after: "0", until: 4)
            #expect(again.events.filter { $0.type == "data.samples" }.map(\.request) == [good])
            for table in ["query.reading", "query.event"] {
                #expect(world.service.log.lines.count { $0.contains("\"\(table)\"") } == 1, "\(table)")
            }
        }
    }
}
