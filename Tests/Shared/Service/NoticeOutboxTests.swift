import Contracts
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ServiceTesting
import Synchronization
import Testing

@testable import Service

@Suite struct NoticeOutboxTests {
    /// An accounts service that takes messages, or refuses each with `error`.
    private final class Accounting: Sendable {
        let sent = Mutex<[Accounts.Notify.Params]>([])
        let error = Mutex<RPCError?>(nil)
        let attempts = Mutex(0)

        var caller: LocalCaller {
            var router = RPCRouter()
            router.register(Accounts.Notify.self, allow: ["query"]) { params, _ in
                self.attempts.withLock { $0 += 1 }
                if let error = self.error.withLock({ $0 }) { throw error }
                self.sent.withLock { $0.append(params) }
                return Empty()
            }
            return LocalCaller(router: router, as: "query")
        }

        var ids: [UUID] { sent.withLock { $0.map(\.id) } }
        func fail(_ failure: RPCError?) { error.withLock { $0 = failure } }
    }

    private struct World: Sendable {
        let outbox: NoticeOutbox
        let accounts: Accounting
        let test: TestDatabase
        let clock: TestClock
        let log: MemoryLogSink

        func add(_ notices: [Notice]) async throws {
            let outbox = outbox
            let now = clock.now()
            try await test.database.transaction { try await outbox.add(notices, at: now, in: $0) }
        }

        func deliver() async throws -> Int { try await outbox.deliver(at: clock.now()) }

        func count() async throws -> Int? {
            try await test.database.queryOne("select count(*) from notice", as: Int.self)
        }
    }

    private static let plain = "account_id uuid not null"
    private static let withEmail = "account uuid not null, email boolean not null"

    private func with(
        _ columns: String = plain, _ table: NoticeTable = NoticeTable(),
        attemptsMax: Int = NoticeOutbox.attemptsUsualMax, metrics: Metrics = Metrics(),
        completing: @escaping NoticeOutbox.Completion = { $0 },
        _ body: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await TestDatabase.with { test in
            let create = """
                create table notice (id uuid constraint notice_key primary key, \(columns), template text not null,
                  content bytea not null, is_urgent boolean not null, due_at timestamptz not null,
                  attempts integer not null default 0)
                """
            try await Migrations(schema: test.schema, [Migration(1, "notice", Array(create.utf8))])
                .run(on: test.database)
            let (accounts, sink, clock) = (Accounting(), MemoryLogSink(), TestClock())
            let context = ServiceContext(
                name: "query", settings: 0, baseURL: "http://127.0.0.1:8100", loops: test.loops,
                database: test.database, peers: ["accounts": accounts.caller], keys: try .random(),
                log: Log(service: "query", level: .debug, sink: sink), metrics: metrics, clock: clock)
            let outbox = NoticeOutbox(context, table: table, attemptsMax: attemptsMax, completing: completing)
            try await body(World(outbox: outbox, accounts: accounts, test: test, clock: clock, log: sink))
        }
    }

    private func notice(email: Bool = true) -> Notice {
        Notice(to: .random(), template: "run-left", values: ["run": "City run"], email: email)
    }

