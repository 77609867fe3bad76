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
        /// By id.
        var mails: [UUID: Accounts.Mail.Params] = [:]
        var delay = Duration.zero
        /// Who enrols, with what devices.
        var wearer = Accounts.Wearer.Result(
            identity: TestDispatcher.identity, deviceTypes: [.position, .heartRate])
    }

    let state = Mutex(State())

    var notices: [Accounts.Notify.Params] { state.withLock { $0.notices } }

    var mails: [Accounts.Mail.Params] { state.withLock { Array($0.mails.values) } }

    func router(_ tokens: TestTokens) -> RPCRouter {
        var router = RPCRouter()
        tokens.register(in: &router)
        router.register(Accounts.Identity.self, allow: ["dispatcher"]) { [self] _, _ in
            try await answer()
            return state.withLock(\.wearer.identity)
        }
        router.register(Accounts.Wearer.self, allow: ["dispatcher"]) { [self] _, _ in
            try await answer()
            return state.withLock(\.wearer)
        }
        router.register(Accounts.Notify.self, allow: ["dispatcher"]) { [self] params, _ in
            try state.withLock { state throws(RPCError) in
                guard state.takesNotices else { throw RPCError(.unavailable) }
                state.notices.append(params)
            }
            return Empty()
        }
        router.register(Accounts.Mail.self, allow: ["dispatcher"]) { [self] params, _ in
            try state.withLock { state throws(RPCError) in
                guard state.takesNotices else { throw RPCError(.unavailable) }
                state.mails[params.id] = params
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
    static let identity = Accounts.Identity.Result(
        name: "Rosa", surname: "Bianchi", fiscalCode: fiscalCode, birthDate: birthDate, sex: .female)
    static let fiscalCode = try! FiscalCode.make(
        surname: "Bianchi", name: "Rosa", birth: birthDate, sex: .female, place: BelfioreCode("F205")!)

    let assembled: AssembledService
    let capabilities: Capabilities
    let database: Database
    /// Of the keys of people and incidents.
    let keyStore: TestDatabase
    let hooks: [FakeHook]
    /// Who sends text messages and calls, and who is told of alarms, in the order in which the test names them.
    let messageHooks: [FakeHook]
    let setting: Setting
    let accounts: FakeAccounts
    let tokens: TestTokens
    let context: ServiceContext<DispatcherSettings>
    let log: MemoryLogSink
    /// Of the local journal.
    let disk: MemoryDisk

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

    /// What a test chooses beside ambulance services.
    struct Setting: Sendable {
        var messageHooks: [(kind: MessageHook.Kind, name: String)] = []
        /// Which of the ambulance services take exercises.
        var exercises: [String: Hook.Exercises] = [:]
        var contactTimes = shortContactTimes
        var alarmTimes = shortAlarmTimes
        var alarms: AlarmSettings?
        var ageMin: Int?
        /// What AutomatedSOS costs.
        var payments: SubscriptionSettings?
    }

    /// As `shortTimes`.
    static var shortContactTimes: ContactTimes {
        var times = ContactTimes()
        times.grace = .milliseconds(300)
        times.withoutHooks = .milliseconds(300)
        times.sensorLost = .zero
        times.pauses = [50, 100, 200].map { .milliseconds($0) }
        times.attempt = .milliseconds(500)
        times.round = .milliseconds(50)
        return times
    }

    static var shortAlarmTimes: AlarmTimes {
        var times = AlarmTimes()
        times.gather = .milliseconds(300)
        times.pauses = [.milliseconds(100)]
        times.attempt = .milliseconds(500)
        times.round = .milliseconds(50)
        return times
    }

    static func with(
        hooks names: [String] = ["north"], times: HandOverTimes = shortTimes, clock: any WallClock = SystemClock(),
        keys given: ServiceKeys? = nil, setting: Setting = Setting(),
        _ body: @escaping @Sendable (TestDispatcher) async throws -> Void
    ) async throws {
        try await TestDatabase.with { keyStore in
            try await with(names, times, clock, given, keyStore, setting, body)
        }
    }

    private static func with(
        _ names: [String], _ times: HandOverTimes, _ clock: any WallClock, _ given: ServiceKeys?,
        _ keyStore: TestDatabase, _ setting: Setting,
        _ body: @escaping @Sendable (TestDispatcher) async throws -> Void
    ) async throws {
        try await TestDatabase.with(configure: { $0.connectionsPerLoopMax = 8 }) { test in
            try await Migrations(schema: test.schema, DispatcherService.migrations).run(on: test.database)
            try await test.addAudit()
            let all = names + setting.messageHooks.map(\.name)
            try await FakeHook.with(all, on: test.loops) { all in
                let (hooks, messageHooks) = (Array(all.prefix(names.count)), Array(all.dropFirst(names.count)))
                let keys = try given ?? .random()
                let tokens = TestTokens(clock: clock)
                let dispatcher = try await make(
                    test.database, keyStore, test.loops, hooks, messageHooks, setting, keys, tokens, FakeAccounts(),
                    times, clock, MemoryDisk())
                let outcome: Result<Void, any Error>
                do { outcome = .success(try await body(dispatcher)) } catch { outcome = .failure(error) }
                await dispatcher.stop()
                try expectDocumented(hooks.flatMap { $0.desk.calls + $0.desk.probes }.map(\.body))
                let document = try APIDocument.of(DispatcherService.openAPI)
                for (index, hook) in messageHooks.enumerated() {
                    let isContact = [.sms, .call].contains(setting.messageHooks[index].kind)
                    for call in hook.desk.calls {
                        let webhook = isContact ? "contactMessage" : "operatorAlarms"
                        #expect(document.faults(ofMessage: call.body, to: webhook) == [], "NFR-09")
                    }
                }
                try outcome.get()
            }
        }
    }

    /// Messages to hooks are what the receivers' document says.
    static func expectDocumented(_ messages: [[UInt8]]) throws {
        let document = try APIDocument.of(ReceiverDocument.bytes)
        for message in messages {
            let request = try HTTPRequest(
                .post, "/incidents",
                fields: [
                    "Content-Type": message.first == UInt8(ascii: "<") ? "application/cap+xml" : "application/json",
                    "webhook-id": "an-id", "webhook-timestamp": "1",
                    "webhook-signature": "v1,x",
                ], body: message)
            #expect(document.faults(of: request, answer: HTTPResponse(.noContent)) == [], "NFR-09")
        }
    }

    private static func make(
        _ database: Database, _ keyStore: TestDatabase, _ loops: EventLoopGroup, _ hooks: [FakeHook],
        _ messageHooks: [FakeHook], _ setting: Setting,
        _ keys: ServiceKeys, _ tokens: TestTokens, _ accounts: FakeAccounts, _ times: HandOverTimes,
        _ clock: any WallClock, _ disk: MemoryDisk
    ) async throws -> TestDispatcher {
        let (sink, revocations) = (MemoryLogSink(), Revocations())
        // As if the feed of revocations were read all the time.
        revocations.heard(at: .after(.seconds(3600)))
        let keystore = try DatabaseSettings.given(schema: keyStore.schema)
        let context = ServiceContext(
            name: "dispatcher",
            settings: DispatcherSettings(
                keystore: keystore, hooksFile: "/nonexistent", enrolmentAgeMin: setting.ageMin, alarms: setting.alarms,
                payments: setting.payments),
            baseURL: "http://127.0.0.1:1",
            loops: loops, database: database,
            peers: ["accounts": LocalCaller(router: accounts.router(tokens), as: "dispatcher")], keys: keys,
            log: Log(service: "dispatcher", level: .debug, sink: sink), clock: clock,
            revocations: revocations, databases: [keyStore.schema: keyStore.database])
        let subjectKeys = try context.connectKeyStore(keystore)
        try await context.prepare(subjectKeys.store.database, KeyStoreSchema.migrations)
        let ambulances = hooks.map { hook in
            var known = hook.hook
            known.exercises = setting.exercises[hook.name] ?? .none
            return known
        }
        let others = zip(setting.messageHooks, messageHooks).map { named, hook in
            MessageHook(
                kind: named.kind, name: hook.name, url: hook.hook.url, secret: hook.secret, allowsPrivate: true)
        }
        let capabilities = Capabilities(
            context, keys: subjectKeys, hooks: Hooks(ambulances), messageHooks: MessageHooks(others), tls: nil,
            times: times, contactTimes: setting.contactTimes, alarmTimes: setting.alarmTimes,
            broker: try setting.payments.map { Replaceable(try BrokerHook.load($0.broker)) },
            journal: try LocalJournal(disk, cipher: FieldCipher(keys.fields), log: context.log))
        var parts = ServiceParts()
        capabilities.add(to: &parts, pacing: context.pacing)
        parts.authentication = Authentication(context.authenticator)
        // The live feed is given by hand.
        parts.tasks = parts.tasks.filter { !["live-samples", "account-changes"].contains($0.name) }
        // Without neighbours: nothing but the parts runs.
        let alone = ServiceContext(
            name: "dispatcher", settings: context.settings, baseURL: context.baseURL, loops: loops, database: database,
            peers: [:], keys: keys, log: context.log)
        let assembled = try AssembledService.assemble(DispatcherService.self, parts, alone)
        assembled.start()
        return TestDispatcher(
            assembled: assembled, capabilities: capabilities, database: database, keyStore: keyStore, hooks: hooks,
            messageHooks: messageHooks, setting: setting, accounts: accounts,
            tokens: tokens, context: context, log: sink, disk: disk)
    }

    /// Another replica, or with this one's disk the same after a restart; with a database of its own it can be cut off alone.
    func another(
        times: HandOverTimes = shortTimes, hooks: [FakeHook]? = nil, disk: MemoryDisk? = nil, database: Database? = nil
    ) async throws -> TestDispatcher {
        try await Self.make(
            database ?? self.database, keyStore, context.loops, hooks ?? self.hooks, messageHooks, setting,
            context.keys, tokens, accounts, times, context.clock, disk ?? MemoryDisk())
    }

    /// Another replica while `body` runs, with a way of its own to the database: each of both can be cut off.
    func withReplica(_ body: (TestDispatcher) async throws -> Void) async throws {
        let database = Database(database.configuration, loops: context.loops)
        let replica = try await another(times: Self.patientTimes, database: database)
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(replica)) } catch { outcome = .failure(error) }
        await replica.stop()
        await database.close()
        try outcome.get()
    }

    func stop() async { await assembled.stop() }

    /// The key store is away while `body` runs.
    func withoutKeyStore(_ body: () async throws -> Void) async throws {
        try await keyStore.database.execute("alter table subject_key rename to away")
        try await body()
        try await keyStore.database.execute("alter table away rename to subject_key")
    }

    /// The database cannot be reached while `body` runs.
    func withoutDatabase<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        let there = database.configuration.connectionInfo
        await database.lead(to: "host=/nonexistent dbname=nothing")
        let outcome: Result<R, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        await database.lead(to: there)
        return try outcome.get()
    }

    /// As if the people had been enrolled before accounts was asked who they are.
    func forgetWhoIsEnrolled() async throws {
        try await database.execute(
            "update enrolled_person set identity = null, due_at = clock_timestamp() + interval '5 minutes'")
    }

    /// One upload that the feed has read, and that the database does not take in time.
    func foresee(_ values: [Double], of account: UUID, latitude: Double = 45.4642) async throws {
        let live = Self.live(values, of: account, latitude: latitude)
        await capabilities.liveHandler.foresee([try Self.record(live, of: account)], ofShard: 0)
    }

    /// The statement that stores a monitor that has begun at that time, as another process would: what is in memory is void.
    func monitor(of account: UUID, begunAt time: Timestamp) async throws -> SQL {
        let key = try #require(try await capabilities.people.keys.existingKey(of: account))
        let state = Monitor(begunAt: time).sealed(of: account, with: key)
        return "update monitor set state = \(state), revision = revision + 1 where account = \(account)"
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
                {"clauses_version": "2026-01", "grants_emergency_calls": true, "callback_phone": "+39 02 1234567",
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

    /// Applies them, and saves what is kept in memory.
    func apply(_ records: [FeedRecord]) async throws {
        try await keep(records)
        try await capabilities.liveHandler.save(ofShard: 0)
    }

    /// Applies them as the feed's consumer does before it saves.
    func keep(_ records: [FeedRecord]) async throws {
        switch try await capabilities.liveHandler.apply(records) {
        case .statements(let statements): try await database.batch(statements)
        case .transaction(let body), .keptBut(let body): try await database.transaction { try await body($0) }
        case .kept: break
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
                SampleSeries(
                    type: .position, start: first, offsets: [0], latitudes: [latitude], longitudes: [9.19],
                    accuracies: [8]),
                SampleSeries(type: .heartRate, start: first, offsets: offsets, values: values),
            ])
    }

    /// Enrols somebody whose heart is critical at once; what the first ambulance service is told first.
    func handedOver(_ account: UUID) async throws -> FakeHook.Call {
        try await enrol(account)
        try await send(critical, of: account)
        return try #require(await hooks[0].desk.firstCall())
    }

    /// The same of somebody who was critical, and is well since.
    func recovered(_ account: UUID) async throws -> FakeHook.Call {
        try await enrol(account)
        try await send([70, 71], of: account, ago: .seconds(16))
        try await send(critical, of: account, ago: .seconds(9))
        let call = try #require(await hooks[0].desk.firstCall())
        try await send([70, 71, 72], of: account, ago: .seconds(5))
        return call
    }

    // MARK: As an ambulance service

    func reply(
        _ answer: String, to call: FakeHook.Call, from hook: FakeHook, token: String? = nil, decision: String? = nil,
        more: String = "", secret: WebhookSecret? = nil, secrets: [WebhookSecret] = [], id: String? = nil,
        at time: Timestamp = .now()
    ) async throws -> HTTPResponse {
        let incident = UUID(String(call.id.prefix(36)))!
        let own = HandOverToken(master: context.keys.blindIndex).of(incident, hook: hook.name)
        let decisions = ["acceptance": "accepted", "rejection": "rejected", "resolution": "resolved"]
        let decision = decision ?? decisions[answer] ?? ""
        let word = decision.isEmpty ? "" : #", "decision": "\#(decision)""#
        let body = #"{"hook": "\#(hook.name)", "token": "\#(token ?? own)"\#(word)\#(more)}"#
        let (id, now) = (id ?? UUID.random().description, time)
        return try await self.call(
            .post, "/dispatcher/v1/handovers/\(incident)/\(answer)",
            fields: [
                "webhook-id": id, "webhook-timestamp": WebhookSignature.timestamp(now),
                "webhook-signature": WebhookSignature.sign(
                    id: id, at: now, body: Array(body.utf8),
                    secrets: secrets.isEmpty ? [secret ?? hook.secret] : secrets),
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
