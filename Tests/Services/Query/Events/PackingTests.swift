import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Query

/// Old events packed together: whoever reads them finds what was there before.
@Suite struct PackingTests {
    private static let day: Int64 = 86_400
    /// Nine days: those of the first two are whole and a week old.
    private static let later = Duration.seconds(9 * day)

    /// Three requests of one third party whose events go past each other, over a midnight; the third is withdrawn.
    private func interleaved(_ world: World) async throws -> [UUID] {
        let people = [World.Somebody(id: world.person, email: World.email), world.addPerson(1), world.addPerson(2)]
        var requests: [UUID] = []
        for person in people { requests.append(try await world.askAndAccept(person)) }
        for turn in 0..<30 {
            for (index, request) in requests.enumerated() {
                let time = World.start + .seconds(Int64(turn) * 2400 + Int64(index))
                try await world.store(3 - index, of: request, about: people[index].id, at: time, every: .seconds(300))
            }
            if turn == 10 {
                try await world.store(1, of: requests[0], at: World.start + .seconds(24_100), hasLeft: false)
            }
        }
        let answer = try await world.asPerson(.post, "/me/requests/\(requests[2])/withdrawal", person: people[2].id)
        try #require(answer.status == 200)
        return requests
    }

    private func pack(_ world: World) async throws {
        world.clock.advance(by: Self.later)
        try await world.round()
    }

    // MARK: What is read

