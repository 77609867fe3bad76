import Contracts
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Service
import ServiceTesting
import Telemetry
import Testing

@testable import Dispatcher

@Suite struct WearerTellerTests {
    /// What ingestion is told, of one person in the order of its versions.
    private func told(
        _ dispatcher: TestDispatcher, of account: UUID
    ) async throws -> [(version: Int64, state: Dispatcher.WearerState)] {
        let ingestion = LocalCaller(router: dispatcher.assembled.rpc, as: "ingestion")
        let page = try await ingestion.call(FeedSnapshot.self, .init(feed: Dispatcher.wearersFeed, page: nil))
        let cursor = FeedCursor(epoch: page.cursor?.epoch ?? "", positions: [])
        let read = try await ingestion.call(
            FeedRead.self,
            .init(feed: Dispatcher.wearersFeed, cursor: cursor, acknowledged: nil, limit: 500, waitMilliseconds: 0))
        return try read.events.filter { $0.entity == account }.sorted { $0.version < $1.version }.map {
            ($0.version, try $0.decode())
        }
    }

    private func snapshot(_ dispatcher: TestDispatcher) async throws -> [UUID: Dispatcher.WearerState.Stage] {
        let ingestion = LocalCaller(router: dispatcher.assembled.rpc, as: "ingestion")
        let page = try await ingestion.call(FeedSnapshot.self, .init(feed: Dispatcher.wearersFeed, page: nil))
        return Dictionary(
            uniqueKeysWithValues: try page.entities.map {
                ($0.entity, try $0.decode(Dispatcher.WearerState.self).stage)
            })
    }

    /// Waits until the last that is told of a person is this.
    private func becomes(
        _ stage: Dispatcher.WearerState.Stage, _ account: UUID, _ dispatcher: TestDispatcher
    ) async throws {
        var last: Dispatcher.WearerState.Stage?
        let isSo = try await dispatcher.wait {
            last = try await told(dispatcher, of: account).last?.state.stage
            return last == stage
        }
        #expect(isSo, "\(stage) and not \(String(describing: last))")
    }