    @Test(
        "NFR-05d: a message is sealed while it waits, arrives whole, and is one message however often it is added",
        arguments: [
            (plain, NoticeTable(), true), (withEmail, NoticeTable(account: "account", hasEmail: true), false),
        ])
    func once(_ columns: String, _ table: NoticeTable, _ email: Bool) async throws {
        try await with(columns, table) { world in
            let notice = notice(email: email)
            try await world.add([notice, notice])
            try await world.add([notice])
            try await world.add([])
            let content = try #require(
                try await world.test.database.queryOne("select content from notice", as: [UInt8].self))
            #expect(!String(decoding: content, as: UTF8.self).contains("City run"))
            #expect(try await world.deliver() == 1)
            let sent = try #require(world.accounts.sent.withLock { $0.count == 1 ? $0[0] : nil })
            let arrived = Notice(
                id: sent.id, to: sent.accountID, template: sent.template, values: sent.values, email: sent.email)
            #expect(arrived == notice)
            #expect(try await world.count() == 0)
        }
    }

    @Test("how many messages wait is a metric")
    func waiting() async throws {
        let metrics = Metrics()
        try await with(metrics: metrics) { world in
            try await world.add([notice(), notice()])
            try await world.outbox.count()
            #expect(String(decoding: await metrics.text(), as: UTF8.self).contains("trackme_notices_waiting 2\n"))
        }
    }

    @Test("NFR-03: what accounts does not take is tried after longer and longer pauses, at most a minute, for a month")
    func backOff() async throws {
        try await with { world in
            let notice = notice()
            try await world.add([notice])
            for error in [RPCError(.unavailable), RPCError(.invalidParams)] {
                world.accounts.fail(error)
                #expect(try await world.deliver() == 1)
                #expect(try await world.deliver() == 0)
                world.clock.advance(by: .seconds(2))
            }
            try await world.test.database.execute("update notice set attempts = 40000")
            #expect(try await world.deliver() == 1)
            world.clock.advance(by: .seconds(59))
            #expect(try await world.deliver() == 0)
            world.clock.advance(by: .seconds(1))
            world.accounts.fail(nil)
            #expect(try await world.deliver() == 1)
            #expect(world.accounts.ids == [notice.id])
            #expect(world.accounts.attempts.withLock { $0 } == 4)
            #expect(try await world.count() == 0)
        }
    }

    @Test("NFR-03: while accounts is away one message of a batch finds out, and the others wait with it")
    func away() async throws {
        try await with { world in
            try await world.add([notice(), notice(), notice()])
            world.accounts.fail(RPCError(.unavailable))
            #expect(try await world.deliver() == 3)
            #expect(world.accounts.attempts.withLock { $0 } == 1)
            world.accounts.fail(nil)
            world.clock.advance(by: .seconds(1))
            #expect(try await world.deliver() == 3)
            #expect(try await world.count() == 0)
        }
    }

    @Test("NFR-05: what is added to a message when it is handed over does not rest before; a void message is dropped")
    func completed() async throws {
        try await with(completing: { notice in
            guard let name = notice.values["run"], name != "cancelled" else { return nil }
            return Notice(id: notice.id, to: notice.account, template: notice.template, values: ["text": "the \(name)"])
        }) { world in
            let void = Notice(to: .random(), template: "run-left", values: ["run": "cancelled"])
            try await world.add([notice(), void])
            #expect(try await world.deliver() == 2)
            #expect(world.accounts.sent.withLock { $0.map(\.values) } == [["text": "the City run"]])
            #expect(try await world.count() == 0)
        }
    }

    @Test("ACC-17: a value that accounts would never take goes out shortened, and the operator learns of it")
    func shortened() async throws {
        try await with { world in
            let words = String(repeating: "👨‍👩‍👧‍👦", count: 300)
            try await world.add([Notice(to: .random(), template: "run-left", values: ["run": words, "bib": "7"])])
            #expect(try await world.deliver() == 1)
            let sent = try #require(world.accounts.sent.withLock { $0.first })
            let run = try #require(sent.values["run"])
            #expect(run.utf8.count <= Accounts.Notify.valueBytesMax && run.utf8.count > 4000)
            #expect(run.hasSuffix("👨‍👩‍👧‍👦…") && sent.values["bib"] == "7")
            #expect(world.log.lines.contains { $0.contains("a message was shortened") && !$0.contains("👨") })
        }
    }

    @Test("ACC-17: a message that accounts refuses is an error in the log at each attempt")
    func refused() async throws {
        try await with { world in
            try await world.add([notice()])
            world.accounts.fail(RPCError(.invalidParams))
            for attempt in 1...2 {
                #expect(try await world.deliver() == 1)
                world.clock.advance(by: .seconds(5))
                #expect(world.log.lines.count { $0.contains("accounts refuses a message") } == attempt)
            }
            world.accounts.fail(nil)
            #expect(try await world.deliver() == 1)
            #expect(try await world.count() == 0)
        }
    }

    @Test("NFR-03: a message is given up when its account is gone, or after as many attempts as the service says")
    func givenUp() async throws {
        try await with(attemptsMax: 2) { world in
            try await world.add([notice()])
            world.accounts.fail(RPCError(.notFound))
            #expect(try await world.deliver() == 1)
            #expect(try await world.count() == 0)

            try await world.add([notice()])
            world.accounts.fail(RPCError(.unavailable))
            #expect(try await world.deliver() == 1)
            #expect(try await world.count() == 1)
            world.clock.advance(by: .seconds(1))
            #expect(try await world.deliver() == 1)
            #expect(try await world.count() == 0)
            #expect(world.log.lines.count { $0.contains("a message was given up") } == 2)
        }
    }

    @Test("NFR-03: a message that cannot be read is reported and postponed, and holds up no other; rounds are bounded")
    func unreadable() async throws {
        try await with { world in
            let bad = notice()
            try await world.add([bad])
            try await world.test.database.execute("update notice set content = 'x'")
            world.clock.advance(by: .seconds(1))
            let notices = (0..<NoticeOutbox.batchMax).map { _ in notice() }
            try await world.add(notices)
            #expect(try await world.deliver() == NoticeOutbox.batchMax)
            #expect(try await world.deliver() == 1)
            #expect(Set(world.accounts.ids) == Set(notices.map(\.id)))
            let (seen, text) = (world.log.lines, bad.id.description)
            #expect(seen.contains { $0.contains("a message cannot be read") && $0.contains(text) })
            #expect(try await world.count() == 1)
        }
    }

    @Test("NFR-03: while one replica hands a message over, the others leave it alone; after a crash they take it up")
    func claimed() async throws {
        try await with { world in
            let notice = notice()
            try await world.add([notice])
            // As if a replica had taken it up and crashed.
            try await world.test.database.execute(
                "update notice set due_at = \(world.clock.now() + NoticeOutbox.claim), attempts = 1")
            #expect(try await world.deliver() == 0)
            world.clock.advance(by: NoticeOutbox.claim)
            #expect(try await world.deliver() == 1)
            #expect(world.accounts.ids == [notice.id])
        }
    }

    @Test("SOS-13: urgent messages have a lane of their own: 10,000 others on their way delay none of them")
    func urgent() async throws {
        try await with { world in
            try await world.test.database.execute(
                """
                insert into notice (id, account_id, template, content, is_urgent, due_at)
                select gen_random_uuid(), gen_random_uuid(), 'run-left', 'x', false, \(world.clock.now() - .seconds(60))
                from generate_series(1, 10000)
                """)
            let emergency = Notice(to: .random(), template: "incident-opened", urgency: .urgent)
            try await world.add([notice(), emergency])
            #expect(try await world.outbox.deliver(.urgent, at: world.clock.now()) == 1)
            #expect(world.accounts.ids == [emergency.id])
            #expect(world.outbox.tasks.map(\.name) == ["notices-urgent", "notices"])
        }
    }

    @Test("NFR-03: a clock that is set back or forward delays no message", arguments: [-3600, 3600])
    func clockSet(_ seconds: Int64) async throws {
        try await with { world in
            let (untried, failed) = (notice(), notice())
            world.accounts.fail(RPCError(.unavailable))
            try await world.add([failed])
            #expect(try await world.deliver() == 1)
            try await world.add([untried])
            world.accounts.fail(nil)
            world.clock.advance(by: .seconds(seconds))
            _ = try await world.deliver()
            #expect(Set(world.accounts.ids) == [untried.id, failed.id])
        }
    }
}
