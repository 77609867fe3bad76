import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

/// Incidents that nobody answers, and answers that come when nobody expects them.
@Suite struct UnansweredTests {
    /// The cancellations of what `first` is about.
    private func withdrawals(_ calls: [FakeHook.Call], of first: FakeHook.Call) -> [FakeHook.Call] {
        calls.filter { call in
            call.id.prefix(36) == first.id.prefix(36)
                && (try? call.json)?["incident"]?["message"] == .string("cancel")
        }
    }

    /// Calls about incidents that were not known before.
    private func others(_ calls: [FakeHook.Call], than first: FakeHook.Call) -> [FakeHook.Call] {
        calls.filter { $0.id.prefix(36) != first.id.prefix(36) }
    }

    /// The alert of the incident that takes the place of `first`, and the cancellation of `first`.
    private func replacement(
        of first: FakeHook.Call, at desk: FakeHook.Desk
    ) async throws -> (alert: JSONValue, withdrawal: JSONValue)? {
        let calls = await desk.wait { calls in
            !others(calls, than: first).isEmpty && !withdrawals(calls, of: first).isEmpty
        }
        guard let alert = try others(calls, than: first).first?.json["incident"],
            let withdrawal = try withdrawals(calls, of: first).first?.json["incident"]
        else { return nil }
        return (alert, withdrawal)
    }

