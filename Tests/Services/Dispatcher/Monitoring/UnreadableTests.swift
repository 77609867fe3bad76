import Contracts
import Feed
import JSON
import Postgres
import Primitives
import Reactor
import Service
import Testing

@testable import Dispatcher

/// Rows and events that cannot be read: they concern one person, and nobody else waits for them.
@Suite struct UnreadableTests {
    private func both(_ accounts: [UUID]) throws -> [FeedRecord] {
        try accounts.map { try TestDispatcher.record(TestDispatcher.live(critical, of: $0), of: $0) }
    }

    private func open(_ dispatcher: TestDispatcher) async throws -> Set<UUID> {
        Set(try await dispatcher.database.query("select account from incident where state <> 'closed'", as: UUID.self))
    }

    @Test("SOS-05 SOS-07: a monitor that cannot be read begins anew, and stops nobody's alarm")
    func monitor() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = [UUID.random(), .random()]
            for account in accounts { try await dispatcher.enrol(account) }
            try await dispatcher.database.execute("update monitor set state = 'x' where account = \(accounts[0])")
            try await dispatcher.apply(both(accounts))
            #expect(try await open(dispatcher) == Set(accounts))
            #expect(dispatcher.log.lines.contains { $0.contains("begins anew") })
        }
    }

    @Test("SOS-05: an enrolment or an event that cannot be read is reported, and stops nobody's alarm")
    func enrolmentAndEvent() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = [UUID.random(), .random(), .random()]
            for account in accounts { try await dispatcher.enrol(account) }
            try await dispatcher.database.batch([
                "update enrolment set details = 'x' where account = \(accounts[0])",
                "update enrolment set rules = 'of-tomorrow' where account = \(accounts[2])",
            ])
            let malformed = try TestDispatcher.record(["start": "10000-01-01T00:00:00Z"], of: accounts[1])
            try await dispatcher.apply([malformed] + both(accounts))
            #expect(try await open(dispatcher) == Set(accounts.dropFirst()))
            let reports = dispatcher.log.lines
            #expect(reports.contains { $0.contains("an enrolment cannot be read") })
            #expect(reports.contains { $0.contains("live samples cannot be read") })
            #expect(reports.contains { $0.contains("an unknown rule set") })
        }
    }

    @Test("SOS-05 SOS-07: an open incident that cannot be read gives way to a new one, and stops no other hand-over")
    func incident() async throws {
        try await TestDispatcher.with { dispatcher in
            let accounts = [UUID.random(), .random()]
            for account in accounts {
                try await dispatcher.enrol(account)
                try await dispatcher.send(critical, of: account, ago: .seconds(60))
            }
            _ = await dispatcher.hooks[0].desk.wait { $0.count >= 2 }
            await dispatcher.stop()
            try await dispatcher.database.batch([
                "update incident set details = 'x' where account = \(accounts[0])",
                """
                update incident set due_at = opened_at, machine = jsonb_set(jsonb_set(machine,
                  '{hand_overs,0,received_number}', '0'), '{hand_overs,0,received_at}', 'null')
                """,
            ])
            let before = dispatcher.hooks[0].desk.calls.count
            let again = try await dispatcher.another()
            let calls = await dispatcher.hooks[0].desk.wait { $0.count > before }
            #expect(calls.count > before)
            try await again.send(critical, of: accounts[0])
            let id = try await dispatcher.database.queryOne(
                "select id from incident where account = \(accounts[0]) and state <> 'closed'", as: UUID.self)
            let found = await dispatcher.hooks[0].desk.wait { $0.contains { $0.id == "\(id!):1" } }
            #expect(found.contains { $0.id == "\(id!):1" })
            // Nobody can be told of the old one: nothing is left to do for it.
            let isSettled = try await dispatcher.database.queryOne(
                "select due_at is null from incident where account = \(accounts[0]) and state = 'closed'", as: Bool.self
            )
            #expect(isSettled == true)
            await again.stop()
        }
    }

    @Test("SOS-07: an incident that cannot be read is taken up once in a while, not in every round")
    func once() async throws {
        try await TestDispatcher.with { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            dispatcher.hooks[0].desk.behave(.fail)
            try await dispatcher.send(critical, of: account)
            await dispatcher.stop()
            let details = try #require(
                try await dispatcher.database.queryOne("select details from incident", as: [UInt8].self))
            try await dispatcher.database.execute("update incident set details = 'x', lease_until = '2020-01-01'")
            var times = TestDispatcher.shortTimes
            times.leaseRound = .seconds(60)
            let again = try await dispatcher.another(times: times)
            let reports = { again.log.lines.count { $0.contains("an incident cannot be read") } }
            // Its own first round.
            let isReported = try await dispatcher.wait { reports() == 1 }
            #expect(isReported)
            for _ in 0..<3 {
                try await dispatcher.database.execute("update incident set lease_until = '2020-01-01'")
                try await again.capabilities.desk.round()
            }
            #expect(reports() == 1)
            // Who can read it has it at once.
            try await dispatcher.database.execute("update incident set details = \(details)")
            dispatcher.hooks[0].desk.behave(.accept)
            let before = dispatcher.hooks[0].desk.calls.count
            let other = try await dispatcher.another()
            #expect(await dispatcher.hooks[0].desk.wait { $0.count > before }.count > before)
            await again.stop()
            await other.stop()
        }
    }

    @Test("SOS-13: a notice that cannot be read does not keep the others from being sent")
    func notice() async throws {
        try await TestDispatcher.with { dispatcher in
            await dispatcher.stop()
            try await dispatcher.database.execute(
                """
                insert into notice (id, account, template, content, email, is_urgent, due_at)
                values (\(UUID.random()), \(UUID.random()), 'sos-enrolled', 'x', false, false, '2020-01-01')
                """)
            try await dispatcher.enrol(.random())
            #expect(try await dispatcher.capabilities.notices.deliver(at: .now()) == 2)
            #expect(dispatcher.accounts.notices.count == 1)
        }
    }
}
