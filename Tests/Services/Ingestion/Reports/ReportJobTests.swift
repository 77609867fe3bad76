import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

@Suite("Messages of ingestion")
struct ReportJobTests {
    /// Accounts, as far as messages go.
    private final class Inbox: Sendable {
        let messages = Mutex<[Accounts.Notify.Params]>([])
        let clock = TestClock(IngestionTest.start)
        let tokens: TestTokens

        init() { tokens = TestTokens(clock: clock) }

        func with(_ body: @escaping @Sendable (IngestionTest) async throws -> Void) async throws {
            try await IngestionTest.with(peers: ["accounts": caller], clock: clock, tokens: tokens, body)
        }

        private var caller: LocalCaller {
            var router = RPCRouter()
            tokens.register(in: &router)
            router.register(Accounts.Notify.self, allow: ["ingestion"]) { params, _ in
                self.messages.withLock { $0.append(params) }
                return Empty()
            }
            return LocalCaller(router: router, as: "ingestion")
        }
    }

    private struct Jobs {
        let reports: ReportJob
        let silent: SilentDevices
        let outbox: NoticeOutbox
    }

    private let account = UUID.random()
    private let watch = UUID.random()

    private func jobs(_ test: IngestionTest) -> Jobs {
        let (context, log) = (test.service.context, test.service.context.log)
        let reader = HealthReader(
            samples: PersonSamples(database: test.database, keys: test.keys, threads: .computing),
            contexts: PersonContexts(database: test.database, keys: test.keys), clock: context.clock)
        let outbox = NoticeOutbox(context, table: NoticeTable(hasEmail: true), keys: test.keys) {
            try await WeeklyReport.completed($0, by: reader)
        }
        return Jobs(
            reports: ReportJob(
                database: test.database, keys: test.keys, outbox: outbox, clock: context.clock, log: log),
            silent: SilentDevices(
                startedAt: context.clock.now() - SilentDevices.settling, database: test.database, outbox: outbox,
                clock: context.clock),
            outbox: outbox)
    }

    private func known(_ test: IngestionTest, zone: String = "Europe/Rome", paused: [String] = []) async throws {
        let details = Accounts.PersonDetails(
            zone: try TimeZoneName(validating: zone), language: .english, birthDate: CalendarDate("1980-05-17")!,
            sex: .female)
        try await test.change(
            Int64(1 + paused.count),
            .init(
                accountID: account, kind: .individual, subject: 4, paused: paused, person: details))
    }

    @Test("ING-11: the report of the week is in the inbox once, on Monday morning where the person lives")
    func report() async throws {
        let inbox = Inbox()
        // Friday 2026-11-20 is now.
        try await inbox.with { test in
            try await known(test)
            let series = SampleSeries(
                type: .steps, start: Timestamp("2026-11-18T08:00:00Z")!, offsets: [0], durations: [3_600_000],
                values: [4321])
            _ = try await test.upload(1, [series], device: watch, of: account)
            let jobs = jobs(test)
            func run() async throws -> Int {
                try await jobs.reports.run()
                try await jobs.outbox.deliver(at: test.service.clock.now())
                return inbox.messages.withLock { $0.count }
            }
            // Nothing was there in the week before.
            #expect(try await run() == 0)
            test.service.clock.advance(by: Timestamp("2026-11-23T05:59:00Z")! - IngestionTest.start)
            #expect(try await run() == 0)
            test.service.clock.advance(by: .seconds(120))
            #expect(try await run() == 1)
            #expect(try await run() == 1)
            let message = try #require(inbox.messages.withLock { $0.first })
            #expect(message.accountID == account && message.template == "weekly-report")
            #expect(message.values["from"] == "2026-11-16" && message.values["to"] == "2026-11-22")
            #expect(message.values["lines"] == "··▄····  Steps: 4321")
        }
    }

    @Test("ING-11 NFR-05: a report that accounts has not taken rests without health data, and goes with the person")
    func waiting() async throws {
        let inbox = Inbox()
        try await inbox.with { test in
            try await known(test)
            let steps = SampleSeries(
                type: .steps, start: Timestamp("2026-11-18T08:00:00Z")!, offsets: [0], values: [4321])
            _ = try await test.upload(1, [steps], device: watch, of: account)
            let jobs = jobs(test)
            test.service.clock.advance(by: Timestamp("2026-11-23T06:01:00Z")! - IngestionTest.start)
            try await jobs.reports.run()
            let waiting: SQL = "select count(*), coalesce(max(length(content)), 0) from notice"
            let (count, bytes) = try #require(try await test.database.queryOne(waiting, as: Int.self, Int.self))
            // The week's two dates, and what sealing adds.
            #expect(count == 1 && bytes < 100)
            // What arrives until it is handed over counts.
            let late = SampleSeries(
                type: .steps, start: Timestamp("2026-11-19T08:00:00Z")!, offsets: [0], values: [4323])
            _ = try await test.upload(2, [late], device: watch, of: account)
            try await jobs.outbox.deliver(at: test.service.clock.now())
            #expect(inbox.messages.withLock { $0.first?.values["lines"] } == "··▁█···  Steps: 4322")

            test.service.clock.advance(by: .seconds(7 * 86_400))
            try await jobs.reports.run()
            #expect(try await test.database.queryOne(waiting, as: Int.self, Int.self)?.0 == 1)
            try await test.erase(account)
            #expect(try await test.database.queryOne(waiting, as: Int.self, Int.self)?.0 == 0)
        }
    }

