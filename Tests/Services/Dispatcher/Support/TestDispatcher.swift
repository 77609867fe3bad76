import Contracts
import Domain
import Feed
import HTTP
import JSON
import OpenAPITesting
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

/// How the accounts service behaves.
final class FakeAccounts: Sendable {
    struct State {
        var isAway = false
        var takesNotices = true
        var notices: [Accounts.Notify.Params] = []
        var delay = Duration.zero
    }

    let state = Mutex(State())

    var notices: [Accounts.Notify.Params] { state.withLock { $0.notices } }

    func router(_ tokens: TestTokens) -> RPCRouter {
        var router = RPCRouter()
        tokens.register(in: &router)
        router.register(Accounts.Identity.self, allow: ["dispatcher"]) { [self] _, _ in
            try await answer()
            return .init(
                name: "Rosa", surname: "Bianchi", fiscalCode: TestDispatcher.fiscalCode,
                birthDate: TestDispatcher.birthDate, sex: .female)
        }
        router.register(Accounts.BirthDate.self, allow: ["dispatcher"]) { [self] _, _ in
            try await answer()
            return .init(birthDate: TestDispatcher.birthDate)
        }
        router.register(Accounts.Notify.self, allow: ["dispatcher"]) { [self] params, _ in
            try state.withLock { state throws(RPCError) in
                guard state.takesNotices else { throw RPCError(.unavailable) }
                state.notices.append(params)
            }
            return Empty()
        }
        return router
    }

    private func answer() async throws {
        let (isAway, delay) = state.withLock { ($0.isAway, $0.delay) }
        if isAway { throw RPCError(.unavailable) }
        if delay > .zero { try await EventLoop.current?.sleep(for: delay) }
    }
}

/// A dispatcher on a schema of its own, with hooks on this machine, a real clock and short times.
struct TestDispatcher: Sendable {
    static let birthDate = CalendarDate(year: 1950, month: 3, day: 14)!
    static let fiscalCode = try! FiscalCode.make(
        surname: "Bianchi", name: "Rosa", birth: birthDate, sex: .female, place: BelfioreCode("F205")!)

    let assembled: AssembledService
    let capabilities: Capabilities
    let database: Database
    /// Of the keys of people and incidents.
    let keyStore: TestDatabase
    let hooks: [FakeHook]
    let accounts: FakeAccounts
    let tokens: TestTokens
    let context: ServiceContext<DispatcherSettings>
    let log: MemoryLogSink

    /// Times a hundred times shorter than the real ones, but for the waits for what other parts do.
    static var shortTimes: HandOverTimes {
        var times = HandOverTimes()
        times.attempts = [0, 50, 100, 200, 400].map { .milliseconds($0) }
        times.attemptInterval = .milliseconds(200)
        times.attemptMax = .milliseconds(500)
        times.receiptMax = .milliseconds(600)
        times.acceptanceMax = .seconds(3)
        times.personPause = .milliseconds(100)
        times.leaseRound = .milliseconds(100)
        return times
    }

    /// The same, but nothing escalates because somebody does not answer.
    static var patientTimes: HandOverTimes {
        var times = shortTimes
        times.receiptMax = .seconds(60)
        times.acceptanceMax = .seconds(60)
        return times
    }

    static func with(
        hooks names: [String] = ["north"], times: HandOverTimes = shortTimes, clock: any WallClock = SystemClock(),
        keys given: ServiceKeys? = nil, _ body: @escaping @Sendable (TestDispatcher) async throws -> Void
    ) async throws {
        try await TestDatabase.with { keyStore in
            try await with(names, times, clock, given, keyStore, body)
        }
    }

    private static func with(
        _ names: [String], _ times: HandOverTimes, _ clock: any WallClock, _ given: ServiceKeys?,
        _ keyStore: TestDatabase, _ body: @escaping @Sendable (TestDispatcher) async throws -> Void
    ) async throws {
        try await TestDatabase.with(configure: { $0.connectionsPerLoopMax = 8 }) { test in
            try await Migrations(schema: test.schema, DispatcherService.migrations).run(on: test.database)
            try await test.addAudit()
            try await FakeHook.with(names, on: test.loops) { hooks in
                let keys = try given ?? .random()
                let tokens = TestTokens(clock: clock)
                let dispatcher = try await make(
                    test.database, keyStore, test.loops, hooks, keys, tokens, FakeAccounts(), times, clock)
                let outcome: Result<Void, any Error>
                do { outcome = .success(try await body(dispatcher)) } catch { outcome = .failure(error) }
                await dispatcher.stop()
                let document = try APIDocument.of(DispatcherService.openAPI)
                for call in hooks.flatMap(\.desk.calls) {
                    #expect(document.faults(ofMessage: call.body, to: "incident") == [], "NFR-09")
                }
                try outcome.get()
            }
        }
    }

