import Security
import ServiceTesting
import Contracts
import Domain
import JSON
import OpenAPITesting
import Primitives
import Reactor
import Security
import Service
import Synchronization
import Testing

@testable import HTTP
@testable import Query

@Suite struct DeliveryTests {
    @Test(
        "REQ-05b REQ-08b SUB-01c: nothing is shared before the acceptance, and nobody else's request is seen",
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
            #expect(try await world.deliveryLog().isEmpty)
        }
    }

    @Test("REQ-08a REQ-11 SUB-01a SUB-02a: past data by pages, then what comes; each delivery is in the person's log")
    func pages() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61, 62]), of: world.person)
            world.neighbours.arrive(World.heartRates([63], at: World.start + .seconds(60)), of: world.person)
            let id = try await world.askAndAccept()
            // A piece at a time.
            let first = try await world.asCompany(.get, "/requests/\(id)/data?limit=1")
            #expect(first["has_more"]?.flag == true)
            #expect(first["series"]?.items.first?["values"]?.items.map(\.double) == [61, 62])
            let next = try #require(first["next"]?.text)
            world.clock.advance(by: .seconds(1))
            let second = try await world.asCompany(.get, "/requests/\(id)/data?limit=1&cursor=\(next)")
            #expect(second["has_more"]?.flag == false)
            #expect(second["series"]?.items.first?["values"]?.items.map(\.double) == [63])
            let last = try #require(second["next"]?.text)
            world.clock.advance(by: .seconds(1))
            #expect(
                try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(last)")["series"]?.items.isEmpty == true)
            async let waiting = world.asCompany(.get, "/requests/\(id)/data?cursor=\(last)&wait_ms=20000")
            world.neighbours.arrive(World.heartRates([64]), of: world.person)
            #expect(try await waiting["series"]?.items.first?["values"]?.items.map(\.double) == [64])
            let log = try await world.deliveryLog()
            #expect(log.map { $0["samples"]?.integer } == [1, 1, 2])
            #expect(log.allSatisfy { $0["requester_name"]?.text == "Acme S.p.A." && $0["way"]?.text == "page" })
            #expect(try await world.asPerson(.get, "/me/requests")["requests"]?.items.first?["last_read_at"] != nil)
            #expect(try await world.asCompany(.get, "/requests/\(id)/data?cursor=x").status == 422)
        }
    }

    @Test("REQ-11: the person can go through the whole log of accesses, also when nobody follows any more")
    func wholeLog() async throws {
        try await World.with { world in
            for value in 0..<5 { world.neighbours.arrive(World.heartRates([Double(60 + value)]), of: world.person) }
            let id = try await world.askAndAccept()
            var cursor = "0"
            for _ in 0..<5 {
                let page = try await world.asCompany(.get, "/requests/\(id)/data?limit=1&cursor=\(cursor)")
                cursor = try #require(page["next"]?.text)
                world.clock.advance(by: .seconds(1))
            }
            _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            var seen: [String] = []
            var next: String? = ""
            while let cursor = next {
                let page = try await world.asPerson(.get, "/me/access-log?limit=2\(cursor)")
                let entries = page["accesses"]?.items ?? []
                #expect((1...2).contains(entries.count))
                #expect(entries.allSatisfy { $0["requester_name"]?.text == "Acme S.p.A." })
                seen += entries.compactMap { $0["id"]?.text }
                next = page["next"]?.text.map { "&cursor=\($0)" }
            }
            #expect(seen.count == 6 && Set(seen).count == 6 && seen == seen.sorted(by: >))
        }
    }

    @Test(
        "REQ-05 REQ-08: cursors do not tell whether something came that was not accepted, and hold for their request only"
    )
    func sealedCursors() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            func next(_ cursor: String) async throws -> String {
                let page = try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(cursor)")
                #expect(page["series"]?.items.isEmpty == true)
                return try #require(page["next"]?.text)
            }
            let first = try await next("0")
            let second = try await next(first)
            // Steps were not asked for.
            world.neighbours.arrive(
                SampleSeries(type: .steps, start: World.start, offsets: [0], values: [9]), of: world.person)
            let third = try await next(second)
            #expect(Set([first, second, third]).count == 3)
            #expect(Set([first, second, third].map(\.utf8.count)).count == 1)
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let page = try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(third)")
            #expect(page["series"]?.items.count == 1)
            let other = world.neighbours.addCompany("Other")
            let foreign = try await world.ask(company: other)
            _ = try await world.asPerson(.post, "/me/requests/\(foreign)/acceptance")
            for cursor in [third, "1", "x", "-1", String(third.dropLast()), String(repeating: "A", count: 300)] {
                let answer = try await world.asCompany(
                    .get, "/requests/\(foreign)/data?cursor=\(cursor)", company: other)
                #expect(answer.code == "invalid-request")
            }
        }
    }

    @Test("REQ-05b SUB-01: types that were not accepted never leave, even if ingestion gave them")
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
                    type: .heartRate, unit: "/min", start: World.start, offsets: [-60_000, 0], durations: [60_000, 0],
                    zoneOffset: ZoneOffset(minutes: 120), values: [81, 82]), of: world.person)
            world.neighbours.arrive(
                SampleSeries(
                    type: .position, start: World.start, offsets: [500], latitudes: [45.4642], longitudes: [9.19],
                    altitudes: [nil], accuracies: [8]), of: world.person)
            let id = try await world.askAndAccept()
            let response = try await world.deliver(id, csv: true)
            #expect(response.contentType == .csv)
            let text = String(decoding: try await response.collectedBody(), as: UTF8.self)
            #expect(
                text == """
                    type,time,value,unit,latitude,longitude,altitude,accuracy,contact,duration_ms,zone_offset\r
                    heart-rate,2025-07-01T12:00:00Z,61,/min,,,,,,,\r
                    heart-rate,2025-07-01T12:00:01Z,62.5,/min,,,,,,,\r
                    heart-rate,2025-07-01T11:59:00Z,81,/min,,,,,,60000,+02:00\r
                    heart-rate,2025-07-01T12:00:00Z,82,/min,,,,,,,+02:00\r
                    position,2025-07-01T12:00:00.500Z,,,45.4642,9.19,,8,,,\r

                    """)
            let log = try await world.deliveryLog()
            #expect(log.map { $0["samples"]?.integer } == [5])
            #expect(log.first?["way"]?.text == "download")
            #expect(log.first?["data_types"]?.items.map(\.text) == ["position", "heart-rate"])
        }
    }

    @Test("REQ-12 SOS-11: a rate of 0 says whether the sensor had contact, in CSV and JSON")
    func contact() async throws {
        try await World.with { world in
            var told = World.heartRates([0, 0])
            told.contact = [true, false]
            world.neighbours.arrive(told, of: world.person)
            world.neighbours.arrive(World.heartRates([0, 61], at: World.start + .seconds(10)), of: world.person)
            world.neighbours.arrive(World.heartRates([62], at: World.start + .seconds(20)), of: world.person)
            let id = try await world.askAndAccept()
            let csv = String(decoding: try await world.deliver(id, csv: true).collectedBody(), as: UTF8.self)
            let lines = csv.split(whereSeparator: \.isNewline).dropFirst().map { line in
                let fields = line.split(separator: ",", omittingEmptySubsequences: false)
                return "\(fields[2]) \(fields[8])"
            }
            #expect(lines == ["0 true", "0 false", "0 false", "61 true", "62 "])
            var (after, contacts): (String?, [[Bool?]?]) = ("0", [])
            while let cursor = after {
                let page = try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(cursor)")
                contacts += (page["series"]?.items ?? []).map { $0["contact"]?.items.map(\.flag) }
                after = page["has_more"]?.flag == true ? page["next"]?.text : nil
            }
            #expect(contacts == [[true, false], [false, true], nil])
        }
    }

    @Test("REQ-08c SUB-04: what was measured in time and arrives late is given, what was measured later never")
    func lateData() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            let end = Timestamp("2025-09-01T00:00:00Z")!
            world.neighbours.arrive(World.heartRates([61], at: end - .seconds(1)), of: world.person)
            world.clock.advance(by: end - World.start + .seconds(86_400))
            try await world.round()
            // Two samples: one from the last moment, one that is measured at the end, which is not included.
            world.neighbours.arrive(World.heartRates([62, 63], at: end - .seconds(1)), of: world.person)
            world.neighbours.arrive(World.heartRates([64], at: end + .seconds(60)), of: world.person)
            var (after, values): (String?, [Double?]) = ("0", [])
            while let cursor = after {
                let page = try await world.asCompany(.get, "/requests/\(id)/data?cursor=\(cursor)")
                values += (page["series"]?.items ?? []).flatMap { $0["values"]?.items.map(\.double) ?? [] }
                after = page["has_more"]?.flag == true ? page["next"]?.text : nil
            }
            #expect(values == [61, 62])
            let csv = String(decoding: try await world.deliver(id, csv: true).collectedBody(), as: UTF8.self)
            #expect(csv.split(whereSeparator: \.isNewline).count == 3)
            world.clock.advance(by: .seconds(30 * 86_400))
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").code == "consent-ended")
        }
    }

    @Test("REQ-10b: after the withdrawal no way gives anything, and a waiting one is told at once")
    func withdrawal() async throws {
        try await World.with { world in
            let id = try await world.acceptedWithoutData()
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
            #expect(try await world.deliveryLog().isEmpty)
        }
    }

    /// What a producer wrote, and whether it broke off.
    private func run(_ response: HTTPResponse) async -> (text: String, hasFailed: Bool) {
        guard let (_, producer) = response.producer else { return ("", true) }
        let writer = HTTPBodyWriter(count: nil)
        do {
            try await producer(writer)
            return (String(decoding: writer.collected, as: UTF8.self), false)
        } catch {
            return (String(decoding: writer.collected, as: UTF8.self), true)
        }
    }

    @Test("REQ-10b SUB-01a SUB-02b: a stream gives what comes, with cursors, and breaks off at the withdrawal")
    func stream() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            let response = try await world.deliver(id)
            #expect(response.contentType == .eventStream)
            async let outcome = run(response)
            try #require(try await world.reached(delivered: 1))
            _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            world.neighbours.arrive(World.heartRates([99]), of: world.person)
            let (text, hasFailed) = await outcome
            #expect(hasFailed)
            let document = try APIDocument.of(QueryService.openAPI)
            #expect(
                try document.faults(ofEvents: Array(text.utf8), of: "GET /query/v1/requests/{id}/stream") == [])
            let lines = text.split(separator: "\n")
            let event = try #require(lines.firstIndex(of: "event: data.samples"))
            #expect(lines[event + 1].hasPrefix("id: ") && lines[event + 2].contains("\"series\":["))
            #expect(text.contains("\"values\":[61"))
            #expect(!text.contains("\"values\":[99"))
            let log = try await world.deliveryLog()
            #expect(log.map { $0["way"]?.text } == ["stream"])
        }
    }

    @Test("REQ-10b: a download breaks off when consent is withdrawn between two writes")
    func downloadBreaksOff() async throws {
        try await World.with { world in
            let id = try await world.acceptedWithoutData()
            for value in 0..<3 { world.neighbours.arrive(World.heartRates([Double(60 + value)]), of: world.person) }
            let response = try await world.deliver(id, csv: true)
            // The third piece is being fetched when consent is withdrawn: two were written.
            world.neighbours.hold(read: world.neighbours.reads.value + 3)
            async let outcome = run(response)
            try #require(try await world.reached(delivered: 2))
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            world.neighbours.releaseReads()
            let (text, hasFailed) = await outcome
            #expect(hasFailed)
            #expect(text.contains(",60,/min") && text.contains(",61,/min"))
            #expect(!text.contains(",62,/min"))
            let log = try await world.deliveryLog()
            #expect(log.map { $0["samples"]?.integer } == [2])
        }
    }

    @Test(
        "NFR-03 SUB-02: a stopping service ends streams in order, which go on at their cursors, and answers who waits")
    func stop() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            let (router, loops) = (world.service.assembled.http, world.service.loops)
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: router, loops: loops)
            let port = server.port
            async let stream = world.read("stream", of: id, at: port)
            try #require(try await world.reached(delivered: 1))
            let page = try await world.read("data?wait_ms=25000", of: id, at: port)
            let next = try #require(page.split(separator: "\"next\":\"").last?.prefix { $0 != "\"" })
            async let waiting = world.read("data?wait_ms=25000&cursor=\(next)", of: id, at: port)
            try #require(await world.reached(waiting: 2))
            let began = Deadline.now()
            await server.shutdown(grace: .seconds(20))
            #expect(Deadline.now().since(began) < .seconds(10))
            #expect(try await waiting.contains("\"series\":[]"))
            let text = try await stream
            #expect(text.contains("event: data.samples\n") && text.contains("\"values\":[61"))
            let log = try await world.deliveryLog()
            #expect(Set(log.map { $0["samples"]?.integer }) == [1])
        }
    }

    @Test(
        "ACC-15b ACC-16ac: a stream and a download break off when the token is revoked, or is over",
        arguments: [false, true], [false, true])
    func revoked(csv: Bool, isOver: Bool) async throws {
        try await World.with { world in
            let id = try await world.acceptedWithoutData()
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            world.neighbours.arrive(World.heartRates([62]), of: world.person)
            let response = try await world.deliver(id, csv: csv)
            world.neighbours.hold(read: 3)
            async let outcome = run(response)
            try #require(try await world.reached(delivered: 1))
            try #require(await world.neighbours.reached(reads: 3))
            if isOver {
                // 15 minutes, and as much as clocks may differ.
                world.clock.advance(by: .seconds(1000))
            } else {
                world.service.revocations.apply(.account(world.company), revokedAt: world.clock.now())
            }
            world.neighbours.releaseReads()
            let (text, hasFailed) = await outcome
            #expect(hasFailed)
            // The words around the value too: identifiers and cursors hold any two digits.
            func has(_ value: Int) -> Bool { text.contains(csv ? ",\(value),/min" : "\"values\":[\(value)") }
            #expect(has(61) && !has(62))
        }
    }

    @Test(
        "REQ-10b: what a slow client has not taken at the withdrawal stays here, whichever way it comes",
        arguments: ["page", "download", "stream"])
    func slowClient(way: String) async throws {
        try await World.with { world in
            let values = (0..<90_000).map { Double($0 % 100) }
            world.neighbours.arrive(World.heartRates(values), of: world.person)
            let id = try await world.askAndAccept()
            // Before it becomes an event a page would wait for it.
            _ = try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=25000")
            let response = try await world.deliver(id, csv: way == "download", isStream: way == "stream")
            guard let (count, producer) = response.producer else {
                Issue.record("no stream")
                return
            }
            let (near, far) = try ByteStream.pair(on: try #require(EventLoop.current))
            nonisolated(unsafe) let writer = HTTPBodyWriter(
                near, count: count, isChunked: false, stallMax: .seconds(60))
            let isOver = Mutex(false)
            async let outcome = Self.failure {
                defer { isOver.withLock { $0 = true } }
                try await producer(writer)
            }
            var taken = ByteBuffer()
            while taken.count < 20_000 { _ = try await far.read(into: &taken, deadline: .after(.seconds(10))) }
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            #expect(isOver.withLock { $0 })
            near.close()
            #expect(await outcome != nil)
            while try await far.read(into: &taken, deadline: .after(.seconds(10))) > 0 {}
            // All of it is more than the system keeps on the way.
            #expect(taken.count < 600_000)
            far.close()
        }
    }

    private static func failure(_ body: () async throws -> Void) async -> (any Error)? {
        do {
            try await body()
            return nil
        } catch { return error }
    }

    @Test("REQ-10b: a withdrawal is answered when no other replica writes any more")
    func otherReplica() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            // It hears of the withdrawal from the database alone.
            let database = world.service.database
            let other = EventPermits(database: database, audit: AuditTrail(database: database), clock: world.clock)
            let event = Event(
                requester: world.company, number: 1, id: .random(), request: id, kind: .samples, types: [.heartRate],
                data: try .init([World.heartRates([60])]), createdAt: World.start)
            var delivery = EventDelivery(.stream, to: world.company, at: world.clock.now()) {}
            let order = Mutex<[String]>([])
            let began = EventCounter()
            let lease = try await other.permit([event], on: &delivery).until
            let begun = delivery
            async let writing = Self.failure {
                defer { order.withLock { $0.append("broken off") } }
                try await Lease.hold(until: lease) {
                    try await other.renew([event], on: begun)
                } _: { _ in
                    began.raise()
                    // A client that takes nothing.
                    try await EventLoop.current?.sleep(for: .seconds(60))
                }
            }
            _ = await began.wait(after: 0)
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            order.withLock { $0.append("answered") }
            #expect(await writing != nil)
            #expect(order.withLock { $0 } == ["broken off", "answered"])
        }
    }

    @Test("NFR-03: who waits for data leaves room for others: a ceiling per third party and in all, and a clear error")
    func waitingPlaces() async throws {
        try await World.with(settings: ", \"waiting_max\": 3, \"waiting_per_third_party_max\": 2") { world in
            let other = world.neighbours.addCompany("Other")
            let (id, others) = (try await world.askAndAccept(), try await world.ask(company: other))
            _ = try await world.asPerson(.post, "/me/requests/\(others)/acceptance")
            let streams = [try await world.deliver(id), try await world.deliver(id)]
            let waiting = "/requests/\(id)/data?wait_ms=20000"
            for path in [waiting, "/requests/\(id)/stream"] {
                let refused = try await world.asCompany(.get, path)
                #expect(refused.status == 429 && refused.code == "too-many-waiting")
            }
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").status == 200)
            let third = try await world.deliver(others, company: other)
            let refused = try await world.asCompany(.get, "/requests/\(others)/stream", company: other)
            #expect(refused.status == 503 && refused.code == "overloaded")
            withExtendedLifetime((streams, third)) {}
        }
    }

    @Test("NFR-03: places of those who wait are free again when they leave, also before anything was sent")
    func placesLeft() async throws {
        try await World.with(settings: ", \"waiting_max\": 1, \"waiting_per_third_party_max\": 1") { world in
            let id = try await world.askAndAccept()
            for _ in 0..<2 { _ = try await world.deliver(id) }
            for _ in 0..<2 {
                #expect(try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=1").status == 200)
            }
        }
    }
}

extension World {
    /// A whole answer of the server at `port`; fails unless it ends in order.
    fileprivate func read(_ path: String, of id: UUID, at port: UInt16) async throws -> String {
        let token = try service.tokens.token(.thirdParty, account: company, scopes: ["requests"])
        var configuration = HTTPClient.Configuration()
        configuration.allowPrivateAddresses = true
        let client = HTTPClient(on: service.loops.loops[0], configuration: configuration)
        let url = try #require(HTTPURL("http://127.0.0.1:\(port)/query/v1/requests/\(id)/\(path)"))
        let request = HTTPClientRequest(.get, url, fields: ["Authorization": "Bearer \(token)"])
        defer { client.close() }
        return try await client.send(request, deadline: .after(.seconds(30))).text
    }
}
