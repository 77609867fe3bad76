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
import Testing

@testable import Query

/// What becomes of answers about groups that nobody pays, and of all when a company leaves.
@Suite struct UnpaidGroupTests {
    private func unpaid(_ world: World, _ broker: FakeBroker) throws -> UnpaidInvoices {
        UnpaidInvoices(
            store: InvoiceStore(database: world.service.database), life: world.life(try world.pricing(broker)))
    }

    private func templates(_ world: World) async throws -> [String] {
        try await world.service.database.query("select template from notice order by template", as: String.self)
    }

    @Test(
        "PAY-01b: an answer that is not paid in time is no longer given; third party and broker are told, and nothing is owed"
    )
    func overdue() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let answer = try await world.askGroup()
            let repeated = try await world.askGroup()
            let calls = try world.brokerCalls(broker)
            #expect(try await calls.deliver() == 1)
            let invoice = try #require(try await world.invoices().first)
            let unpaid = try unpaid(world, broker)
            #expect(try await unpaid.close() == 0)
            world.clock.advance(by: .seconds(14 * 86_400))
            #expect(try await unpaid.close() == 1)
            #expect(try await unpaid.close() == 0)
            #expect(try await world.invoices().map { $0["state"]?.text } == ["cancelled"])
            #expect(try await templates(world) == ["group-payment-due", "group-payment-lapsed"])
            #expect(try await calls.deliver() == 1)
            #expect(broker.calls.map(\.event) == ["due", "cancelled"])

