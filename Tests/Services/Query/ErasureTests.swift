import Contracts
import Domain
import Feed
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

@Suite struct ErasureTests {
    static func follower(_ world: World) -> ErasureFollower {
        let context = world.service.context
        let store = RequestStore(keys: world.keys)
        let producer = FeedProducer(
            database: context.database,
            feeds: [
                ConsentFeed.definition(store, in: context.database, clock: world.clock),
                WatchFeed.definition(in: context.database, clock: world.clock),
            ], retention: [:], observer: context.observer)
        let life = RequestLife(
            database: context.database, store: store, outbox: NoticeOutbox(context, keys: store.keys),
            feed: ConsentFeed(producer: producer), watches: WatchFeed(producer: producer),
            events: Events(context, store: store, audit: AuditTrail(database: context.database)),
            clock: world.clock, log: context.log, settings: context.settings.requests,
            unreadable: context.unreadable)
        return ErasureFollower(
            ConsentErasure(life: life, historyDays: 730, searchDays: 90), context, in: context.database,
            keys: store.keys)
    }

    private func count(_ world: World, _ table: String) async throws -> Int? {
        try await world.service.database.queryOne("select count(*) from \(raw: table)", as: Int.self)
    }

    /// Whether the last watch that was published of the person says that ingestion watches.
    private func isWatched(_ world: World) async throws -> Bool? {
        let last = try await world.service.database.queryOne(
            """
            select convert_from(payload, 'utf8') from feed_event
            where feed = \(Query.watchFeed) and entity = \(world.person) order by version desc limit 1
            """, as: String.self)
        return try last.map { try JSONDecoder().decode(Ingestion.Watch.self, from: Array($0.utf8)).isWatched }
    }

