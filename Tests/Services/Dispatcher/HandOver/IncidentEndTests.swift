import Contracts
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ServiceTesting
import Testing

@testable import Dispatcher

/// How an accepted incident goes on, and how it ends.
@Suite struct IncidentEndTests {
    private struct Accepted {
        let account: UUID
        let hook: FakeHook
        let call: FakeHook.Call
        var id: String { String(call.id.prefix(36)) }
    }

    /// An emergency of a minute ago that the first hook has accepted.
    private func accepted(_ dispatcher: TestDispatcher) async throws -> Accepted {
        let account = UUID.random()
        try await dispatcher.enrol(account)
        let hook = dispatcher.hooks[0]
        let before = hook.desk.calls.count
        try await dispatcher.send(critical, of: account, ago: .seconds(60))
        let callCalls = await hook.desk.wait { $0.count > before }
        let call = try #require(callCalls.last)
        #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
        #expect(try await dispatcher.wait(TestDispatcher.isSettled))
        return Accepted(account: account, hook: hook, call: call)
    }

    private func messages(_ calls: [FakeHook.Call], of id: String) -> [JSONValue] {
        calls.compactMap { call in call.id.hasPrefix(id) ? (try? call.json)?["incident"] : nil }
    }

    private func outcomes(_ dispatcher: TestDispatcher, _ account: UUID) async throws -> [String?] {
        try await dispatcher.incidents(of: account).map { $0["outcome"]?.text }
    }