    @Test("ING-11 NFR-01: somebody of whom there is nothing to report is looked at once a week")
    func nothing() async throws {
        try await Inbox().with { test in
            try await known(test)
            let weight = single(.weight, 70, at: Timestamp("2026-09-01T08:00:00Z")!)
            _ = try await test.upload(1, [weight], device: watch, of: account)
            let due: SQL = "select count(*) from (\(sql: ReportJob.due(after: 0, CalendarDate("2026-11-16")!))) d"
            #expect(try await test.database.queryOne(due, as: Int.self) == 1)
            try await jobs(test).reports.run()
            #expect(try await test.database.queryOne(due, as: Int.self) == 0)
        }
    }

    @Test("ING-12a ING-12b: a device that sends nothing for a day is told of once, until it sends again")
    func silent() async throws {
        let inbox = Inbox()
        try await inbox.with { test in
            try await known(test)
            let jobs = jobs(test)
            func send(_ number: Int64) async throws {
                let series = SampleSeries(
                    type: .heartRate, start: test.service.clock.now(), offsets: [0], values: [61])
                _ = try await test.upload(number, [series], device: watch, of: account)
            }
            func run(after hours: Int64) async throws -> Int {
                test.service.clock.advance(by: .seconds(hours * 3600))
                // By the database's clock they are of now.
                try await test.database.execute("truncate arrival")
                try await jobs.silent.run()
                try await jobs.outbox.deliver(at: test.service.clock.now())
                return inbox.messages.withLock { $0.count }
            }
            try await send(1)
            #expect(try await run(after: 23) == 0)
            #expect(try await run(after: 1) == 1)
            #expect(try await run(after: 24) == 1)
            let values = try #require(inbox.messages.withLock { $0.first }).values
            #expect(values == ["device_id": watch.description, "time": "2026-11-20T10:00:00Z"])
            try await send(2)
            #expect(try await run(after: 1) == 1)
            #expect(try await run(after: 24) == 2)
        }
    }

    @Test("ING-12a: a device whose count was set back is not silent; nor is any after this service was away")
    func sendsAgain() async throws {
        try await Inbox().with { test in
            func send(_ number: Int64) async throws {
                let series = SampleSeries(
                    type: .heartRate, start: test.service.clock.now(), offsets: [0], values: [61])
                _ = try await test.upload(number, [series], device: watch, of: account)
            }
            func run(_ jobs: Jobs) async throws -> Int {
                try await jobs.silent.run()
                return try await test.database.queryOne("select count(*) from notice", as: Int.self) ?? 0
            }
            try await send(1000)
            let before = jobs(test)
            test.service.clock.advance(by: .seconds(20 * 3600))
            try await send(1)
            test.service.clock.advance(by: .seconds(10 * 3600))
            #expect(try await run(before) == 0)
            test.service.clock.advance(by: .seconds(30 * 3600))
            try await test.database.execute("truncate arrival")
            let after = SilentDevices(
                startedAt: test.service.clock.now() - .seconds(60), database: test.database, outbox: before.outbox,
                clock: test.service.clock)
            try await after.run()
            #expect(try await run(before) == 1)
        }
    }

    @Test("ING-12a ING-14: of a device that was removed, and while all collection is paused, nothing is told")
    func excused() async throws {
        let inbox = Inbox()
        try await inbox.with { test in
            let jobs = jobs(test)
            let series = SampleSeries(type: .heartRate, start: IngestionTest.start, offsets: [0], values: [61])
            _ = try await test.upload(1, [series], device: watch, of: account)
            try await known(test, paused: ["position", "health"])
            test.service.clock.advance(by: .seconds(30 * 3600))
            try await jobs.silent.run()
            try await test.change(
                4, .init(accountID: account, kind: .individual, subject: 4, paused: []))
            try await test.change(
                5, .init(deviceID: watch, accountID: account, dataTypes: [], isRemoved: true))
            try await jobs.silent.run()
            #expect(try await jobs.outbox.deliver(at: test.service.clock.now()) == 0)
        }
    }

    @Test("ING-12a ING-14: a device that provides only what is paused is not missed; one that provides more is")
    func partlyExcused() async throws {
        try await Inbox().with { test in
            let (tracker, ring) = (UUID.random(), UUID.random())
            let position = SampleSeries(
                type: .position, start: IngestionTest.start, offsets: [0], latitudes: [45], longitudes: [9])
            let pulse = SampleSeries(type: .heartRate, start: IngestionTest.start, offsets: [0], values: [61])
            _ = try await test.upload(1, [position], device: tracker, of: account)
            func told(pausing paused: [String], version: Int64) async throws -> Int {
                try await test.change(
                    version, .init(accountID: account, kind: .individual, subject: 4, paused: paused))
                try await jobs(test).silent.run()
                defer { test.service.clock.advance(by: .seconds(60)) }
                return try await test.database.queryOne("select count(*) from notice", as: Int.self) ?? 0
            }
            test.service.clock.advance(by: .seconds(30 * 3600))
            try await test.database.execute("truncate arrival")
            // Of the person there are positions only.
            #expect(try await told(pausing: ["position"], version: 2) == 0)
            // Now also others, which the tracker may not provide.
            _ = try await test.upload(1, [pulse], device: ring, of: account)
            try await test.change(
                3, .init(deviceID: tracker, accountID: account, dataTypes: [.position], isRemoved: false))
            test.service.clock.advance(by: .seconds(30 * 3600))
            try await test.database.execute("truncate arrival")
            #expect(try await told(pausing: ["health", "position"], version: 4) == 0)
            // Only the ring is missed.
            #expect(try await told(pausing: ["position"], version: 5) == 1)
            #expect(try await told(pausing: [], version: 6) == 2)
        }
    }
}
