import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

/// Incidents that pass from one process to another, or wait for one.
@Suite struct TakeOverTests {
    @Test("SOS-07a NFR-03: when a process dies, another goes on with its incidents once the lease has run out")
    func takeOver() async throws {
        var never = TestDispatcher.shortTimes
        // A process that hangs: it never renews its leases.
        never.leaseRound = .seconds(3600)
        never.attempts = [.zero]
        never.attemptInterval = .seconds(3600)
        never.lease = .milliseconds(1500)
        try await TestDispatcher.with(times: never) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let desk = dispatcher.hooks[0].desk
            desk.behave(.fail)
            let began = Deadline.now()
            try await dispatcher.send(critical, of: account)
            _ = await desk.wait { !$0.isEmpty }
            let other = try await dispatcher.another()
            desk.behave(.accept)
            let calls = await desk.wait { $0.count > 1 }
            let second = try #require(calls.dropFirst().first)
            #expect(second.id == calls[0].id)
            #expect(second.at.since(began) >= .milliseconds(1400) && second.at.since(began) < .seconds(8))
            let fence = try await dispatcher.database.queryOne("select fence from incident", as: Int64.self)
            #expect(fence == 2)
            await other.stop()
        }
    }

    @Test(
        "SOS-07a SOS-07d: a database's clock that is set back or forward while a process dies holds up none of its incidents",
        arguments: ["+ interval '1 hour'", "- interval '1 hour'"])
    func takeOverAfterClockSet(_ step: String) async throws {
        var never = TestDispatcher.shortTimes
        never.leaseRound = .seconds(3600)
        never.attempts = [.zero]
        never.attemptInterval = .seconds(3600)
        try await TestDispatcher.with(times: never) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let desk = dispatcher.hooks[0].desk
            desk.behave(.fail)
            try await dispatcher.send(critical, of: account)
            _ = await desk.wait { !$0.isEmpty }
            // What was written before the clock was set is later, or earlier, than it by so much.
            try await dispatcher.database.execute(
                """
                update incident set opened_at = opened_at \(raw: step), due_at = due_at \(raw: step),
                  lease_until = lease_until \(raw: step)
                """)
            desk.behave(.accept)
            let other = try await dispatcher.another()
            let calls = await desk.wait { $0.count > 1 }
            // An hour later a reminder is due at once.
            #expect(Set(calls.prefix(2).map(\.id)).count == 1 && calls.count > 1)
            await other.stop()
        }
    }

    @Test("SOS-07: after a restart all open incidents are resumed, at once when the process stopped in order")
    func restart() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = [UUID.random(), .random(), .random()]
            for account in accounts { try await dispatcher.enrol(account) }
            let desk = dispatcher.hooks[0].desk
            desk.behave(.fail)
            for account in accounts { try await dispatcher.send(critical, of: account) }
            _ = await desk.wait { Set($0.map(\.id)).count == 3 }
            await dispatcher.stop()
            let before = desk.calls.count
            desk.behave(.accept)
            let stopped = Deadline.now()
            let other = try await dispatcher.another()
            let calls = await desk.wait { Set($0.dropFirst(before).map(\.id)).count == 3 }
            #expect(Set(calls.dropFirst(before).map(\.id)).count == 3)
            #expect((calls.last?.at ?? .never).since(stopped) < .seconds(5))
            await other.stop()
        }
    }

    @Test("SOS-07c: an acceptance told to one replica ends the hand-over by another")
    func otherReplica() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await dispatcher.handedOver(account)
            let other = try await dispatcher.another()
            #expect(try await other.reply("acceptance", to: call, from: dispatcher.hooks[0]).status == .ok)
            let isSettled = try await dispatcher.wait(TestDispatcher.isSettled)
            #expect(isSettled)
            #expect(dispatcher.hooks[1].desk.calls.isEmpty)
            await other.stop()
        }
    }

    @Test("SOS-07: incidents beyond what one process delivers wait for a free place, and none is forgotten")
    func couriersMax() async throws {
        try await TestDispatcher.with { dispatcher in
            let capabilities = dispatcher.capabilities
            let services = HandOverServices(
                store: capabilities.store, local: capabilities.journal, hooks: capabilities.callbackRoutes.hooks,
                caller: capabilities.caller,
                accounts: LocalCaller(router: dispatcher.accounts.router(dispatcher.tokens), as: "dispatcher"),
                tokens: capabilities.callbackRoutes.tokens, baseURL: "http://127.0.0.1:1",
                times: TestDispatcher.shortTimes, log: dispatcher.context.log, bell: capabilities.alarms.bell,
                metrics: HandOverMetrics(Metrics()))
            let small = HandOverDesk(services, loops: dispatcher.context.loops, couriersMax: 1)
            dispatcher.hooks[0].desk.behave(.fail)
            var records: [IncidentRecord] = []
            for _ in 0..<2 {
                let account = UUID.random()
                try await dispatcher.enrol(account)
                try await dispatcher.send(critical, of: account)
            }
            for id in try await dispatcher.database.query("select id from incident", as: UUID.self) {
                records.append(try #require(try await capabilities.store.record(id)))
            }
            for record in records { small.start(record) }
            #expect(small.runningCount == 1)
            #expect(dispatcher.log.has("an incident waits: this process delivers as many as it can"))
            await small.stop()
            dispatcher.hooks[0].desk.behave(.accept)
            #expect(try await dispatcher.wait("select count(*) = 2 from incident where state = 'handed-over'"))
        }
    }
}