    @Test("SOS-05 SOS-13: resolved by the service that came, it is over: the next emergency is a new incident")
    func resolved() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"]) { dispatcher in
            let first = try await accepted(dispatcher)
            let stranger = try await dispatcher.reply("resolution", to: first.call, from: dispatcher.hooks[1])
            #expect(stranger.status == .conflict)
            for _ in 0..<2 {
                #expect(try await dispatcher.reply("resolution", to: first.call, from: first.hook).status == .ok)
            }
            let told = await first.hook.desk.wait { calls in
                messages(calls, of: first.id).contains { $0["message"] == .string("resolved") }
            }
            let resolved = messages(told, of: first.id).last { $0["message"] == .string("resolved") }
            #expect(resolved?["reason"] == .string("by-service"))
            #expect(try await outcomes(dispatcher, first.account) == ["resolved"])
            try await dispatcher.send(critical, of: first.account)
            let calls = await first.hook.desk.wait { $0.contains { !$0.id.hasPrefix(first.id) } }
            let alert = try #require(calls.first { !$0.id.hasPrefix(first.id) }).json
            #expect(alert["incident"]?["message"] == .string("alert"))
            #expect(try await outcomes(dispatcher, first.account) == [nil, "resolved"])
            let isTold = try await dispatcher.wait {
                dispatcher.accounts.notices.contains { $0.template == "incident-resolved" }
            }
            #expect(isTold)
        }
    }

    @Test(
        "SOS-07: a new critical run soon after the acceptance is an update of the same incident, with its cause and vitals"
    )
    func sameEmergency() async throws {
        try await TestDispatcher.with { dispatcher in
            let first = try await accepted(dispatcher)
            try await dispatcher.send([70, 30, 31, 30, 29], of: first.account)
            let calls = await first.hook.desk.wait { calls in
                // The person's name may be news of its own.
                messages(calls, of: first.id).contains { $0["causes"]?.items.count == 2 }
            }
            let told = try calls.last { try $0.json["incident"]?["causes"]?.items.count == 2 }
            let update = try #require(told).json
            #expect(update["incident"]?["message"] == .string("update"))
            let value = update["vitals"]?.items.first?["value"]
            #expect(value == .integer(29) || value == .number(29))
            #expect(try await outcomes(dispatcher, first.account) == [nil])
        }
    }

    @Test(
        "SOS-05: an emergency long after the acceptance, the person having been well, is a new incident that names the old"
    )
    func nextEmergency() async throws {
        try await TestDispatcher.with { dispatcher in
            let first = try await accepted(dispatcher)
            // Half an hour later, by everybody's reckoning.
            let monitor = try await dispatcher.monitor(of: first.account, begunAt: .now())
            try await dispatcher.database.batch([
                "update incident set opened_at = opened_at - interval '31 minutes'",
                monitor,
            ])
            try await dispatcher.send(critical, of: first.account)
            let calls = await first.hook.desk.wait { calls in
                calls.contains { !$0.id.hasPrefix(first.id) }
                    && messages(calls, of: first.id).contains { $0["message"] == .string("resolved") }
            }
            let alert = try #require(calls.first { !$0.id.hasPrefix(first.id) }).json["incident"]
            #expect(alert?["message"] == .string("alert") && alert?["supersedes"] == .string(first.id))
            let over = messages(calls, of: first.id).last { $0["message"] == .string("resolved") }
            #expect(over?["reason"] == .string("superseded") && over?["superseded_by"] == alert?["id"])
            #expect(try await outcomes(dispatcher, first.account) == [nil, "expired"])
        }
    }

    @Test("SOS-13: who moves does not keep an accepted incident open: it ends after its time, also by another process")
    func timeOver() async throws {
        var restless = TestDispatcher.shortTimes
        restless.movedPause = .zero
        let times = restless
        try await TestDispatcher.with(times: times) { dispatcher in
            let first = try await accepted(dispatcher)
            for step in 1...3 {
                let latitude = 45.4642 + Double(step) / 100
                try await dispatcher.send([70, 71], of: first.account, latitude: latitude)
            }
            _ = await first.hook.desk.wait {
                messages($0, of: first.id).count { $0["message"] == .string("update") } == 3
            }
            await dispatcher.stop()
            try await dispatcher.database.execute(
                """
                update incident set opened_at = opened_at - interval '4 hours', due_at = due_at - interval '4 hours'
                """)
            let other = try await dispatcher.another(times: times)
            let calls = await first.hook.desk.wait { calls in
                messages(calls, of: first.id).contains { $0["message"] == .string("resolved") }
            }
            let over = messages(calls, of: first.id).last { $0["message"] == .string("resolved") }
            #expect(over?["reason"] == .string("time-over"))
            #expect(try await outcomes(other, first.account) == ["expired"])
            #expect(try await other.wait("select bool_and(due_at is null) from incident"))
            await other.stop()
        }
    }

    @Test("SOS-13: a service that accepted and cannot come says so: the next one is called, and the wearer told")
    func handedBack() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let first = try await accepted(dispatcher)
            let south = dispatcher.hooks[1]
            #expect(south.desk.calls.isEmpty)
            #expect(try await dispatcher.reply("rejection", to: first.call, from: first.hook).status == .ok)
            let call = try #require(await south.desk.firstCall())
            #expect(try call.json["incident"]?["message"] == .string("alert"))
            #expect(try await dispatcher.reply("acceptance", to: call, from: south).status == .ok)
            #expect(try await dispatcher.incidents(of: first.account).first?["accepted_by"] == .string("south"))
            let isTold = try await dispatcher.wait {
                dispatcher.accounts.notices.contains { $0.template == "incident-handed-back" }
            }
            #expect(isTold)
        }
    }

    @Test(
        "SOS-07: a machine's clock that is set back or forward silences no attempt, and none comes early",
        arguments: [-3600.0, 3600])
    func clockSet(_ step: Double) async throws {
        let clock = TestClock(.now())
        var times = TestDispatcher.shortTimes
        times.attempts = [.zero, .milliseconds(300)]
        times.attemptInterval = .milliseconds(300)
        times.receiptMax = .seconds(3600)
        times.acceptanceMax = .seconds(3600)
        try await TestDispatcher.with(hooks: ["north", "south"], times: times, clock: clock) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let desk = dispatcher.hooks[0].desk
            desk.behave(.fail)
            try await dispatcher.send(critical, of: account)
            _ = await desk.wait { !$0.isEmpty }
            clock.advance(by: .seconds(Int64(step)))
            let count = desk.calls.count
            let set = Deadline.now()
            let calls = await desk.wait { $0.count >= count + 3 }
            #expect(calls.count >= count + 3 && Deadline.now().since(set) < .seconds(5))
            #expect(dispatcher.hooks[1].desk.calls.isEmpty)
        }
    }
}