    private static func make(
        _ database: Database, _ keyStore: TestDatabase, _ loops: EventLoopGroup, _ hooks: [FakeHook],
        _ keys: ServiceKeys, _ tokens: TestTokens, _ accounts: FakeAccounts, _ times: HandOverTimes,
        _ clock: any WallClock
    ) async throws -> TestDispatcher {
        let (sink, revocations) = (MemoryLogSink(), Revocations())
        // As if the feed of revocations were read all the time.
        revocations.heard(at: .after(.seconds(3600)))
        let keystore = try DatabaseSettings.given(schema: keyStore.schema)
        let context = ServiceContext(
            name: "dispatcher", settings: DispatcherSettings(keystore: keystore, hooksFile: "/nonexistent"),
            baseURL: "http://127.0.0.1:1",
            loops: loops, database: database,
            peers: ["accounts": LocalCaller(router: accounts.router(tokens), as: "dispatcher")], keys: keys,
            log: Log(service: "dispatcher", level: .debug, sink: sink), clock: clock,
            revocations: revocations, databases: [keyStore.schema: keyStore.database])
        let subjectKeys = try context.connectKeyStore(keystore)
        try await context.prepare(subjectKeys.store.database, KeyStoreSchema.migrations)
        let capabilities = Capabilities(
            context, keys: subjectKeys, hooks: Hooks(hooks.map(\.hook)), tls: nil, times: times)
        var parts = ServiceParts()
        capabilities.add(to: &parts, pacing: context.pacing)
        parts.authentication = Authentication(context.authenticator)
        // The live feed is given by hand.
        parts.tasks = parts.tasks.filter { $0.name != "live-samples" }
        // Without neighbours: nothing but the parts runs.
        let alone = ServiceContext(
            name: "dispatcher", settings: context.settings, baseURL: context.baseURL, loops: loops, database: database,
            peers: [:], keys: keys, log: context.log)
        let assembled = try AssembledService.assemble(DispatcherService.self, parts, alone)
        assembled.start()
        return TestDispatcher(
            assembled: assembled, capabilities: capabilities, database: database, keyStore: keyStore, hooks: hooks,
            accounts: accounts,
            tokens: tokens, context: context, log: sink)
    }

    /// Another replica, or the same after a restart.
    func another(
        times: HandOverTimes = shortTimes, hooks: [FakeHook]? = nil
    ) async throws -> TestDispatcher {
        try await Self.make(
            database, keyStore, context.loops, hooks ?? self.hooks, context.keys, tokens, accounts, times, context.clock
        )
    }

    func stop() async { await assembled.stop() }

    /// The key store is away while `body` runs.
    func withoutKeyStore(_ body: () async throws -> Void) async throws {
        try await keyStore.database.execute("alter table subject_key rename to away")
        try await body()
        try await keyStore.database.execute("alter table away rename to subject_key")
    }

    /// The statement that stores a monitor that has begun at that time.
    func monitor(of account: UUID, begunAt time: Timestamp) async throws -> SQL {
        let key = try #require(try await capabilities.people.keys.existingKey(of: account))
        let state = try PersonalColumn.monitor.seal(Monitor(begunAt: time), of: account, with: key)
        return "update monitor set state = \(state) where account = \(account)"
    }

    // MARK: As people

    func call(
        _ method: HTTPMethod, _ target: String, account: UUID? = nil, fields: HTTPFields = [:], body: String = ""
    ) async throws -> HTTPResponse {
        var fields = fields
        if let account { fields["Authorization"] = "Bearer \(try tokens.token(.individual, account: account))" }
        if !body.isEmpty { fields["Content-Type"] = "application/json" }
        return try await assembled.answer(try HTTPRequest(method, target, fields: fields, body: Array(body.utf8)))
    }

