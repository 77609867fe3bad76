import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization
import ServiceTesting
import Testing

@testable import Dispatcher

/// Emergencies while the database is away.
@Suite struct StandbyTests {
    /// Somebody whom this process watches and who is well.
    private func watched(_ dispatcher: TestDispatcher) async throws -> UUID {
        let account = UUID.random()
        try await dispatcher.enrol(account)
        try await dispatcher.send([70, 71], of: account, ago: .seconds(8))
        return account
    }

    private static let isOne: SQL = "select count(*) = 1 and bool_and(state <> 'closed') from incident"

    @Test(
        "SOS-07a SOS-05a NFR-03b: an emergency while the database is away is handed over with all that is known, and reaches it later as the same incident"
    )
    func handedOver() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = try await watched(dispatcher)
            let desk = dispatcher.hooks[0].desk
            let live = TestDispatcher.live(critical, of: account)
            let record = try TestDispatcher.record(live, of: account)
            let call = try await dispatcher.withoutDatabase { () async throws in
                dispatcher.accounts.state.withLock { $0.isAway = true }
                let began = Deadline.now()
                await dispatcher.capabilities.liveHandler.foresee([record], ofShard: 0)
                let call = try #require(await desk.firstCall())
                #expect(call.at.since(began) < .seconds(1))
                #expect(dispatcher.disk.appends > 0)
                return call
            }
            let told = try call.json
            #expect(call.isSigned && told["incident"]?["message"] == .string("alert"))
            #expect(told["person"]?["name"] == .string("Rosa"))
            #expect(told["person"]?["fiscal_code"] == .string(TestDispatcher.fiscalCode.description))
            #expect(told["person"]?["callback_phone"] == .string("+39021234567"))
            #expect(
                told["position"]?["latitude"] == .number(45.4642)
                    && told["incident"]?["rule"]?["name"] == .string("age"))
            // The same samples come again, with the database.
            try await dispatcher.apply([record])
            #expect(try await dispatcher.wait("select count(*) = 1 from incident where state = 'handed-over'"))
            #expect(
                try await dispatcher.database.queryOne("select id from incident", as: UUID.self)?.description
                    == String(call.id.prefix(36)))
            let all = await desk.wait(seconds: 1) { Set($0.map(\.id)).count > 1 }
            #expect(all.allSatisfy { $0.id.hasPrefix(call.id.prefix(36)) })
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            let steps = try #require(
                try await dispatcher.capabilities.store.view(UUID(String(call.id.prefix(36)))!, of: account)?.steps)
            #expect(steps.count { $0.kind == .handOverBegun } == 1 && steps.count { $0.kind == .opened } == 1)
            #expect(steps.contains { $0.kind == .received })
            let notices = try await dispatcher.wait {
                dispatcher.accounts.notices.count { $0.template == "incident-opened" } == 1
            }
            #expect(notices)
        }
    }

    @Test(
        "SOS-05d SOS-04d: without the database, too, one wrong reading is no emergency, and whoever is well is not handed over"
    )
    func well() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = try await watched(dispatcher)
            try await dispatcher.withoutDatabase { () async throws in
                try await dispatcher.foresee([70, 38, 71, 70, 72], of: account)
                try await dispatcher.foresee([70, 71, 70], of: account)
            }
            #expect(dispatcher.capabilities.journal.count == 0 && dispatcher.disk.appends == 0)
            #expect(dispatcher.capabilities.desk.runningCount == 0)
        }
    }

    @Test("SOS-07b: an emergency that was open when the database went is not handed over as another one")
    func known() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = try await watched(dispatcher)
            try await dispatcher.send(critical, of: account)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            try await dispatcher.withoutDatabase { () async throws in
                try await dispatcher.foresee(critical + [37, 38], of: account)
                try await dispatcher.foresee([38, 38, 38, 38], of: account, latitude: 45.4642)
            }
            #expect(try await dispatcher.wait("select bool_and(due_at is not null) from incident"))
            let calls = await dispatcher.hooks[0].desk.wait(seconds: 1) {
                $0.contains { !$0.id.hasPrefix(call.id.prefix(36)) }
            }
            #expect(calls.allSatisfy { $0.id.prefix(36) == call.id.prefix(36) })
            #expect(try await dispatcher.wait(Self.isOne))
        }
    }

    @Test(
        "SOS-07a SOS-05a: who comes hears of another critical state while the database is away, also when nothing more was due to anybody; it is in the incident once"
    )
    func secondState() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (account, desk) = (UUID.random(), dispatcher.hooks[0].desk)
            let call = try await dispatcher.recovered(account)
            #expect(try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0]).status == .ok)
            #expect(try await dispatcher.wait { dispatcher.capabilities.desk.runningCount == 0 })
            let before = desk.calls.map(\.sequence).max() ?? 0
            let live = TestDispatcher.live(critical, of: account)
            let record = try TestDispatcher.record(live, of: account)
            let told = try await dispatcher.withoutDatabase { () async throws in
                await dispatcher.capabilities.liveHandler.foresee([record], ofShard: 0)
                return await desk.wait { $0.contains { $0.sequence > before } }
            }
            let update = try #require(told.first { $0.sequence > before }).json
            // Whoever tells it may not know that the first message was received.
            let kinds: [JSONValue] = [.string("update"), .string("alert")]
            #expect(kinds.contains(update["incident"]?["message"] ?? .null))
            #expect(update["incident"]?["id"] == (try call.json)["incident"]?["id"])
            // The same samples come again, with the database.
            try await dispatcher.apply([record])
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(
                try await dispatcher.wait(
                    "select count(*) = 1 and bool_and(accepted_by = 'north' and state <> 'closed') from incident"))
            let id = try #require(UUID(String(call.id.prefix(36))))
            let view = try #require(try await dispatcher.capabilities.store.record(id))
            #expect(view.details?.findings.count == 2)
        }
    }

    @Test(
        "SOS-07a: what is on disk is handed over by the process that starts after a crash, and reaches the database once"
    )
    func crash() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = try await watched(dispatcher)
            let desk = dispatcher.hooks[0].desk
            desk.behave(.fail)
            let files = try await dispatcher.withoutDatabase { () async throws in
                try await dispatcher.foresee(critical, of: account)
                _ = await desk.wait { !$0.isEmpty }
                // As a crash leaves it.
                let files = dispatcher.disk.contents
                await dispatcher.stop()
                return files
            }
            let first = try #require(desk.calls.first)
            let before = desk.calls.count
            desk.behave(.accept)
            let disk = MemoryDisk(files)
            let other = try await dispatcher.another(disk: disk)
            let calls = await desk.wait { $0.count > before }
            #expect(calls.last?.id == first.id && calls.count > before)
            #expect(try await dispatcher.wait("select count(*) = 1 from incident where state = 'handed-over'"))
            #expect(try await dispatcher.wait { other.capabilities.journal.count == 0 && disk.contents.isEmpty })
            await other.stop()
            // As if it had crashed before it removed them: twice is once.
            let steps = "select count(*) from incident_step where kind <> 'received'"
            let written = try await dispatcher.database.queryOne("\(raw: steps)", as: Int.self)
            let again = try await dispatcher.another(disk: MemoryDisk(files))
            #expect(
                try await dispatcher.wait { again.capabilities.journal.isOpen && again.capabilities.journal.count == 0 }
            )
            #expect(try await dispatcher.database.queryOne("\(raw: steps)", as: Int.self) == written)
            await again.stop()
        }
    }

    @Test("SOS-07a: a disk that is full, or a journal that cannot be opened, stops no alarm, and is told")
    func withoutDisk() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = try await watched(dispatcher)
            dispatcher.disk.state.withLock { $0.room = 0 }
            try await dispatcher.withoutDatabase { () async throws in
                try await dispatcher.foresee(critical, of: account)
                #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
            }
            #expect(dispatcher.log.has("an incident is handed over that is neither in the database nor on disk"))
            #expect(try await dispatcher.wait("select count(*) = 1 from incident where state = 'handed-over'"))
        }
    }

    @Test("SOS-13b: while the database is away the next hook is called when one does not answer")
    func escalation() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"]) { dispatcher in
            let account = try await watched(dispatcher)
            dispatcher.hooks[0].desk.behave(.fail)
            let call = try await dispatcher.withoutDatabase { () async throws in
                try await dispatcher.foresee(critical, of: account)
                let call = try #require(await dispatcher.hooks[1].desk.firstCall())
                #expect(try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[1]).status == .ok)
                return call
            }
            #expect(call.sequence > 0)
            #expect(try await dispatcher.wait("select count(*) = 1 from incident where accepted_by = 'south'"))
        }
    }

    @Test("SOS-02: somebody who has ended the enrolment is not judged, and neither is a stranger")
    func ended() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = try await watched(dispatcher)
            #expect(
                try await dispatcher.call(.delete, "/dispatcher/v1/enrolment", account: account).status == .noContent)
            try await dispatcher.withoutDatabase { () async throws in
                try await dispatcher.foresee(critical, of: account)
                try await dispatcher.foresee(critical, of: .random())
            }
            #expect(dispatcher.capabilities.journal.count == 0 && dispatcher.capabilities.desk.runningCount == 0)
        }
    }

    @Test("SOS-05: who has sent nothing since the process began is judged, too")
    func loaded() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let roster = dispatcher.capabilities.standby.roster
            roster.follow(.all, ofShard: 0)
            #expect(roster[account] == nil)
            try await dispatcher.capabilities.rosterKeeper.keep()
            #expect(roster[account]?.enrolled.identity != nil)
            try await dispatcher.withoutDatabase { () async throws in
                try await dispatcher.foresee(critical, of: account)
                #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
            }
        }
    }

    @Test("SOS-05: a database that takes nothing in time, but is there, makes one incident, not two")
    func slow() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = try await watched(dispatcher)
            let live = TestDispatcher.live(critical, of: account)
            let record = try TestDispatcher.record(live, of: account)
            let locked = EventCounter()
            let released = EventCounter()
            let loop = try #require(EventLoop.current)
            let holding = loop.throwingTask {
                try await dispatcher.database.transaction { transaction in
                    try await transaction.execute("lock table incident in access exclusive mode")
                    locked.raise()
                    _ = await released.wait(after: 0, deadline: .after(.seconds(20)))
                }
            }
            _ = await locked.wait(after: 0, deadline: .after(.seconds(10)))
            let applying = loop.throwingTask { try await dispatcher.apply([record]) }
            await dispatcher.capabilities.liveHandler.foresee([record], ofShard: 0)
            let call = try #require(await dispatcher.hooks[0].desk.firstCall())
            released.raise()
            try await holding.value
            try await applying.value
            #expect(try await dispatcher.wait("select count(*) = 1 from incident where state = 'handed-over'"))
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            #expect(dispatcher.hooks[0].desk.calls.allSatisfy { $0.id == call.id })
        }
    }
}