    @Test(
        "SOS-04ab SOS-13e: each change of how a wearer stands is told, each under a newer version, and that it is over")
    func changes() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, calm) = (UUID.random(), UUID.random())
            for one in [account, calm] { try await dispatcher.enrol(one) }
            try await dispatcher.send([70, 71], of: calm)
            try await dispatcher.send([70, 38], of: account, ago: .seconds(8))
            try await becomes(.alerted, account, dispatcher)
            #expect(try await snapshot(dispatcher) == [account: .alerted])
            try await dispatcher.send(critical, of: account)
            try await becomes(.handedOver, account, dispatcher)
            let hook = dispatcher.hooks[0]
            let call = try #require(hook.desk.calls.last)
            #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
            try await becomes(.accepted, account, dispatcher)
            #expect(try await snapshot(dispatcher) == [account: .accepted])
            try await dispatcher.send([70, 71, 72, 73], of: account)
            #expect(try await dispatcher.reply("resolution", to: call, from: hook).status == .ok)
            try await becomes(.calm, account, dispatcher)
            #expect(try await snapshot(dispatcher).isEmpty)
            let all = try await told(dispatcher, of: account)
            #expect(all.map(\.version) == (1...Int64(all.count)).map(\.self))
            let id = UUID(String(call.id.prefix(36)))
            #expect(all.filter { $0.state.stage == .accepted }.allSatisfy { $0.state.incident == id })
            // Who was well all the time is not told of.
            #expect(try await told(dispatcher, of: calm).isEmpty)
        }
    }

    @Test("SOS-08ad: during the abort window the time of the call is told, in the feed, the incident and the inbox")
    func countdown() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account, more: #", "abort_window_s": 45"#)
            try await dispatcher.send(critical, of: account)
            try await becomes(.countdown, account, dispatcher)
            let left = try #require(try await told(dispatcher, of: account).last?.state.callsInMilliseconds)
            #expect((30_000...45_000).contains(left))
            let incident = try #require(try await dispatcher.incidents(of: account).first)
            let opened = try #require(incident["opened_at"]?.text.flatMap { Timestamp($0) })
            #expect(incident["calls_at"]?.text.flatMap { Timestamp($0) } == opened + .seconds(45))
            #expect(try await dispatcher.wait("select count(*) = 0 from notice"))
            let notice = try #require(dispatcher.accounts.notices.first { $0.template == "incident-countdown" })
            #expect(notice.values["seconds"] == "45" && notice.values["calls_at"] != nil)
            #expect(dispatcher.hooks[0].desk.calls.isEmpty)
        }
    }

    @Test(
        "SOS-05 SOS-07a: nothing that is told to wearers has a say in an emergency: it is handed over while telling fails"
    )
    func beside() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.database.execute("alter table wearer rename to away")
            try await dispatcher.send(critical, of: account)
            #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
            #expect(try await dispatcher.wait { dispatcher.log.has("wearers are not told of changes") })
            try await dispatcher.database.execute("alter table away rename to wearer")
            // What could not be told is told later.
            try await becomes(.handedOver, account, dispatcher)
        }
    }

    @Test("SOS-04a NFR-04: of several replicas that find the same news one tells it")
    func replicas() async throws {
        try await TestDispatcher.with { dispatcher in
            let other = try await dispatcher.another()
            let people = (0..<20).map { _ in UUID.random() }
            for account in people { try await dispatcher.enrol(account) }
            for round in 0..<5 {
                let phase = round.isMultiple(of: 2) ? "alerted" : "normal"
                try await dispatcher.database.execute("update monitor set phase = \(phase)")
                async let first = dispatcher.capabilities.wearers.tell()
                async let second = other.capabilities.wearers.tell()
                _ = try await (first, second)
            }
            for account in people {
                let told = try await told(dispatcher, of: account)
                #expect(told.map(\.version) == (1...Int64(max(1, told.count))).map(\.self))
                #expect(told.last?.state.stage == .alerted)
            }
            await other.stop()
        }
    }

    @Test("ACC-12b: Of who is erased nothing is told any more, and nothing kept of what was")
    func erased() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            try await becomes(.handedOver, account, dispatcher)
            _ = try await dispatcher.capabilities.erasures.erase(account, at: .now(), in: dispatcher.database)
            try await becomes(.calm, account, dispatcher)
            for _ in 0..<2 { try await dispatcher.capabilities.wearers.tell() }
            #expect(try await dispatcher.database.queryOne("select count(*) from wearer", as: Int.self) == 0)
            #expect(try await snapshot(dispatcher).isEmpty)
        }
    }

    @Test("SOS-13e: a stream begins with how the person stands, has each change, and ends with the server")
    func stream() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, other) = (UUID.random(), UUID.random())
            for one in [account, other] { try await dispatcher.enrol(one) }
            let stream = try await FollowedStates(dispatcher, account)
            #expect(try await dispatcher.wait { stream.states == ["calm"] })
            try await dispatcher.send(critical, of: other)
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.wait { stream.states.last == "handed-over" })
            let hook = dispatcher.hooks[0]
            let call = try #require(
                hook.desk.calls.last { (try? $0.json["incident"]?["id"]?.text) == stream.incidents.last })
            #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
            #expect(try await dispatcher.wait { stream.states.last == "accepted" })
            #expect(Set(stream.incidents).count == 1, "nothing of anybody else")
            stream.stop()
            #expect(try await dispatcher.wait { stream.isEnded })
        }
    }

    @Test("SOS-13e: streams are limited, by account and in all")
    func streamLimits() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            let watch = WearerWatch(database: dispatcher.database)
            let readers = try (0..<WearerWatch.perAccountMax).map { _ in try watch.open(account) }
            #expect(throws: Problem.self) { try watch.open(account) }
            _ = try watch.open(.random())
            watch.close(readers[0])
            watch.close(readers[0])
            _ = try watch.open(account)
            #expect(throws: Problem.self) { try watch.open(account) }
        }
    }
}
