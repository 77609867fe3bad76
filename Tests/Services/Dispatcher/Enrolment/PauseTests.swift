import Contracts
import Feed
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Security
import Service
import ServiceTesting
import Testing

@testable import Dispatcher

@Suite struct PauseTests {
    private static let path = "/dispatcher/v1/enrolment/pause"

    private func pause(_ dispatcher: TestDispatcher, _ account: UUID, minutes: Int = 60) async throws -> HTTPResponse {
        try await dispatcher.call(.put, Self.path, account: account, body: #"{"minutes": \#(minutes)}"#)
    }

    private func phase(_ dispatcher: TestDispatcher, _ account: UUID) async throws -> String? {
        try await dispatcher.json(try await dispatcher.call(.get, "/dispatcher/v1/monitor", account: account))["phase"]?
            .text
    }

    /// Whom ingestion is to watch.
    private func watched(_ dispatcher: TestDispatcher) async throws -> [UUID] {
        let ingestion = LocalCaller(router: dispatcher.assembled.rpc, as: "ingestion")
        return try await ingestion.call(FeedSnapshot.self, .init(feed: Dispatcher.watchFeed, page: nil)).entities
            .map(\.entity)
    }

    private func templates(_ dispatcher: TestDispatcher) async throws -> [String] {
        #expect(try await dispatcher.wait("select count(*) = 0 from notice"))
        return dispatcher.accounts.notices.map(\.template)
    }

    @Test("SOS-01f: nobody watches who has paused; afterwards everything is as before, with an empty monitor")
    func life() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            #expect(try await pause(dispatcher, account).status == .notFound)
            try await dispatcher.enrol(account)
            try await dispatcher.send([70, 38], of: account)
            let answer = try await pause(dispatcher, account)
            #expect(answer.status == .ok)
            let until = try await dispatcher.json(answer)["paused_until"]
            #expect(until != nil)
            #expect(try await phase(dispatcher, account) == "paused")
            #expect(try await watched(dispatcher).isEmpty)
            let shown = try await dispatcher.json(
                try await dispatcher.call(.get, "/dispatcher/v1/enrolment", account: account))
            #expect(shown["paused_until"] == until)
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.incidents(of: account).isEmpty)

            // A change of the enrolment is no end of the pause.
            let changed = try await dispatcher.call(
                .put, "/dispatcher/v1/enrolment", account: account,
                body:
                    #"{"clauses_version": "2026-01", "grants_emergency_calls": true, "callback_phone": "+39 02 7654321"}"#
            )
            #expect(changed.status == .ok)
            #expect(try await phase(dispatcher, account) == "paused")
            #expect(try await watched(dispatcher).isEmpty)

            #expect(try await dispatcher.call(.delete, Self.path, account: account).status == .noContent)
            #expect(try await dispatcher.call(.delete, Self.path, account: account).status == .noContent)
            #expect(try await phase(dispatcher, account) == "normal")
            #expect(try await watched(dispatcher) == [account])
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.incidents(of: account).count == 1)
            #expect(try await templates(dispatcher).prefix(3) == ["sos-enrolled", "sos-paused", "sos-resumed"])
        }
    }

    @Test("SOS-01f: a pause has an end, at most seven days ahead", arguments: [0, -5, 10_081])
    func limits(_ minutes: Int) async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let answer = try await pause(dispatcher, account, minutes: minutes)
            let problem = try await dispatcher.json(answer)
            #expect(answer.status == .unprocessableContent)
            #expect(problem["errors"]?.items.first?["pointer"] == .string("/minutes"))
            #expect(try await watched(dispatcher) == [account])
        }
    }

    @Test(
        "SOS-01f: watching goes on by itself, also after a clock was set, while the key store is away, and whoever else cannot be"
    )
    func end() async throws {
        try await TestDispatcher.with { dispatcher in
            let (over, set, later, lost) = (UUID.random(), UUID.random(), UUID.random(), UUID.random())
            for account in [over, set, later, lost] {
                try await dispatcher.enrol(account)
                #expect(try await pause(dispatcher, account).status == .ok)
            }
            let store = dispatcher.capabilities.enrolmentRoutes.store
            let (notices, log) = (dispatcher.capabilities.notices, dispatcher.context.log)
            try await store.resumeDue(at: .now(), telling: notices, log: log)
            #expect(try await watched(dispatcher).isEmpty)

            try await dispatcher.keyStore.database.execute("delete from subject_key where account_id = \(lost)")
            dispatcher.capabilities.people.keys.forget([lost])
            try await dispatcher.withoutKeyStore {
                try await dispatcher.database.batch([
                    "update enrolment set paused_until = clock_timestamp() where account = any(\([over, lost]))",
                    "update enrolment set paused_until = clock_timestamp() + interval '30 days' where account = \(set)",
                ])
                try await store.resumeDue(at: .now(), telling: notices, log: log)
            }
            #expect(Set(try await watched(dispatcher)) == [over, set])
            try await dispatcher.send(critical, of: over)
            #expect(try await dispatcher.incidents(of: over).count == 1)
            #expect(try await phase(dispatcher, later) == "paused")
        }
    }

    @Test("SOS-01f SOS-07a: an emergency that is open goes on through a pause, and one who ends it is not resumed")
    func open() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let hook = dispatcher.hooks[0]
            let call = try #require(await hook.desk.firstCall())
            #expect(try await pause(dispatcher, account).status == .ok)
            #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
            #expect(try await dispatcher.incidents(of: account).first?["state"] == .string("acknowledged"))
            #expect(
                try await dispatcher.call(.delete, "/dispatcher/v1/enrolment", account: account).status == .noContent)
            try await dispatcher.capabilities.enrolmentRoutes.store.resumeDue(
                at: .now(), telling: dispatcher.capabilities.notices, log: dispatcher.context.log)
            #expect(try await watched(dispatcher).isEmpty)
        }
    }

    @Test("SOS-01f SOS-05: who is paused leaves no gap to be read, and is not silent")
    func nothingElse() async throws {
        try await TestDispatcher.with { dispatcher in
            let (paused, other) = (UUID.random(), UUID.random())
            for account in [paused, other] { try await dispatcher.enrol(account) }
            #expect(try await pause(dispatcher, paused).status == .ok)
            let gaps = GapStore(database: dispatcher.database)
            try await dispatcher.database.execute(gaps.openAll())
            #expect(try await dispatcher.database.query("select account from feed_gap", as: UUID.self) == [other])
            try await dispatcher.database.execute("delete from feed_gap")
            try await dispatcher.database.execute(gaps.open(of: [paused, other]))
            #expect(try await dispatcher.database.query("select account from feed_gap", as: UUID.self) == [other])
            #expect(try await dispatcher.database.query("select account from monitor", as: UUID.self) == [other])
        }
    }
}