            let late = try await world.callBack(broker, World.callBack(invoice))
            #expect(late.status == 409 && late.code == "invoice-cancelled")
            for answer in [answer, repeated] {
                let over = try await world.group(answer)
                #expect(over.status == 410 && over.code == "not-paid-in-time")
            }
            let history = try #require(try await world.asCompany(.get, "/group-requests")["group_requests"]?.items)
            #expect(history.count == 2)
            #expect(history.allSatisfy { $0["answer"] == nil && $0["payment"]?["state"]?.text == "cancelled" })
            // Not even where nothing costs anything any more, or when the invoice is forgotten.
            let id = try #require(answer["id"]?.text.flatMap { UUID($0) })
            for _ in 0..<2 {
                let kept = try #require(try await world.groupHistory(nil).request(id, of: world.company))
                #expect(GroupHistoryEntry(kept, asksForPayment: false).answer == nil)
                try await world.service.database.execute("delete from invoice")
            }
            #expect(try await world.group(answer).status == 410)
        }
    }

    @Test("PAY-01b: what was not paid in time can be asked for again, at the price of then, and paid")
    func again() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let first = try await world.askGroup()
            world.clock.advance(by: .seconds(15 * 86_400))
            #expect(try await unpaid(world, broker).close() == 1)
            let second = try await world.askGroup()
            #expect(second["payment"]?["state"]?.text == "due")
            #expect(second["payment"]?["invoice"] != first["payment"]?["invoice"])
            // The privacy budget is not charged again.
            #expect(second["balance"] == first["balance"])
            let dearer = world.groupHistory(try world.pricing(broker, #"{"group_once": 9999}"#))
            #expect(
                try await dearer.record(try await world.answered(), by: world.company).invoice?.price.amount == 2000)
            let invoice = try #require(try await world.invoices("?state=due").first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            #expect(try await world.group(second).status == 200)
            #expect(try await world.group(first).status == 410)
        }
    }

    @Test(
        "PAY-01b: of a payment and its time being over at once one comes first, and broker and third party see the same",
        arguments: 0..<5)
    func race(_: Int) async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let answer = try await world.askGroup()
            let invoice = try #require(try await world.invoices().first)
            world.clock.advance(by: .seconds(14 * 86_400))
            let closing = try unpaid(world, broker)
            async let payment = world.callBack(broker, World.callBack(invoice))
            async let closed = closing.close()
            let (said, _) = try await (payment, closed)
            let state = try await world.invoices().first?["state"]?.text
            #expect(said.status == 200 ? state == "paid" : said.code == "invoice-cancelled" && state == "cancelled")
            #expect(try await world.group(answer).status == (state == "paid" ? 200 : 410))
            #expect(
                try await templates(world) == [state == "paid" ? "group-payment-received" : "group-payment-lapsed"])
        }
    }

    @Test(
        "ACC-12d PAY-01b: a company that leaves owes nothing for groups, and its questions go; what it paid is kept as an accounting record"
    )
    func companyErased() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            _ = try await world.askGroup()
            let invoice = try #require(try await world.invoices().first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            world.clock.advance(by: .seconds(1))
            let part = GroupRequestTests.question.replacing("2025-06-02", with: "2025-06-01")
            _ = try await world.askGroup(part)
            let rival = world.neighbours.addCompany("Rival")
            let theirs = try await world.askGroup(company: rival)

            let life = world.life(try world.pricing(broker))
            let follower = ErasureFollower(
                ConsentErasure(life: life, historyDays: 730, searchDays: 90), world.service.context,
                in: world.service.database, keys: life.store.keys)
            let erasure = try await follower.erase(
                world.company, .thirdParty, at: world.clock.now(), in: world.service.database)
            let states = try await world.service.database.query(
                "select state from invoice where requester_id = \(world.company) order by created_at", as: String.self)
            #expect(states == ["paid", "cancelled"])
            let items = try await ErasureFollower.items(of: erasure, in: world.service.database)
            #expect(items["group-requests"]?.count == 2 && items["group-requests"]?.ground == nil)
            #expect(items["invoices"]?.count == 2 && items["invoices"]?.ground == .accountingRecord)
            #expect(try await world.asCompany(.get, "/group-requests")["group_requests"]?.items.isEmpty == true)
            #expect(try await world.group(theirs, company: rival).status == 402)
        }
    }

    @Test(
        "NFR-06 GRP-07: questions and answers are kept for their time, longer while they are due; their invoices for theirs"
    )
    func retention() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let answer = try await world.askGroup()
            let invoice = try #require(try await world.invoices().first)
            let rule = try #require(
                HistoryRetention.rules(in: world.service.database).first { $0.name == "group-requests" })
            #expect(try await rule.enforce(before: World.start + .seconds(60)) == 0)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            #expect(try await rule.enforce(before: World.start - .seconds(60)) == 0)
            #expect(try await world.group(answer).status == 200)
            #expect(try await rule.enforce(before: World.start + .seconds(60)) == 1)
            #expect(try await world.group(answer).status == 404)
            #expect(try await world.invoices().map { $0["state"]?.text } == ["paid"])
        }
    }

    @Test("ACC-13: a company's questions about groups are in its export, with the answers that it has paid")
    func export() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            // More than a page of the export.
            for _ in 0..<21 { #expect(try await world.askGroup().status == 200) }
            let caller = world.service.rpc(as: "accounts")
            func sizes() async throws -> [String: Int] {
                try await ExportPages.all { after in
                    var params = Exports.Params(accountID: world.company, kind: .thirdParty)
                    params.after = after
                    return try await caller.call(Query.Export.self, params)
                }
            }
            let due = try await sizes()
            #expect(due.keys.sorted() == ["payments/invoices.jsonl", "requests/groups.jsonl"])
            let invoice = try #require(try await world.invoices().first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            let paid = try await sizes()
            #expect(try #require(paid["requests/groups.jsonl"]) > (try #require(due["requests/groups.jsonl"])))
        }
    }

    @Test("PAY-01b: the database keeps no answer without its question's outcome, and no invoice of what was refused")
    func constraints() async throws {
        try await World.with(isRunning: false) { world in
            func refused(_ outcome: String, _ buckets: String?, _ balance: String?, _ invoice: UUID?) async -> String? {
                let error = await #expect(throws: PostgresError.self) {
                    try await world.service.database.execute(
                        """
                        insert into group_request (id, requester_id, asked_at, question, key, outcome, buckets, balance, invoice_id)
                        values (\(UUID.random()), \(world.company), now(), '{}', \([UInt8](repeating: 1, count: 32)), \(outcome),
                          \(buckets.map { Array($0.utf8) }), \(balance.map { Array($0.utf8) }), \(invoice))
                        """)
                }
                return error?.constraint
            }
            #expect(await refused("answered", nil, nil, nil) == "group_request_answer")
            #expect(await refused("answered", "[]", nil, nil) == "group_request_answer")
            #expect(await refused("too-few-people", "[]", "[]", nil) == "group_request_answer")
            #expect(await refused("too-few-people", nil, nil, .random()) == "group_request_invoice")
            #expect(await refused("free", nil, nil, nil) == "group_request_outcome")
        }
    }
}
