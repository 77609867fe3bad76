import Contracts
import HTTP
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Dispatcher

/// What an unpaid invoice does to whoever is watched: nothing by surprise, and nothing to an emergency.
@Suite struct UnpaidWatchingTests {
    private static let pause = "/dispatcher/v1/enrolment/pause"

    private func paused(_ dispatcher: TestDispatcher) async throws -> Bool {
        try await dispatcher.wait {
            try await dispatcher.keeper.look()
            return try await dispatcher.watched().isEmpty
        }
    }

    @Test(
        "PAY-01b SOS-12a: watching is paused after two warnings that arrived, the SOS button works, a payment goes on at once"
    )
    func unpaid() async throws {
        try await TestDispatcher.withPrice(times: TestDispatcher.patientTimes) { dispatcher, broker in
            let account = UUID.random()
            try await dispatcher.subscribe(account)
            try await dispatcher.pass(days: 22)
            try await dispatcher.keeper.look()
            #expect(!dispatcher.isTold("sos-payment-warning"))

            // While accounts takes no warning none counts, however late it is.
            dispatcher.accounts.state.withLock { $0.takesNotices = false }
            try await dispatcher.pass(days: 60)
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.watched() == [account])
            dispatcher.accounts.state.withLock { $0.takesNotices = true }
            let isWarned = try await dispatcher.wait {
                try await dispatcher.keeper.look()
                return dispatcher.isTold("sos-payment-warning")
            }
            #expect(isWarned)
            let warning = try #require(dispatcher.accounts.notices.first { $0.template == "sos-payment-warning" })
            let named = try #require(warning.values["pause_from"].flatMap { Timestamp($0) })
            #expect(warning.email && named > .now() + .seconds(6 * 86_400) && warning.values["pay_url"] != nil)

            try await dispatcher.pass(days: 5)
            try await dispatcher.keeper.look()
            #expect(dispatcher.isTold("sos-payment-last-warning"))
            try await dispatcher.pass(days: 1)
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.watched() == [account])
            try await dispatcher.pass(days: 1)
            #expect(try await paused(dispatcher))
            let isTold = try await dispatcher.wait { dispatcher.isTold("sos-payment-paused") }
            #expect(isTold)
            let shown = try await dispatcher.json(
                try await dispatcher.call(.get, "/dispatcher/v1/price", account: account))
            #expect(shown["accepted"]?["is_pausing"] == .bool(true))
            let refused = try await dispatcher.call(.delete, Self.pause, account: account)
            let problem = try await dispatcher.json(refused)
            #expect(refused.status == .paymentRequired && problem["pay_url"]?.text != nil)