    @Test("SOS-05 SOS-07: an emergency after one that everybody has rejected is handed over as a new one")
    func afterRejection() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let hook = dispatcher.hooks[0]
            try await dispatcher.send(critical, of: account, ago: .seconds(60))
            let first = try #require(await hook.desk.firstCall())
            #expect(try await dispatcher.reply("rejection", to: first, from: hook).status == .ok)
            try await dispatcher.send(critical, of: account)
            let second = try #require(
                others(await hook.desk.wait { !others($0, than: first).isEmpty }, than: first).first)
            let message = try second.json
            #expect(message["incident"]?["message"] == .string("alert") && second.sequence == 1)
            let shown = try await dispatcher.incidents(of: account)
            #expect(shown.map { $0["outcome"]?.text } == [nil, "unanswered"])
            #expect(withdrawals(hook.desk.calls, of: first).isEmpty)
            let told = try await dispatcher.wait("select count(*) = 0 from notice")
            #expect(told)
            #expect(dispatcher.accounts.notices.count { $0.template == "incident-opened" } == 2)
            #expect(try await dispatcher.reply("acceptance", to: second, from: hook).status == .ok)
        }
    }

    @Test(
        "SOS-05 SOS-07: an emergency long after one that nobody has accepted is a new one; who has the old one is told")
    func longAgo() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let hook = dispatcher.hooks[0]
            try await dispatcher.send(critical, of: account, ago: .seconds(60))
            let first = try #require(await hook.desk.firstCall())
            try await dispatcher.database.execute("update incident set opened_at = opened_at - interval '31 minutes'")
            try await dispatcher.send(critical, of: account)
            let told = try #require(await replacement(of: first, at: hook.desk))
            #expect(told.alert["message"] == .string("alert"))
            #expect(told.withdrawal["message"] == .string("cancel"))
            #expect(told.withdrawal["reason"] == .string("superseded"))
            #expect(told.withdrawal["superseded_by"] == told.alert["id"])
            #expect(told.alert["superseded_by"] == nil)
            let late = try await dispatcher.reply("acceptance", to: first, from: hook)
            #expect(late.status == .conflict)
        }
    }

    @Test("SOS-13: a new emergency of an incident that is not accepted alarms the operator again")
    func alarmAgain() async throws {
        var hasty = TestDispatcher.shortTimes
        hasty.acceptanceMax = .milliseconds(50)
        try await TestDispatcher.with(times: hasty) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account, ago: .seconds(60))
            let alarms: @Sendable (Int) -> SQL = {
                "select count(*) = \(Int64($0)) from incident_step where kind = 'operator-alarmed'"
            }
            #expect(try await dispatcher.wait(alarms(1)))
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.wait(alarms(2)))
            #expect(try await dispatcher.incidents(of: account).count == 1)
        }
    }

    @Test("SOS-07: what nobody accepts ends after a day, but not while it has not been received")
    func forgotten() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let (received, unreached) = (UUID.random(), UUID.random())
            for account in [received, unreached] { try await dispatcher.enrol(account) }
            let desk = dispatcher.hooks[0].desk
            try await dispatcher.send(critical, of: received)
            #expect(try await dispatcher.wait("select exists (select from incident where state = 'handed-over')"))
            desk.behave(.fail)
            try await dispatcher.send(critical, of: unreached)
            _ = await desk.wait { Set($0.map { $0.id.prefix(36) }).count == 2 }
            await dispatcher.stop()
            try await dispatcher.database.execute("update incident set opened_at = opened_at - interval '25 hours'")
            desk.behave(.accept)
            let hook = try #require(dispatcher.hooks.first)
            // Configured no more: what was not received stays so.
            let another = try await dispatcher.another(hooks: [])
            #expect(try await another.wait("select exists (select from incident where outcome = 'unanswered')"))
            let closed = try await dispatcher.database.query(
                "select account from incident where outcome is not null", as: UUID.self)
            #expect(closed == [received])
            another.capabilities.callbackRoutes.hooks.replace([hook.hook])
            let told = await desk.wait { calls in
                calls.contains { (try? $0.json)?["incident"]?["reason"] == .string("unanswered") }
            }
            #expect(told.contains { (try? $0.json)?["incident"]?["message"] == .string("cancel") })
            await another.stop()
        }
    }

    @Test("SOS-12b: a test call that is accepted before its receipt is over, and another can be made")
    func acceptedExercise() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let hook = dispatcher.hooks[0]
            hook.desk.behave(.hang)
            #expect(try await dispatcher.call(.post, "/dispatcher/v1/exercise", account: account).status == .created)
            let call = try #require(await hook.desk.firstCall())
            #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
            #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
            let shown = try await dispatcher.incidents(of: account)
            #expect(shown.map { $0["outcome"]?.text } == ["exercised"])
            #expect(try await dispatcher.call(.post, "/dispatcher/v1/exercise", account: account).status == .created)
        }
    }

    @Test("SOS-13: a hook that is configured while an incident has none is called")
    func newHook() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let hooks = dispatcher.capabilities.callbackRoutes.hooks
            let all = hooks.all
            hooks.replace([])
            try await dispatcher.send(critical, of: account)
            #expect(
                try await dispatcher.wait("select exists (select from incident_step where kind = 'operator-alarmed')"))
            hooks.replace(all)
            #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
        }
    }

    @Test("SOS-07: a courier whose steps can never be written gives its place back")
    func incidentGone() async throws {
        var times = TestDispatcher.shortTimes
        times.leaseRound = .seconds(1)
        times.finishMax = .milliseconds(50)
        try await TestDispatcher.with(times: times) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            dispatcher.hooks[0].desk.behave(.fail)
            try await dispatcher.send(critical, of: account)
            let desk = dispatcher.capabilities.desk
            #expect(desk.runningCount == 1)
            // Calls that fail meanwhile cannot be noted any more.
            try await dispatcher.database.transaction { transaction in
                try await transaction.execute("delete from incident_step")
                try await transaction.execute("delete from incident")
                let before = dispatcher.hooks[0].desk.calls.count
                _ = await dispatcher.hooks[0].desk.wait { $0.count >= before + 3 }
            }
            let isEmpty = try await dispatcher.wait { desk.runningCount == 0 }
            #expect(isEmpty)
        }
    }

    // MARK: While the database is slow

    private func cancellation(at desk: FakeHook.Desk) async -> JSONValue? {
        let isCancellation: (FakeHook.Call) -> Bool = {
            (try? $0.json)?["incident"]?["message"] == .string("cancel")
        }
        let calls = await desk.wait { $0.contains(where: isCancellation) }
        return (try? calls.first(where: isCancellation)?.json)?["incident"]
    }

    /// Calls `south` while nobody can write to the incident.
    private func callInVain(_ dispatcher: TestDispatcher) async throws -> FakeHook.Call {
        let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
        _ = await north.desk.wait { !$0.isEmpty }
        return try await dispatcher.database.transaction { transaction in
            try await transaction.execute("select from incident for update")
            return try #require(await south.desk.firstCall())
        }
    }

    @Test("SOS-07 SOS-13: a hook that was called while the database was slow can accept, and be told of a false alarm")
    func slowDatabase() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"]) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            dispatcher.hooks[0].desk.behave(.fail)
            try await dispatcher.send(critical, of: account)
            let call = try await callInVain(dispatcher)
            let id = call.id.prefix(36)
            #expect(try await dispatcher.wait("select jsonb_array_length(machine->'hand_overs') = 2 from incident"))
            let answer = try await dispatcher.call(
                .post, "/dispatcher/v1/incidents/\(id)/false-alarm", account: account)
            #expect(answer.status == .ok)
            let told = await cancellation(at: dispatcher.hooks[1].desk)
            #expect(told?["reason"] == .string("false-alarm"))
            let begun = try await dispatcher.database.queryOne(
                "select count(*) from incident_step where kind = 'hand-over-begun' and hook = 'south'", as: Int64.self)
            #expect(begun == 1)
        }
    }

    /// From now on each commit that changes an incident takes as long as this expression.
    private func commitLate(_ expression: String, _ dispatcher: TestDispatcher) async throws {
        try await dispatcher.database.batch([
            """
            create function commit_late() returns trigger language plpgsql as
            $$ begin perform \(raw: expression); return null; end $$
            """,
            """
            create constraint trigger commit_late after update on incident deferrable initially deferred
            for each row when (old.machine is distinct from new.machine) execute function commit_late()
            """,
        ])
    }

    /// Commits that change an incident end only after `body`.
    private func whileCommitsHang(
        _ dispatcher: TestDispatcher, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await commitLate("pg_advisory_xact_lock_shared(tg_relid::bigint)", dispatcher)
        try await dispatcher.database.transaction { transaction in
            try await transaction.execute("select pg_advisory_xact_lock('incident'::regclass::oid::bigint)")
            try await body()
        }
    }

    @Test("SOS-08: a false alarm that is told to another process than the one that calls waits for a slow commit")
    func slowCommitElsewhere() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await dispatcher.handedOver(account)
            let other = try await dispatcher.another(times: TestDispatcher.patientTimes)
            // Twice what the database has for it where there is a courier.
            try await commitLate("pg_sleep(1)", dispatcher)
            let answer = try await other.call(
                .post, "/dispatcher/v1/incidents/\(call.id.prefix(36))/false-alarm", account: account)
            #expect(answer.status == .ok)
            #expect(await cancellation(at: dispatcher.hooks[0].desk) != nil)
            await other.stop()
        }
    }

    @Test("SOS-13: what a service says of an incident that nobody delivers waits for a slow commit")
    func slowCommitWithoutCourier() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await dispatcher.send(critical, of: account)
            let hook = dispatcher.hooks[0]
            let call = try #require(await hook.desk.firstCall())
            #expect(try await dispatcher.reply("acceptance", to: call, from: hook).status == .ok)
            #expect(try await dispatcher.wait { dispatcher.capabilities.desk.runningCount == 0 })
            try await commitLate("pg_sleep(1)", dispatcher)
            #expect(try await dispatcher.reply("resolution", to: call, from: hook).status == .ok)
            #expect(dispatcher.capabilities.journal.count == 0)
        }
    }

    @Test("SOS-07: leases are renewed while an incident's row is locked by a commit that takes long")
    func lockedRow() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let store = dispatcher.capabilities.store
            for _ in 0..<2 {
                let account = UUID.random()
                try await dispatcher.enrol(account)
                try await dispatcher.send(critical, of: account)
            }
            let ids = try await dispatcher.database.query("select id from incident order by id", as: UUID.self)
            let renewed = try await dispatcher.database.transaction { transaction in
                try await transaction.execute("select from incident where id = \(ids[0]) for update")
                return try await store.renew(ids).map(\.id)
            }
            #expect(Set(renewed) == Set(ids))
        }
    }

    @Test("SOS-07 SOS-13a: a commit that the database's disk does not end holds up neither a call nor an acceptance")
    func slowCommits() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            try await whileCommitsHang(dispatcher) {
                let sent = Deadline.now()
                try await dispatcher.send(critical, of: account)
                let call = try #require(await dispatcher.hooks[0].desk.firstCall())
                #expect(call.at.since(sent) < .seconds(2))
                #expect(try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[0]).status == .ok)
                #expect(Deadline.now().since(call.at) < .seconds(3))
            }
            #expect(try await dispatcher.wait("select coalesce(bool_and(accepted_by = 'north'), false) from incident"))
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
            // What was written in the end and what was on disk are one: there is nothing to be told. On a slow machine the message
            // comes again under the same number.
            let calls = dispatcher.hooks[0].desk.calls
            #expect(Set(calls.map(\.id)).count == 1)
            let id = try #require(UUID(String(calls[0].id.prefix(36))))
            let record = try #require(try await dispatcher.capabilities.store.record(id))
            #expect(record.incident.lastNumber == 1 && !record.incident.hasWork)
        }
    }

    @Test("SOS-07a: while a commit does not end, a disk that has room again is asked for what it did not take")
    func slowCommitAndFullDisk() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let journal = dispatcher.capabilities.journal
            try await whileCommitsHang(dispatcher) {
                dispatcher.disk.state.withLock { $0.room = 0 }
                try await dispatcher.send(critical, of: account)
                #expect(await dispatcher.hooks[0].desk.firstCall() != nil)
                #expect(journal.count == 0)
                dispatcher.disk.state.withLock { $0.room = .max }
                #expect(try await dispatcher.wait(seconds: 5) { journal.count > 0 })
            }
            #expect(try await dispatcher.wait { journal.count == 0 })
        }
    }

    @Test("SOS-13: while commits do not end, a service hands back what it has accepted, and the next one is called")
    func slowCommitsAndHandedBack() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let (north, south) = (dispatcher.hooks[0], dispatcher.hooks[1])
            try await whileCommitsHang(dispatcher) {
                try await dispatcher.send(critical, of: account)
                let call = try #require(await north.desk.firstCall())
                #expect(try await dispatcher.reply("acceptance", to: call, from: north).status == .ok)
                #expect(try await dispatcher.reply("rejection", to: call, from: north).status == .ok)
                let next = try #require(await south.desk.firstCall())
                #expect(try await dispatcher.reply("acceptance", to: next, from: south).status == .ok)
            }
            #expect(try await dispatcher.wait("select coalesce(bool_and(accepted_by = 'south'), false) from incident"))
            #expect(try await dispatcher.wait { dispatcher.capabilities.journal.count == 0 })
        }
    }

    @Test("SOS-07 SOS-13: who has the message can accept although the call could not be written down")
    func unwrittenLeg() async throws {
        try await TestDispatcher.with(hooks: ["north", "south"], times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            let call = try await dispatcher.handedOver(account)
            // Nothing is on disk of a call to south.
            #expect(try await dispatcher.reply("acceptance", to: call, from: dispatcher.hooks[1]).status == .ok)
            let told = await cancellation(at: dispatcher.hooks[0].desk)
            #expect(told?["reason"] == .string("accepted-by-another"))
        }
    }

    @Test("SOS-08: a call that becomes known after the incident was called off is withdrawn")
    func calledOffMeanwhile() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account, more: #", "abort_window_s": 30"#)
            try await dispatcher.send(critical, of: account)
            let id = try #require(try await dispatcher.incidents(of: account).first?["id"]?.text)
            let answer = try await dispatcher.call(
                .post, "/dispatcher/v1/incidents/\(id)/false-alarm", account: account)
            #expect(try await dispatcher.json(answer)["outcome"] == .string("suppressed"))
            let incident = UUID(id)!
            #expect(try await dispatcher.capabilities.store.decide(.handOverBegun("north"), of: incident) == .done)
            dispatcher.capabilities.desk.changed(incident)
            #expect(await cancellation(at: dispatcher.hooks[0].desk) != nil)
            #expect(dispatcher.hooks[0].desk.calls.count == 1)
            #expect(try await dispatcher.incidents(of: account).first?["outcome"] == .string("false-alarm"))
        }
    }
}
