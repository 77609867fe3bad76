import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// What third parties get by mail.
@Suite struct MailingTests {
    private func set(_ form: String, _ world: World, company: UUID? = nil) async throws {
        let answer = try await world.asCompany(.put, "/mailing", form, company: company)
        try #require(answer.status == 200, "\(answer.text)")
    }

    /// The time of all mailings has come.
    private func due(_ world: World) async throws {
        try await world.service.database.execute(
            "update mailing set due_at = clock_timestamp() where due_at is not null")
        try await world.round()
    }

    /// The mails about news, when there are at least so many.
    private func mails(_ world: World, atLeast count: Int = 0) async throws -> [Neighbours.Sent] {
        let deadline = Deadline.after(.patience)
        func mails() -> [Neighbours.Sent] { world.neighbours.sent.filter { $0.template == "events-new" } }
        while mails().count < count, !deadline.hasPassed {
            _ = await world.neighbours.reached(sent: world.neighbours.sent.count)
            await Task.yield()
        }
        return mails()
    }

    /// How many mails about news there are, handed over or not.
    private func made(_ world: World) async throws -> Int {
        let waiting = try await world.service.database.query(
            "select id from notice where template = 'events-new'", as: UUID.self)
        return Set(waiting).union(try await mails(world).map(\.id)).count
    }