    /// The cursor before each event, and the one after the last.
    private func cursors(_ world: World) async throws -> [String] {
        var cursors = ["0"]
        while let last = cursors.last {
            let page = try await world.asCompany(.get, "/events?cursor=\(last)&limit=1")
            guard page["events"]?.items.isEmpty == false else { break }
            cursors.append(try #require(page["next"]?.text, "\(page.text)"))
        }
        return cursors
    }

    /// What pages of one event and of seven have after each cursor, and whether there is more.
    private func pages(_ world: World, after cursors: [String]) async throws -> [JSONValue?] {
        var found: [JSONValue?] = []
        for cursor in cursors {
            for limit in [1, 7] {
                let page = try await world.asCompany(.get, "/events?cursor=\(cursor)&limit=\(limit)")
                try #require(page.status == 200, "\(page.text)")
                found += [page["events"], page["has_more"]]
            }
        }
        return found
    }

    /// The series of all pages of a request's data.
    private func series(_ path: String, _ world: World) async throws -> [[JSONValue]] {
        var (cursor, pages): (String, [[JSONValue]]) = ("0", [])
        while true {
            let page = try await world.asCompany(.get, "\(path)&cursor=\(cursor)")
            try #require(page.status == 200, "\(page.text)")
            if let series = page["series"]?.items, !series.isEmpty { pages.append(series) }
            guard page["has_more"]?.flag == true else { return pages }
            cursor = try #require(page["next"]?.text)
        }
    }

    private func texts(_ paths: [String], _ world: World) async throws -> [String] {
        var texts: [String] = []
        for path in paths {
            let answer = try await world.asCompany(.get, path)
            try #require(answer.status == 200, "\(path): \(answer.text)")
            texts.append(answer.text)
        }
        return texts
    }

    @Test("SUB-02a REQ-08a: Whoever goes on from any cursor gets the same events in the same pages, packed or not")
    func anyCursor() async throws {
        try await World.with { world in
            _ = try await interleaved(world)
            let cursors = try await cursors(world)
            // Acceptances, all of the first two requests, and the withdrawal.
            #expect(cursors.count == 156)
            let before = try await pages(world, after: cursors)
            try await pack(world)
            let packed = try await world.packed()
            // The last one has left meanwhile.
            #expect(packed.inPacks >= 180 && packed.inPacks + packed.inRows == 181)
            #expect(try await pages(world, after: cursors) == before)
        }
    }

    @Test("REQ-12ab SUB-02c: Data, results, files and events by their ids are the same, packed or not")
    func readers() async throws {
        try await World.with { world in
            let requests = try await interleaved(world)
            let (first, withdrawn) = (requests[0], requests[2])
            try await world.service.database.execute("update event set has_left = true")
            // From the second of two samples on.
            let span = "from=2025-07-01T14:39:01Z&to=2025-07-02T03:11:00Z"
            let ids = try await world.service.database.query(
                "select id from event where request_id = any(\([first, requests[1]])) order by number", as: UUID.self)
            let paths =
                ["data", "results"].flatMap { way in
                    ["csv", "ndjson"].flatMap { format in
                        ["", "&\(span)"].map { "/requests/\(first)/\(way)?format=\(format)\($0)" }
                    }
                } + ["/requests/\(withdrawn)/results?format=csv"] + ids.map { "/events/\($0)" }
            let lists = [
                "\(first)/data?limit=5", "\(first)/data?\(span)", "\(first)/results?limit=7",
                "\(first)/results?limit=7&\(span)", "\(withdrawn)/results?limit=100",
            ]
            func read() async throws -> (texts: [String], series: [[JSONValue]]) {
                var series: [[JSONValue]] = []
                for list in lists { series.append(try await self.series("/requests/\(list)", world).flatMap { $0 }) }
                return (try await texts(paths, world), series)
            }
            let before = try await read()
            #expect(before.series.map(\.count) == [91, 58, 91, 58, 30])
            #expect(before.series[1][0]["values"]?.items.count == 1)
            try await pack(world)
            #expect(try await world.isPacked(181, 0))
            let after = try await read()
            #expect(after.texts == before.texts && after.series == before.series)
            #expect(try await world.asCompany(.get, "/events/\(UUID.timeOrdered(at: World.start))").status == 404)
            let other = world.neighbours.addCompany("Other")
            let last = try #require(ids.last)
            #expect(try await world.asCompany(.get, "/events/\(last)", company: other).status == 404)
        }
    }

    @Test("SUB-02c: Webhooks are sent again from the same event, of one person's the same follow, packed or not")
    func replay() async throws {
        try await World.with { world in
            _ = try await interleaved(world)
            let (database, log) = (world.service.database, EventLog(keys: world.keys))
            let events = try await database.query(
                "select id, created_at from event order by number", as: UUID.self, Timestamp.self)
            func read() async throws -> [[Int64?]] {
                var found: [[Int64?]] = []
                for (id, time) in events {
                    var numbers = [try await EventLog.number(of: id, to: world.company, in: database)]
                    for time in [time, time + .microseconds(1)] {
                        numbers.append(try await EventLog.firstNumber(since: time, to: world.company, in: database))
                    }
                    let lane = try await log.events(
                        of: world.company, after: numbers[0] ?? 0, .lane(world.person), samplesMax: 20, countMax: 4,
                        reporting: world.service.context.unreadable, in: database)
                    found.append(numbers + [lane.last] + lane.events.map(\.number))
                }
                return found
            }
            let before = try await read()
            #expect(before.map { $0[0] } == before.indices.map { Optional(Int64($0) + 1) })
            try await pack(world)
            #expect(try await read() == before)
        }
    }

    @Test("SUB-02a: A page by samples is filled by their mean in a pack, and a small one goes on event by event")
    func samples() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            try await world.store(300, of: id, each: 10, at: World.start, every: .seconds(10))
            try await pack(world)
            #expect(
                try await series("/requests/\(id)/results?limit=100", world).map(\.count)
                    == Array(repeating: 10, count: 30))
            #expect(try await series("/requests/\(id)/results?limit=1", world).count == 300)
        }
    }

    // MARK: What is packed

    @Test("REQ-10b: What has not left, is not a week old, or is too little for a pack stays as it is")
    func left() async throws {
        try await World.with { world in
            let other = world.addPerson(1)
            let (id, small) = (try await world.askAndAccept(), try await world.askAndAccept(other))
            try await world.store(20, of: id, hasLeft: false)
            try await world.store(20, of: id, at: World.start + .seconds(3600))
            try await world.store(5, of: small, about: other.id)
            try await world.store(20, of: id, at: World.start + .seconds(3 * Self.day))
            try await pack(world)
            #expect(try await world.isPacked(20, 45))
            // What has not left goes with the consent, as ever, and what has stays.
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            world.clock.advance(by: .seconds(11))
            try await world.round()
            #expect(try await world.isPacked(20, 25))
            #expect(try await series("/requests/\(id)/results?limit=1000", world).joined().count == 40)
            // The day comes of those that were too young; after it nothing is looked after any more.
            world.clock.advance(by: .seconds(4 * Self.day))
            try await world.round()
            #expect(try await world.isPacked(40, 5))
            #expect(
                try await world.service.database.query("select request_id from packing", as: UUID.self) == [small])
        }
    }

    @Test("SUB-02e: Several who pack at once neither lose an event nor double one")
    func replicas() async throws {
        try await World.with { world in
            var people: [World.Somebody] = []
            for number in 1...4 {
                let person = world.addPerson(number)
                let id = try await world.askAndAccept(person)
                try await world.store(1300, of: id, about: person.id, at: World.start, every: .seconds(20))
                people.append(person)
            }
            let database = world.service.database
            let ids = try await database.query("select id from event where content is not null", as: UUID.self)
            world.clock.advance(by: Self.later)
            async let one: Void = world.packer.round()
            async let two: Void = world.packer.round()
            async let three: Void = world.packer.round()
            _ = try await (one, two, three)
            #expect(try await world.isPacked(5200, 0))
            let packed = try await database.query("select unnest(ids) from event_pack", as: UUID.self)
            #expect(packed.count == 5200 && Set(packed) == Set(ids))
            #expect(try await database.queryOne("select max(cardinality(ids)) from event_pack", as: Int32.self) == 256)
        }
    }

    @Test("NFR-04a SUB-02e: What is packed and cannot be finished stays as it was, and is packed the next time")
    func broken() async throws {
        try await World.with(isRunning: false) { world in
            let id = try await world.askAndAccept()
            try await world.store(300, of: id, every: .seconds(20))
            world.clock.advance(by: Self.later)
            let database = world.service.database
            // The second pack of the turn fails.
            try await database.execute("alter table event_pack add constraint broken check (cardinality(ids) > 200)")
            await #expect(throws: (any Error).self) { try await world.packer.round() }
            #expect(try await world.isPacked(0, 300))
            try await database.execute("alter table event_pack drop constraint broken")
            // One that cannot be opened stays a row, and keeps none of the others from being packed.
            try await database.execute("update event set content = 'x' where number = 100")
            try await world.packer.round()
            #expect(try await world.isPacked(299, 1))
        }
    }

    // MARK: What goes

    @Test("ACC-12d: With a person the packs go, also one that is being made; the receipt counts their events")
    func erasure() async throws {
        try await World.with(isRunning: false) { world in
            let id = try await world.askAndAccept()
            try await world.store(300, of: id, every: .seconds(20))
            world.clock.advance(by: Self.later)
            try await world.packer.round()
            #expect(try await world.isPacked(300, 0))
            try await world.store(300, of: id, at: World.start + .seconds(Self.day), every: .seconds(20))
            let database = world.service.database
            try await database.execute("update packing set due_at = '2025-01-01'")
            world.clock.advance(by: .seconds(Self.day))

            // Somebody packs, and cannot go on for now.
            let backend = Mutex<Int32>(0)
            let (held, released) = (EventCounter(), EventCounter())
            async let holding: Void = database.transaction { transaction in
                let process = try await transaction.queryOne("select pg_backend_pid()", as: Int32.self)
                _ = try await transaction.query(
                    "select number from event where content is not null order by number limit 1 for update",
                    as: Int64.self)
                backend.withLock { $0 = process ?? 0 }
                held.raise()
                _ = await released.wait(after: 0, deadline: .after(.patience))
            }
            _ = await held.wait(after: 0, deadline: .after(.patience))
            async let packing: Void = world.packer.round()
            let packerProcess = try await world.blocked(by: backend.withLock { $0 })
            let follower = ErasureTests.follower(world)
            async let erasing = follower.erase(world.person, at: world.clock.now(), in: database)
            _ = try await world.blocked(by: packerProcess)
            released.raise()
            _ = try await (holding, packing)
            let items = try await ErasureFollower.items(of: try await erasing, in: database)
            #expect(items["results"]?.count == 600)
            #expect(try await world.isPacked(0, 0))
            #expect(try await world.count("packing") == 0)
        }
    }

    @Test("ACC-12d: With a third party its packs go")
    func company() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            try await world.store(20, of: id)
            try await pack(world)
            #expect(try await world.isPacked(20, 0))
            let follower = ErasureTests.follower(world)
            let erasure = try await follower.erase(
                world.company, .thirdParty, at: world.clock.now(), in: world.service.database)
            let items = try await ErasureFollower.items(of: erasure, in: world.service.database)
            // With the acceptance and the end.
            #expect(items["results"]?.count == 22)
            #expect(try await world.count("event_pack") == 0)
            #expect(try await world.count("packing") == 0)
        }
    }

    @Test("NFR-06 REQ-12a: What is packed is kept for its time, and no longer")
    func retention() async throws {
        try await World.with(retention: ["results": 100]) { world in
            let id = try await world.askAndAccept()
            try await world.store(20, of: id)
            try await pack(world)
            world.clock.advance(by: .seconds(90 * Self.day))
            try await world.round()
            #expect(try await world.isPacked(20, 0))
            world.clock.advance(by: .seconds(2 * Self.day))
            try await world.round()
            #expect(try await world.isPacked(0, 0))
        }
    }

    // MARK: Room

    @Test("NFR-01a REQ-12a: Days of samples of every second take less than an eighth of the room that they took")
    func room() async throws {
        try await World.with(isRunning: false) { world in
            let id = try await world.askAndAccept()
            let database = world.service.database
            func size(_ table: String) async throws -> Int {
                try #require(
                    try await database.queryOne("select pg_total_relation_size(\(table)::text::regclass)", as: Int.self)
                )
            }
            let (rows, packs) = (try await size("event"), try await size("event_pack"))
            // 25 samples in an event, as a watch uploads them.
            let midnight = World.start.dateUTC.startUTC
            for day: Int64 in 0..<3 {
                try await world.store(
                    3456, of: id, each: 25, at: midnight + .seconds(day * Self.day), every: .seconds(25))
            }
            let taken = try await size("event") - rows
            world.clock.advance(by: .seconds(11 * Self.day))
            try await world.packer.round()
            #expect(try await world.isPacked(10_368, 0))
            let takenPacked = try await size("event_pack") - packs
            #expect(takenPacked * 8 < taken, "\(takenPacked) of \(taken) bytes")
        }
    }
}