    func enrol(_ account: UUID, more: String = "") async throws {
        let response = try await call(
            .put, "/dispatcher/v1/enrolment", account: account,
            body: """
                {"clauses_version": "2026-01", "callback_phone": "+39 02 1234567",
                 "contacts": [{"name": "Luca", "phone": "+39 333 1234567", "email": "luca@example.org"}],
                 "conditions": ["diabetes"], "languages": ["it"]\(more)}
                """)
        #expect(response.status == .created)
    }

    func json(_ response: HTTPResponse) async throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: try await response.collectedBody())
    }

    // MARK: As the ingestion service

    /// One upload of heart rates, a second apart, the last just now.
    func send(
        _ values: [Double], of account: UUID, latitude: Double = 45.4642, ago: Duration = .zero, held: Duration = .zero
    ) async throws {
        let live = Self.live(values, of: account, latitude: latitude, ago: ago)
        try await apply([try Self.record(live, of: account, held: held)])
    }

    /// As it is read `held` after ingestion received it.
    static func record(
        _ payload: some Encodable, of account: UUID, held: Duration = .zero
    ) throws -> FeedRecord {
        FeedRecord(
            lane: 0, position: 1, entity: account, version: 1, kind: "samples",
            payload: try JSONRaw(encoding: payload), recordedAt: .now(), age: held)
    }

    func apply(_ records: [FeedRecord]) async throws {
        switch try await capabilities.liveHandler.apply(records) {
        case .statements(let statements): try await database.batch(statements)
        case .transaction(let body): try await database.transaction { try await body($0) }
        }
    }

    static func live(
        _ values: [Double], of account: UUID, latitude: Double = 45.4642, ago: Duration = .zero
    ) -> Ingestion.LiveSamples {
        let now = Timestamp.now()
        let first = Timestamp(milliseconds: (now - ago).milliseconds - Int64(values.count - 1) * 1000)
        let offsets = values.indices.map { Int64($0) * 1000 }
        return Ingestion.LiveSamples(
            accountID: account, deviceID: watch, receivedAt: now, sentAt: now,
            series: [
                SampleSeries(type: .position, start: first, offsets: [0], latitudes: [latitude], longitudes: [9.19]),
                SampleSeries(type: .heartRate, start: first, offsets: offsets, values: values),
            ])
    }

    // MARK: As an ambulance service

    func reply(
        _ answer: String, to call: FakeHook.Call, from hook: FakeHook, token: String? = nil, decision: String? = nil,
        id: String? = nil, at time: Timestamp = .now()
    ) async throws -> HTTPResponse {
        let incident = UUID(String(call.id.prefix(36)))!
        let own = HandOverToken(master: context.keys.blindIndex).of(incident, hook: hook.name)
        let decisions = ["acceptance": "accepted", "rejection": "rejected", "resolution": "resolved"]
        let decision = decision ?? decisions[answer] ?? ""
        let body = #"{"hook": "\#(hook.name)", "token": "\#(token ?? own)", "decision": "\#(decision)"}"#
        let (id, now) = (id ?? UUID.random().description, time)
        return try await self.call(
            .post, "/dispatcher/v1/handovers/\(incident)/\(answer)",
            fields: [
                "webhook-id": id, "webhook-timestamp": WebhookSignature.timestamp(now),
                "webhook-signature": WebhookSignature.sign(
                    id: id, at: now, body: Array(body.utf8), secrets: [hook.secret]),
            ], body: body)
    }

    // MARK: Looking

    /// Nobody has anything to do for any incident.
    static let isSettled: SQL = "select bool_and(due_at is null or due_at > clock_timestamp()) from incident"

    func incidents(of account: UUID) async throws -> [JSONValue] {
        let list = try await json(try await call(.get, "/dispatcher/v1/incidents", account: account))
        return list["incidents"]?.items ?? []
    }

    /// Waits until the database says yes.
    func wait(_ question: SQL, seconds: Int64 = 10) async throws -> Bool {
        try await wait(seconds: seconds) { try await database.queryOne(question, as: Bool.self) == true }
    }

    /// Waits until `holds`.
    func wait(seconds: Int64 = 10, until holds: () async throws -> Bool) async throws -> Bool {
        let deadline = Deadline.after(.seconds(seconds))
        while !deadline.hasPassed {
            if try await holds() { return true }
            try await EventLoop.current?.sleep(for: .milliseconds(20))
        }
        return false
    }
}