    @Test("ACC-12d: Of who is erased no request, consent or access is left; who had access is told that it ended")
    func individual() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([60, 61]), of: world.person)
            let id = try await world.askAndAccept()
            _ = try await world.deliver(id, csv: true).collectedBody()
            let follower = Self.follower(world)
            #expect(try await isWatched(world) == true)
            let erasure = try await follower.erase(world.person, at: world.clock.now(), in: world.service.database)
            #expect(try await isWatched(world) == false)
            for table in ["request", "access", "watch"] { #expect(try await count(world, table) == 0) }
            // The entries stay, and name nobody.
            #expect(try await world.service.auditLines().count >= 2)
            let names = try await world.service.database.query("select account from audit_person", as: UUID.self)
            #expect(names == [world.company])
            let gone = try await world.asCompany(.get, "/requests/\(id)/data")
            #expect(gone.status == 404)
            let items = try await ErasureFollower.items(of: erasure, in: world.service.database)
            #expect(items["open-requests"]?.count == 1 && items["requests"]?.count == 1)
            #expect((items["accesses"]?.count ?? 0) >= 1 && items["searches"]?.ground == .abuseRecord)
            try await world.round()
            // Asked, accepted, ended.
            #expect(await world.neighbours.reached(sent: 3))
            let told = world.neighbours.sent(to: world.company).map(\.template)
            #expect(told.contains("request-ended"))
            #expect(!world.neighbours.sent(to: world.person).map(\.template).contains("request-ended"))
        }
    }

    @Test("ACC-12b: What came while somebody was erased goes with a second pass; told again, nothing happens twice")
    func late() async throws {
        try await World.with { world in
            let follower = Self.follower(world)
            let database = world.service.database
            _ = try await world.ask()
            let erasure = try await follower.erase(world.person, at: world.clock.now(), in: database)
            // A company asks a replica that still has the person's key in memory.
            _ = try await world.ask()
            #expect(try await follower.sweep() == false)
            try await database.execute("update erasure set reported_at = now()")
            try await follower.erase(world.person, id: erasure, at: world.clock.now(), in: database)
            #expect(try await count(world, "request") == 1)
            #expect(try await database.queryOne("select reported_at is null from erasure", as: Bool.self) == true)
            world.clock.advance(by: ErasureFollower.sweepPause + .seconds(1))
            #expect(try await follower.sweep())
            #expect(try await count(world, "request") == 0)
            #expect(try await follower.sweep() == false)
        }
    }

    @Test("ACC-12d REQ-12: Somebody is erased at the first try while results are being fetched")
    func fetched() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            // What has left of it can still be fetched.
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            let (database, company, person) = (world.service.database, world.company, world.person)
            let erasing = try await database.transaction { fetch -> Task<Bool, Never> in
                // As a fetch is noted (`EventPermits`), not committed yet.
                try await fetch.execute("select from request where id = \(id) for share")
                try await fetch.execute(
                    """
                    insert into access (id, individual_id, requester_id, request_id, way, types, began_at, last_at)
                    values (\(UUID.random()), \(person), \(company), \(id), 'result', '{}', now(), now())
                    """)
                let pid = try await fetch.queryOne("select pg_backend_pid()", as: Int32.self)
                let own = try #require(pid)
                let loop = try #require(EventLoop.current)
                let erasing = loop.task { () -> Bool in
                    do {
                        try await Self.follower(world).erase(person, at: world.clock.now(), in: database)
                        return true
                    } catch { return false }
                }
                let waits: SQL = "select count(*) from pg_stat_activity where \(own) = any (pg_blocking_pids(pid))"
                #expect(try await world.reached(1, waits))
                return erasing
            }
            #expect(await erasing.value)
            for table in ["request", "access"] { #expect(try await count(world, table) == 0) }
        }
    }

    @Test("ACC-12d: A request that cannot be read is erased like the others")
    func unreadable() async throws {
        try await World.with { world in
            _ = try await world.ask()
            try await world.service.database.execute("update request set reason = 'x'")
            try await Self.follower(world).erase(world.person, at: world.clock.now(), in: world.service.database)
            #expect(try await count(world, "request") == 0)
        }
    }

    @Test("ACC-12d REQ-11: What a company that leaves has asked for ends, and stays in the histories of the people")
    func company() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            _ = try await LimitsCommand(world.service.context).run(["set", "\(world.company)", "10", "10", "a reason"])
            #expect(try await world.asCompany(.put, "/mailing", #"{"frequency": "daily"}"#).status == 200)
            let other = World.draft.replacing(World.fiscalCode, with: "BNCLRA60A41F205C")
            _ = world.neighbours.addPerson(
                fiscalCode: "BNCLRA60A41F205C", email: "laura@example.org", types: [.heartRate])
            #expect(try await world.asCompany(.post, "/requests", other, key: "one").status == 201)
            #expect(try await count(world, "idempotency") == 1)
            let erasure = try await Self.follower(world).erase(
                world.company, .thirdParty, at: world.clock.now(), in: world.service.database)
            #expect(try await world.state(of: id) == "ended")
            #expect(try await isWatched(world) == false)
            let own = try await world.asPerson(.get, "/me/requests")["requests"]?.items
            #expect(own?.first?["state"]?.text == "ended")
            let items = try await ErasureFollower.items(of: erasure, in: world.service.database)
            #expect(items["requests"]?.ground == .othersHistory && items["requests"]?.keptUntil != nil)
            for table in ["search_attempt", "idempotency", "requester_limit", "mailing"] {
                #expect(try await count(world, table) == 0, "\(table)")
            }
        }
    }

    @Test("ACC-12b: Who was an organiser has no name any more in the history of those who ran")
    func organiser() async throws {
        try await World.with { world in
            let organiser = world.neighbours.addPerson(
                fiscalCode: "VRDLGI80A01F205X", email: "luigi@example.org", types: [])
            _ = try await world.service.rpc(as: "track4run").call(
                Query.RequestCheckIn.self, world.checkIn(of: organiser))
            try await Self.follower(world).erase(organiser, at: world.clock.now(), in: world.service.database)
            let own = try await world.asPerson(.get, "/me/requests").text
            #expect(!own.contains("Anna Rossi") && own.contains("–"))
        }
    }

    @Test("ACC-12b NFR-05d: After an erasure a copy of the rows, made before, opens with nothing that there still is")
    func backups() async throws {
        try await World.with { world in
            _ = try await world.ask()
            _ = try await world.service.rpc(as: "track4run").call(Query.RequestCheckIn.self, world.checkIn())
            var backup: [(FieldLocation, [UInt8])] = []
            let columns = ["reason", "requester_name", "requester_email", "requester_vat_number", "named"]
            for column in columns {
                let rows = try await world.service.database.query(
                    "select id, \(identifier: column) from request where \(identifier: column) is not null",
                    as: UUID.self, [UInt8].self)
                #expect(!rows.isEmpty, "\(column)")
                backup += rows.map { (RequestStore.location(column, $0.0), $0.1) }
            }
            let lookUps = try await world.service.database.query(
                "select id, requester_name from access", as: UUID.self, [UInt8].self)
            backup += lookUps.map { (AccessLog.location($0.0), $0.1) }
            let accounts = try await world.service.database.query(
                "select distinct individual_id from request", as: UUID.self)
            func readable() async throws -> Int {
                let keys = try await world.keys.existingKeys(of: accounts)
                return backup.count { place, value in
                    keys.values.contains { (try? $0.open(value, at: place)) != nil }
                }
            }
            #expect(try await readable() == backup.count)
            let follower = Self.follower(world)
            for account in accounts {
                try await follower.erase(account, at: world.clock.now(), in: world.service.database)
            }
            #expect(try await readable() == 0)
        }
    }

    @Test("NFR-03b REQ-10: While the key store is away who is in memory is served, others wait, and nothing is lost")
    func keyStoreAway() async throws {
        try await World.with { world in
            let id = try await world.askAndAccept()
            let other = world.neighbours.addPerson(
                fiscalCode: "BNCLRA60A41F205C", email: "laura@example.org", types: [.heartRate, .position])
            let draft = World.draft.replacing(World.fiscalCode, with: "BNCLRA60A41F205C")
            let home = world.keyDatabase.configuration.connectionInfo
            await world.keyDatabase.lead(to: "host=127.0.0.1 port=1")
            let refused = try await world.asCompany(.post, "/requests", draft)
            #expect(refused.status == 503 && refused.code == "database-unavailable")
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            await world.keyDatabase.lead(to: home)
            #expect(try await world.asCompany(.post, "/requests", draft).status == 201)
            let requests = try await world.asPerson(.get, "/me/requests", person: other)["requests"]?.items
            #expect(requests?.count == 1)
        }
    }
}