    @Test("SUB-02d: Who has set nothing gets no data mailed; what is set is shown, and nothing else is taken")
    func settings() async throws {
        try await World.with { world in
            let usual = try await world.asCompany(.get, "/mailing")
            #expect(usual.json == ["frequency": "off", "kinds": ["data.samples", "data.sums"]])
            try await set(#"{"frequency": "weekly", "kinds": ["data.sums", "request.ended"]}"#, world)
            let shown = try await world.asCompany(.get, "/mailing")
            #expect(shown["frequency"]?.text == "weekly" && shown["next_at"]?.text != nil)
            #expect(shown["kinds"]?.items.map(\.text) == ["data.sums", "request.ended"])
            for form in [
                "{}", #"{"frequency": "hourly"}"#, #"{"frequency": "daily", "kinds": []}"#,
                #"{"frequency": "daily", "kinds": ["data.sums", "data.sums"]}"#,
                #"{"frequency": "daily", "kinds": ["data.other"]}"#, #"{"frequency": "daily", "to": "a@example.org"}"#,
            ] {
                #expect(try await world.asCompany(.put, "/mailing", form).status == 422, "\(form)")
            }
            #expect(try await world.asCompany(.get, "/mailing").json == shown.json)
            let other = world.neighbours.addCompany("Other")
            #expect(try await world.asCompany(.get, "/mailing", company: other).json == usual.json)
            try await set(#"{"frequency": "off"}"#, world)
            #expect(try await world.asCompany(.get, "/mailing").json == usual.json)
        }
    }

    @Test(
        "SUB-02d REQ-07a: A mail says how many events are new of which requests, and nothing of what is in them; none comes before its time, and none without news"
    )
    func daily() async throws {
        try await World.with { world in
            try await set(#"{"frequency": "daily"}"#, world)
            let id = try await world.acceptedWithoutData()
            world.neighbours.arrive(World.heartRates([61, 62]), of: world.person)
            try await world.round()
            // Nobody listens.
            #expect(try await world.count("event") == 1 && world.neighbours.reads.value == 1)
            try await due(world)
            let first = try await mails(world, atLeast: 1)
            #expect(first.map(\.account) == [world.company])
            let page = "\(world.service.context.baseURL)/data-requests"
            #expect(
                first.first?.values == [
                    "events": "1", "requests": "1", "list": "\(page)/\(id) (1)", "link": page,
                ])
            #expect(try await world.deliveryLog().isEmpty)
            try await due(world)
            #expect(try await made(world) == 1)
            world.neighbours.arrive(World.heartRates([63], at: World.start + .seconds(60)), of: world.person)
            try #require(try await world.reached(events: 2, of: id))
            try await world.round()
            #expect(try await made(world) == 1)
            try await due(world)
            #expect(try await mails(world, atLeast: 2).count == 2)
            let next = try await world.service.database.queryOne(
                "select due_at > clock_timestamp() + interval '23 hours' from mailing", as: Bool.self)
            #expect(next == true)
        }
    }

    @Test("SUB-02d: Events that are packed meanwhile count as many as they are, after the last that a mail told of")
    func packed() async throws {
        try await World.with { world in
            try await set(#"{"frequency": "weekly"}"#, world)
            let id = try await world.askAndAccept()
            try await world.store(20, of: id)
            world.clock.advance(by: .seconds(9 * 86_400))
            try await world.round()
            #expect(try await world.isPacked(20, 0))
            try await world.service.database.execute("update mailing set position = 11")
            try await due(world)
            #expect(try await mails(world, atLeast: 1).first?.values["events"] == "10")
        }
    }

    @Test("SUB-02d: Only the kinds that are named are counted, and only what may be fetched still")
    func kinds() async throws {
        try await World.with { world in
            try await set(#"{"frequency": "each", "kinds": ["request.accepted", "data.samples"]}"#, world)
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let first = try await world.askAndAccept()
            _ = try await world.events(after: "0", until: 2)
            _ = try await world.asPerson(.post, "/me/requests/\(first)/withdrawal")
            let second = try await world.askAndAccept()
            _ = try await world.events(after: "0", until: 4)
            try await due(world)
            let mail = try #require(try await mails(world, atLeast: 1).first)
            // Acceptances of both; data of the first one is no longer among the events.
            #expect(mail.values["events"] == "3" && mail.values["requests"] == "2")
            let lines = mail.values["list"]?.split(separator: "\n") ?? []
            #expect(lines.count == 2 && lines.first?.hasSuffix("\(second) (2)") == true)
        }
    }

    @Test("SUB-02d: What happens while nothing is mailed is not counted later")
    func off() async throws {
        try await World.with { world in
            try await set(#"{"frequency": "daily", "kinds": ["request.accepted", "request.ended"]}"#, world)
            try await set(#"{"frequency": "off"}"#, world)
            let id = try await world.askAndAccept()
            try await due(world)
            #expect(try await made(world) == 0)
            try await set(#"{"frequency": "daily", "kinds": ["request.accepted", "request.ended"]}"#, world)
            _ = try await world.asCompany(.delete, "/requests/\(id)")
            try await due(world)
            #expect(try await mails(world, atLeast: 1).map { $0.values["events"] } == ["1"])
        }
    }

    private func desk(_ world: World, reading: Duration) -> MailingDesk {
        var times = MailingTimes()
        (times.reading, times.look) = (reading, .milliseconds(5))
        return Mailings(world.service.context, life: world.life(), times: times).desk
    }

    @Test("SUB-02d NFR-03: Of many replicas one mails, and what it has counted is told once")
    func replicas() async throws {
        try await World.with { world in
            try await set(#"{"frequency": "daily", "kinds": ["request.accepted"]}"#, world)
            _ = try await world.askAndAccept()
            let desks = (0..<4).map { _ in desk(world, reading: .zero) }
            try await world.service.database.execute("update mailing set due_at = clock_timestamp()")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for desk in desks { group.addTask { try await desk.round() } }
                try await group.waitForAll()
            }
            #expect(try await mails(world, atLeast: 1).count == 1)
            #expect(try await made(world) == 1)
        }
    }

    @Test(
        "SUB-02e: What a replica that died had taken up another one mails; the first one, when it wakes, mails nothing")
    func lease() async throws {
        try await World.with { world in
            try await set(#"{"frequency": "daily", "kinds": ["request.accepted"]}"#, world)
            _ = try await world.askAndAccept()
            let store = MailingStore(database: world.service.database, times: MailingTimes())
            try await world.service.database.execute("update mailing set due_at = clock_timestamp()")
            let turn = try #require(try await store.claim(max: 1).first)
            try await world.round()
            #expect(try await made(world) == 0)
            #expect(try await store.claim(max: 1).isEmpty)
            try await world.service.database.execute("update mailing set lease_until = clock_timestamp()")
            try await world.round()
            #expect(try await mails(world, atLeast: 1).count == 1)
            #expect(try await store.renew(turn) == false)
            #expect(try await store.news(turn, world.life().events.log) == nil)
            let isHeld = try await world.service.database.transaction { transaction in
                try await store.hold(turn, in: transaction)
            }
            #expect(!isHeld)
        }
    }

    @Test("SUB-02d NFR-03: While nothing can be read no mail says so; it comes once there is something to tell")
    func away() async throws {
        try await World.with { world in
            try await set(#"{"frequency": "daily"}"#, world)
            let id = try await world.acceptedWithoutData()
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            try await world.service.database.execute("update mailing set due_at = clock_timestamp()")
            // Nothing reads in this process.
            try await desk(world, reading: .milliseconds(1)).round()
            #expect(try await made(world) == 0)
            let retry = try await world.service.database.queryOne(
                "select due_at between clock_timestamp() and clock_timestamp() + interval '5 minutes' from mailing",
                as: Bool.self)
            #expect(retry == true)
            try await due(world)
            let mail = try #require(try await mails(world, atLeast: 1).first)
            #expect(mail.values["list"]?.contains("\(id) (1)") == true)
        }
    }

    @Test(
        "SUB-02d: Of very many events so many are counted as can be in time, the newest first, and the mail says that there are more"
    )
    func many() async throws {
        try await World.with { world in
            try await set(#"{"frequency": "daily", "kinds": ["request.refused"]}"#, world)
            let (database, request) = (world.service.database, UUID.random())
            try await database.execute(
                """
                insert into event (requester_id, number, id, request_id, kind, types, counts, created_at)
                select \(world.company), n, gen_random_uuid(), \(request), 'request.refused', '{}', '{}', now()
                from generate_series(1, 10) n
                """)
            try await database.execute("update recipient set last_number = 10")
            let store = MailingStore(database: database, times: MailingTimes())
            try await database.execute("update mailing set due_at = clock_timestamp()")
            let turn = try #require(try await store.claim(max: 1).first)
            let log = world.life().events.log
            func news(_ countsMax: Int) async throws -> MailingStore.News? {
                var times = MailingTimes()
                (times.countedTogether, times.countsMax) = (3, countsMax)
                return try await MailingStore(database: database, times: times).news(turn, log)
            }
            let all = try #require(try await news(4))
            #expect(all.events == 10 && all.counts.map(\.request) == [request] && all.last == 10 && !all.isMore)
            let some = try #require(try await news(2))
            #expect(some.events == 6 && some.last == 10 && some.isMore)
            #expect(Notice.news(some, to: world.company, "").values["events"] == "6+")
        }
    }

    @Test(
        "SUB-02d NFR-03: A person whose data cannot be read holds up neither the mail about others nor other third parties' for long"
    )
    func failing() async throws {
        try await World.with(isRunning: false) { world in
            try await set(#"{"frequency": "daily", "kinds": ["request.accepted"]}"#, world)
            _ = try await world.askAndAccept()
            var times = MailingTimes()
            (times.failing, times.look) = (.milliseconds(1), .milliseconds(5))
            let life = world.life()
            let desk = Mailings(world.service.context, life: life, times: times).desk
            // Nobody tries it again.
            let writer = try #require(EventLoop.current).throwingTask { try await life.events.writer.run() }
            defer { writer.cancel() }
            world.neighbours.failReads()
            try await world.service.database.execute("update mailing set due_at = clock_timestamp()")
            let began = Deadline.now()
            try await desk.round()
            #expect(began.advanced(by: .seconds(200)) > .now())
            #expect(
                try await world.service.database.queryOne(
                    "select count(*) from notice where template = 'events-new'", as: Int.self) == 1)
        }
    }

    @Test("SUB-02d: A mail that concerns very many requests names some, and fits")
    func long() throws {
        let counts = (0..<5000).map { (request: UUID.random(), events: Int64(5000 - $0)) }
        let news = MailingStore.News(counts: counts, last: 9, frequency: .daily)
        for base in ["https://trackme.example.org", "https://" + String(repeating: "a", count: 600) + ".example.org"] {
            let notice = Notice.news(news, to: .random(), base)
            #expect(notice.values["requests"] == "5000" && notice.values["events"] == "12502500")
            let lines = notice.values["list"]?.split(separator: "\n") ?? []
            #expect((2...21).contains(lines.count) && lines.last == "…")
            #expect(notice.values.values.allSatisfy { $0.utf8.count <= Accounts.Notify.valueBytesMax })
        }
    }

    @Test("REQ-12c: The link to a request's results is mailed, also after its end, and once in a while")
    func results() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            _ = try await world.asCompany(.get, "/requests/\(id)/data")
            _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            for _ in 0..<2 { #expect(try await world.asCompany(.post, "/requests/\(id)/results/mail").status == 202) }
            // Asked, accepted, withdrawn to both, the link.
            try #require(await world.neighbours.reached(sent: 5))
            world.clock.advance(by: MailingRoutes.linkPause)
            #expect(try await world.asCompany(.post, "/requests/\(id)/results/mail").status == 202)
            try #require(await world.neighbours.reached(sent: 6))
            let links = world.neighbours.sent.filter { $0.template == "results-link" }
            #expect(links.count == 2 && Set(links.map(\.id)).count == 2)
            #expect(links.allSatisfy { $0.account == world.company })
            #expect(
                links.first?.values == [
                    "request_id": "\(id)", "link": "\(world.service.context.baseURL)/data-requests/\(id)",
                ])
            let none = try await world.asCompany(.post, "/requests/\(UUID.random())/results/mail")
            #expect(none.status == 404)
            let checkIn = world.checkIn()
            _ = try await world.service.rpc(as: "track4run").call(Query.RequestCheckIn.self, checkIn)
            #expect(try await world.asCompany(.post, "/requests/\(checkIn.id)/results/mail").status == 404)
        }
    }
}
