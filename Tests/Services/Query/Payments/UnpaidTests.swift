import Contracts
import Domain
import Feed
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

/// What becomes of invoices when requests close, and accounts leave.
@Suite struct UnpaidTests {
    private func follower(_ world: World, _ broker: FakeBroker) throws -> ErasureFollower {
        let life = world.life(try world.pricing(broker))
        return ErasureFollower(
            ConsentErasure(life: life, historyDays: 730, searchDays: 90), world.service.context,
            in: world.service.database, keys: life.store.keys)
    }

    @Test(
        "PAY-01b: a withdrawal before the payment cancels the invoice, the broker is told, and a late payment is given back"
    )
    func withdrawn() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            let id = try await world.askAndAccept()
            let calls = try world.brokerCalls(broker)
            try await calls.deliver()
            let invoice = try #require(try await world.invoices().first)
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            let cancelled = try #require(try await world.invoices().first)
            #expect(cancelled["state"]?.text == "cancelled" && cancelled["pay_url"] == nil)
            try await calls.deliver()
            #expect(broker.calls.map(\.event) == ["due", "cancelled"])
            #expect(broker.calls.last?.body["payer"] == nil)
            let late = try await world.callBack(broker, World.callBack(invoice))
            #expect(late.status == 409 && late.code == "invoice-cancelled")
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").code == "consent-withdrawn")
        }
    }

    @Test("PAY-01b: what is paid stays paid after a withdrawal, and its data ends all the same")
    func paidThenWithdrawn() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            let id = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices().first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
            #expect(try await world.invoices().first?["state"]?.text == "paid")
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").code == "consent-withdrawn")
            #expect(try await world.brokerCalls(broker).deliver() == 0)
        }
    }

    @Test(
        "PAY-01b: of a payment and a withdrawal at the same time one comes first, and the broker is answered by that",
        arguments: 0..<5)
    func race(_: Int) async throws {
        try await World.withPayments { world, broker in
            let id = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices().first)
            async let payment = world.callBack(broker, World.callBack(invoice))
            async let withdrawal = world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            let (paid, withdrawn) = try await (payment, withdrawal)
            #expect(withdrawn.status == 200)
            let state = try await world.invoices().first?["state"]?.text
            #expect(paid.status == 200 ? state == "paid" : paid.code == "invoice-cancelled" && state == "cancelled")
        }
    }

    @Test("PAY-01b: a request that is not paid in time ends, and nothing is owed")
    func overdue() async throws {
        try await World.withPayments { world, broker in
            let id = try await world.askAndAccept()
            try await world.round()
            #expect(try await world.state(of: id) == "accepted")
            world.clock.advance(by: .seconds(14 * 86_400))
            try await world.round()
            #expect(try await world.state(of: id) == "ended")
            #expect(try await world.invoices().first?["state"]?.text == "cancelled")
        }
    }

    @Test("PAY-01b: an invoice whose request closed while there were no prices is cancelled at its time")
    func withoutRequest() async throws {
        try await World.withPayments { world, broker in
            let id = try await world.askAndAccept()
            _ = try await world.life(nil).end(id, by: world.company)
            #expect(try await world.invoices().first?["state"]?.text == "due")
            world.clock.advance(by: .seconds(15 * 86_400))
            try await world.round()
            #expect(try await world.invoices().first?["state"]?.text == "cancelled")
        }
    }

    @Test("ACC-12d PAY-01b: a company that leaves owes nothing; what it paid is kept as an accounting record")
    func companyErased() async throws {
        try await World.withPayments { world, broker in
            let first = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices().first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            _ = try await world.asPerson(.post, "/me/requests/\(first)/withdrawal")
            world.clock.advance(by: .seconds(1))
            _ = try await world.askAndAccept()
            let erasure = try await follower(world, broker).erase(
                world.company, .thirdParty, at: world.clock.now(), in: world.service.database)
            let states = try await world.service.database.query(
                "select state from invoice order by created_at", as: String.self)
            #expect(states == ["paid", "cancelled"])
            let item = try await ErasureFollower.items(of: erasure, in: world.service.database)["invoices"]
            #expect(item?.count == 2 && item?.ground == .accountingRecord && item?.keptUntil != nil)
        }
    }

    @Test(
        "ACC-12d: of a person who is erased no invoice says anything; a due one is cancelled, and prices go with the requests"
    )
    func personErased() async throws {
        try await World.withPayments { world, broker in
            _ = try await world.askAndAccept()
            try await follower(world, broker).erase(world.person, at: world.clock.now(), in: world.service.database)
            #expect(try await world.invoices().map { $0["state"]?.text } == ["cancelled"])
            let rows = try await world.service.database.query(
                "select invoice::text || (select count(*) from quote) from invoice", as: String.self)
            #expect(rows.count == 1 && rows.allSatisfy { !$0.contains(world.person.description) && $0.hasSuffix("0") })
        }
    }

    @Test("NFR-06: invoices are kept for their years, longer than their requests, and no longer")
    func retention() async throws {
        try await World.withPayments { world, broker in
            let id = try await world.askAndAccept()
            let invoice = try #require(try await world.invoices().first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
            let rules =
                HistoryRetention.rules(in: world.service.database)
                + Payments.retention(in: world.service.database)
            for rule in rules where rule.name != "invoices" {
                _ = try await rule.enforce(before: World.start + .seconds(60))
            }
            #expect(try await world.state(of: id) == nil)
            #expect(try await world.invoices().count == 1)
            let own = try #require(rules.first { $0.name == "invoices" })
            #expect(own.days >= 3652)
            #expect(try await own.enforce(before: World.start - .seconds(60)) == 0)
            #expect(try await own.enforce(before: World.start + .seconds(60)) == 1)
        }
    }

    @Test("ACC-13: a company's invoices are in its export")
    func export() async throws {
        try await World.withPayments { world, _ in
            _ = try await world.askAndAccept()
            let caller = world.service.rpc(as: "accounts")
            func paths(_ account: UUID, _ kind: AccountKind) async throws -> [String: Int] {
                try await ExportPages.all { after in
                    var params = Exports.Params(accountID: account, kind: kind)
                    params.after = after
                    return try await caller.call(Query.Export.self, params)
                }
            }
            let company = try await paths(world.company, .thirdParty)
            #expect(company.keys.sorted() == ["payments/invoices.jsonl", "requests/asked.jsonl"])
            let person = try await paths(world.person, .individual)
            #expect(person["payments/invoices.jsonl"] == nil)
        }
    }
}