            // An emergency is never refused for money.
            let pressed = try await dispatcher.call(
                .post, "/dispatcher/v1/sos", account: account, body: #"{"id": "\#(UUID.random())"}"#)
            #expect(pressed.status == .created)
            #expect(await !dispatcher.hooks[0].desk.wait { !$0.isEmpty }.isEmpty)

            let due = try #require(try await dispatcher.invoices(of: account).first)
            #expect(try await dispatcher.callBack(broker, TestDispatcher.callBack(due)).status == .ok)
            #expect(try await dispatcher.watched() == [account])
            let paid = try #require(try await dispatcher.invoices(of: account).first)
            let until = try #require(paid["covers_until"]?.text.flatMap { Timestamp($0) })
            #expect(until > .now() + .seconds(29 * 86_400))
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.watched() == [account])
        }
    }

    @Test(
        "PAY-01b SOS-07a: nobody is paused who is alerted, has an emergency, or has something that is still to be read")
    func inDanger() async throws {
        try await TestDispatcher.withPrice(times: TestDispatcher.patientTimes) { dispatcher, _ in
            let account = UUID.random()
            try await dispatcher.subscribe(account)
            try await dispatcher.passWarnings()
            let keeper = try dispatcher.keeper
            try await dispatcher.send([70, 38], of: account, ago: .seconds(9))
            try await keeper.look()
            #expect(try await dispatcher.watched() == [account])

            try await dispatcher.send(critical, of: account, ago: .seconds(5))
            let call = try #require(await dispatcher.hooks[0].desk.wait { !$0.isEmpty }.first)
            try await dispatcher.send([70, 71, 70, 71, 70], of: account)
            try await keeper.look()
            #expect(try await dispatcher.watched() == [account])
            let over = try await dispatcher.call(
                .post, "/dispatcher/v1/incidents/\(call.id.prefix(36))/false-alarm", account: account)
            #expect(over.status == .ok)

            try await dispatcher.database.execute(GapStore(database: dispatcher.database).open(of: [account]))
            try await keeper.look()
            #expect(try await dispatcher.watched() == [account])
            try await dispatcher.database.execute("delete from feed_gap")
            #expect(try await paused(dispatcher))
        }
    }

    @Test("PAY-01b PAY-02a: what nobody can pay since the broker is away has no consequence, however long")
    func brokerAway() async throws {
        try await TestDispatcher.withPrice { dispatcher, broker in
            broker.behave(.fail)
            let account = UUID.random()
            try await dispatcher.enrol(account, more: TestDispatcher.acceptance)
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.wait { !broker.calls.isEmpty })
            for _ in 0..<3 {
                try await dispatcher.pass(days: 130)
                try await dispatcher.keeper.look()
            }
            #expect(!dispatcher.isTold("sos-payment-warning"))
            #expect(try await dispatcher.watched() == [account])
            #expect(try await dispatcher.invoices(of: account).count == 1)
        }
    }

    @Test("PAY-01b: a clock that is set ahead makes no invoice, warns nobody and pauses nobody")
    func clock() async throws {
        try await TestDispatcher.withPrice { dispatcher, broker in
            let account = UUID.random()
            try await dispatcher.subscribe(account)
            let own = try dispatcher.keeper
            let ahead = SubscriptionKeeper(
                store: own.store, enrolments: own.enrolments, times: own.times, notices: own.notices,
                accounts: own.accounts, calls: own.calls, clock: TestClock(.now() + .seconds(400 * 86_400)),
                log: own.log)
            for _ in 0..<3 { try await ahead.look() }
            #expect(!dispatcher.isTold("sos-payment-warning"))
            let due = try #require(try await dispatcher.invoices(of: account).first)
            #expect(try await dispatcher.callBack(broker, TestDispatcher.callBack(due)).status == .ok)
            try await ahead.look()
            #expect(try await dispatcher.invoices(of: account).count == 1)
            #expect(try await dispatcher.watched() == [account])
        }
    }

    @Test(
        "PAY-01b: a pause for an invoice is renewed while that is unpaid, and ends by itself when nobody looks after it"
    )
    func failSafe() async throws {
        try await TestDispatcher.withPrice { dispatcher, _ in
            let account = UUID.random()
            try await dispatcher.subscribe(account)
            try await dispatcher.passWarnings()
            #expect(try await paused(dispatcher))
            let database = dispatcher.database
            try await database.execute("update enrolment set paused_until = clock_timestamp() + interval '1 hour'")
            try await dispatcher.keeper.look()
            let isRenewed = try await database.queryOne(
                "select paused_until > clock_timestamp() + interval '30 hours' from enrolment", as: Bool.self)
            #expect(isRenewed == true)

            try await database.execute("update enrolment set paused_until = clock_timestamp()")
            let store = dispatcher.capabilities.enrolmentRoutes.store
            try await store.resumeDue(
                at: .now(), telling: dispatcher.capabilities.notices, log: dispatcher.context.log)
            #expect(try await dispatcher.watched() == [account])
            try await dispatcher.send(critical, of: account)
            #expect(try await dispatcher.incidents(of: account).count == 1)
        }
    }

    @Test("PAY-01b: who has paid is watched again also when the process dies in between")
    func interrupted() async throws {
        try await TestDispatcher.withPrice { dispatcher, broker in
            let account = UUID.random()
            try await dispatcher.subscribe(account)
            try await dispatcher.passWarnings()
            #expect(try await paused(dispatcher))
            // As a process leaves it that dies between the payment and what follows.
            try await dispatcher.database.execute(
                """
                update invoice set state = 'paid', paid_at = now(), reference = 'x', pay_url = null,
                  covers_until = now() + interval '30 days'
                """)
            try await dispatcher.keeper.look()
            #expect(try await dispatcher.watched() == [account])
            let isPausing = try await dispatcher.database.queryOne("select is_pausing from invoice", as: Bool.self)
            #expect(isPausing == false)
            #expect(broker.calls.allSatisfy { $0.event == "due" })
        }
    }
}
