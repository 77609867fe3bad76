import Domain
import Edge
import Postgres
import Primitives
import Reactor
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct MailLaneTests {
    @Test("ACC-17: Nothing is held open while mail is handed over, and nobody else sends what is on its way")
    func claimed() async throws {
        try await AccountsTest.with { test in
            #expect(try await test.register(TestPerson()).status == 202)
            let mail = try test.capabilities.mail
            let gate = test.settings.mailbox.hold()
            let sending = test.service.loops.loops[0].throwingTask { try await mail.deliverDue() }
            await gate.reached()
            // The row can be written, no transaction is open, and another replica finds nothing.
            try await test.database.execute("update mail set attempts = attempts")
            let open = try await test.database.queryOne(
                """
                select count(*) from pg_stat_activity where state like 'idle in transaction%'
                  and datname = current_database() and query like '%from mail%'
                """, as: Int.self)
            #expect(open == 0)
            #expect(try await mail.deliverDue() == 0)
            gate.open()
            #expect(try await sending.value == 1)
            #expect(test.settings.mailbox.messages.count == 1)
        }
    }

    @Test("ACC-17 NFR-03: Mail that a replica was sending when it ended is sent by another when its claim is over")
    func crashed() async throws {
        try await AccountsTest.with { test in
            #expect(try await test.register(TestPerson()).status == 202)
            try await test.database.execute(
                "update mail set attempts = 1, due_at = \(test.clock.now() + MailSender.claimTime)")
            #expect(try await test.deliver() == 0)
            test.clock.advance(by: MailSender.claimTime)
            #expect(try await test.deliver() == 1)
        }
    }

    @Test("ACC-12b ACC-17: While erasures are done again after a restore only urgent mail goes; the rest follows")
    func withheld() async throws {
        try await AccountsTest.with { test in
            #expect(try await test.register(TestPerson()).status == 202)
            try await test.database.execute("update mail set is_urgent = true")
            #expect(try await test.register(TestPerson(number: 1)).status == 202)
            let withholding = test.service.context.withholding
            withholding.begin()
            #expect(try await test.deliver() == 1)
            #expect(try await test.deliver() == 0)
            withholding.end()
            #expect(try await test.deliver() == 1)
        }
    }

    @Test("ACC-17: While the relay takes nothing one mail tries it, and the others lose no time when it is back")
    func relayAway() async throws {
        try await AccountsTest.with { test in
            for number in 0..<40 { #expect(try await test.register(TestPerson(number: number)).status == 202) }
            let relay = try test.capabilities.mail.relay
            for _ in 0..<RelayState.failuresMax {
                #expect(relay.isOpen(underWay: 5))
                relay.failed()
            }
            #expect(relay.isTroubled && !relay.isOpen(underWay: 1) && !relay.isOpen(underWay: 0))
            #expect(try await test.database.queryOne("select max(attempts) from mail", as: Int32.self) == 0)
            // All but one were tried, and wait for their next try.
            try await test.database.execute(
                """
                update mail set attempts = 9, due_at = \(test.clock.now() + .seconds(1800))
                where id <> (select id from mail order by id limit 1)
                """)
            #expect(try await test.deliver() == 40)
            #expect(!relay.isTroubled && relay.isOpen(underWay: 5))
        }
    }

    @Test("ACC-17: An urgent mail is found at once among a million that wait")
    func plan() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await test.database.execute(
                """
                insert into mail (id, account, template, content, is_urgent, created_at)
                select gen_random_uuid(), \(anna.account), 'x', '', false, \(test.clock.now()) from generate_series(1, 20000)
                """)
            try await test.database.execute("analyze mail")
            let plan = try await test.database.query(
                """
                explain select id from mail where sent_at is null and is_urgent = true and due_at <= now()
                order by due_at, created_at limit 8 for update skip locked
                """, as: String.self)
            #expect(plan.contains { $0.contains("mail_due") } && !plan.contains { $0.contains("Sort") })
            try await test.database.execute("delete from mail")
        }
    }
}
