import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// All of a third party's events as one file.
@Suite struct EventFileTests {
    private struct File {
        var events: [ReceivedEvent] = []
        var places: [JSONValue] = []
        var next: String? { places.last?["next"]?.text }
    }

    private func file(_ answer: World.Answer) throws -> File {
        #expect(answer.status == 200 && answer.fields["Content-Disposition"]?.contains("trackme-events.ndjson") == true)
        var file = File()
        for line in answer.body.split(separator: UInt8(ascii: "\n")) {
            let value = try JSONDecoder().decode(JSONValue.self, from: Array(line))
            if value["next"] == nil { file.events.append(try ReceivedEvent(value)) } else { file.places.append(value) }
        }
        return file
    }

    private func fetch(_ world: World, after cursor: String = "0") async throws -> File {
        try file(try await world.asCompany(.get, "/events?format=ndjson&cursor=\(cursor)"))
    }

    @Test("REQ-12 SUB-02a: The events of all requests are one file, which is gone on with where it ended")
    func whole() async throws {
        try await World.with { world in
            let other = world.addPerson(1)
            for value in 61...63 { world.neighbours.arrive(World.heartRates([Double(value)]), of: world.person) }
            world.neighbours.arrive(World.heartRates([71]), of: other.id)
            let first = try await world.askAndAccept()
            let second = try await world.ask(named: other.email)
            _ = try await world.asPerson(.post, "/me/requests/\(second)/acceptance", person: other.id)
            let whole = try await fetch(world)
            #expect(
                Set(whole.events.map(\.summary)) == [
                    "request.accepted \(first)", "data.samples \(first) 61", "data.samples \(first) 62",
                    "data.samples \(first) 63", "request.accepted \(second)", "data.samples \(second) 71",
                ])
            #expect(whole.places.last?["has_more"]?.flag == false && whole.places.last?["is_delayed"] == nil)
            #expect(whole.events.map(\.id) == (try await world.events(after: "0", until: 6)).events.map(\.id))
            world.neighbours.arrive(World.heartRates([64], at: World.start + .seconds(60)), of: world.person)
            let later = try await fetch(world, after: try #require(whole.next))
            #expect(later.events.map(\.summary) == ["data.samples \(first) 64"])
            let nothing = try await fetch(world, after: try #require(later.next))
            #expect(nothing.events.isEmpty && nothing.places.count == 1)
            // Whoever fetches is in the person's log, once for each file.
            let log = try await world.deliveryLog()
            let downloads = log.filter { $0["way"]?.text == "download" }.map { $0["samples"]?.integer ?? 0 }
            #expect(downloads.sorted() == [1, 3])
        }
    }

    @Test("SUB-02a: Accept chooses between page and file; a file has neither a limit nor a wait")
    func forms() async throws {
        try await World.with { world in
            _ = try await world.askAndAccept()
            let token = try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"])
            func answer(_ accept: String) async throws -> World.Answer {
                try await world.call(.get, "/events", "", token: token, fields: ["Accept": accept])
            }
            #expect(try file(try await answer("application/x-ndjson")).events.count == 1)
            #expect(try await answer("*/*")["events"]?.items.count == 1)
            #expect(try await answer("text/csv").status == 406)
            for query in ["format=csv", "format=ndjson&limit=5", "format=ndjson&wait_ms=5", "format=ndjson&cursor=x"] {
                #expect(try await world.asCompany(.get, "/events?\(query)").status == 422, "\(query)")
            }
        }
    }

    @Test("REQ-10b ACC-15b: Data of an ended consent is not in a file, nobody gets another one's, no token gets none")
    func closed() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            #expect(try await fetch(world).events.count == 2)
            let stranger = world.neighbours.addCompany("Other")
            let foreign = try file(try await world.asCompany(.get, "/events?format=ndjson", company: stranger))
            #expect(foreign.events.isEmpty && foreign.places.count == 1)
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            let after = try await fetch(world)
            #expect(after.events.map(\.type) == ["request.accepted", "request.withdrawn"])
            #expect(after.places.last?["has_more"]?.flag == false)
            #expect(try await world.call(.get, "/events?format=ndjson", "", token: nil).status == 401)
        }
    }

    @Test("SUB-02ae NFR-03b: A reading that somebody else has moved meanwhile ends no file before its rest is read")
    func moved() async throws {
        try await World.with { world in
            let id = try await world.acceptedWithoutData()
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            world.neighbours.arrive(World.heartRates([62], at: World.start + .seconds(60)), of: world.person)
            world.neighbours.hold(read: 2)
            async let answer = world.asCompany(.get, "/requests/\(id)/data?format=ndjson")
            try #require(await world.neighbours.reached(reads: 2))
            // As another replica has read the first of them.
            try await world.store(1, of: id)
            try await world.service.database.execute(
                "update reading set position = \(Ingestion.ReadCursor(after: 1).bytes) where request_id = \(id)")
            world.neighbours.releaseReads()
            let lines = try await answer.text.split(separator: "\n")
            #expect(lines.count == 2 && lines.last?.contains("62") == true)
        }
    }
}
