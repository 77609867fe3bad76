import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Query
@testable import Statistics

/// Answers about groups that cost something.
@Suite struct GroupPaymentTests {
    @Test(
        "PAY-01c: with no price set an answer about a group shows nothing of payments, and is there at once",
        arguments: [nil, #"{"single_once": 500}"#])
    func free(prices: String?) async throws {
        @Sendable func check(_ world: World) async throws {
            try await GroupRequestTests.populate(world, count: 1001)
            let answer = try await world.askGroup()
            #expect(answer.status == 200 && answer.memberNames == ["asked_at", "balance", "buckets", "id"])
            let shown = try await world.group(answer)
            #expect(shown.status == 200)
            #expect(shown.memberNames == ["answer", "asked_at", "id", "outcome", "question"])
            #expect(
                shown["answer"]?["buckets"] == answer["buckets"] && shown["answer"]?["balance"] == answer["balance"])
            #expect(try await world.asCompany(.get, "/group-requests")["group_requests"]?.items == [shown.json])
            #expect(try await world.count("invoice") == 0)
            #expect(try await world.count("broker_call") == 0)
        }
        if let prices {
            try await World.withPayments(prices: prices, isRunning: false) { world, _ in try await check(world) }
        } else {
            try await World.with(isRunning: false) { world in try await check(world) }
        }
    }

    @Test(
        "PAY-01ab PAY-02a: an answer about a group says what is due and none of its numbers; it is given once it is paid, and not before"
    )
    func path() async throws {
        try await World.withGroupPrice { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let due = try await world.askGroup()
            #expect(due.status == 200 && due.memberNames == ["asked_at", "balance", "id", "payment"])
            #expect(due["payment"]?["state"]?.text == "due" && due["payment"]?["amount"]?.integer == 2000)
            let id = try #require(due["id"]?.text)
            let link = try #require(try await world.payLink(of: due))

            let refused = try await world.group(due)
            #expect(refused.status == 402 && refused.code == "payment-required")
            #expect(refused["amount"]?.integer == 2000 && refused["currency"]?.text == "EUR")
            #expect(refused["invoice"] == due["payment"]?["invoice"] && refused["pay_url"]?.text == link)
            let listed = try await world.asCompany(.get, "/group-requests")
            #expect(
                listed["group_requests"]?.items.map(\.names) == [["asked_at", "id", "outcome", "payment", "question"]])
            for text in [due.text, refused.text, listed.text] {
                for word in ["count", "mean", "suppressed", "\"start"] { #expect(!text.contains(word), "\(word)") }
            }

            #expect(broker.calls.count == 1)
            let told = try #require(broker.calls.first)
            #expect(told.isSigned && told.event == "due" && told.invoice == due["payment"]?["invoice"]?.text)
            #expect(told.body["description"]?.text == "TrackMe group request \(id)")
            #expect(told.body["return_url"]?.text?.hasSuffix("/group-requests") == true)
            #expect(told.body["payer"]?["name"]?.text == "Acme S.p.A.")
            let question = String(decoding: try JSONEncoder().encode(told.body), as: UTF8.self)
            for word in ["Lombardia", "heart", "female"] { #expect(!question.contains(word)) }

            let invoice = try #require(try await world.invoices("?state=due").first)
            #expect(invoice["kind"]?.text == "group-once" && invoice["request_id"]?.text == id)
            #expect(try await world.callBack(broker, World.callBack(invoice))["state"]?.text == "paid")
            let paid = try await world.group(due)
            #expect(paid.status == 200 && paid["payment"]?["state"]?.text == "paid")
            let buckets = try #require(paid["answer"]?["buckets"]?.items)
            #expect(buckets.map { $0["start"]?.text } == ["2025-06-01", "2025-06-02"])
            #expect(buckets.allSatisfy { $0["count"]?.double != nil && $0["mean"]?.double != nil })
            #expect(try await world.asCompany(.get, "/group-requests")["group_requests"]?.items == [paid.json])

            #expect(await world.neighbours.reached(sent: 2))
            let messages = world.neighbours.sent(to: world.company)
            #expect(messages.map(\.template).sorted() == ["group-payment-due", "group-payment-received"])
            #expect(messages.first { $0.template == "group-payment-due" }?.values["pay_url"] == link)
            #expect(messages.allSatisfy { $0.values["amount"] == "2000 EUR" && $0.values["request_id"] == id })
            // Events are about people's data.
            #expect(try await world.count("event") == 0)
        }
    }

    @Test("PAY-01ab GRP-03: a question that is refused costs nothing, and is refused as without prices")
    func refused() async throws {
        let collected = Collected()
        @Sendable func ask(_ world: World, count: Int) async throws {
            try await GroupRequestTests.populate(world, count: count)
            let answer = try await world.call(
                .post, "/group-requests", GroupRequestTests.question,
                token: world.service.tokens.token(.thirdParty, account: world.company, scopes: ["groups"]),
                fields: ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"])
            #expect(answer.status == 403 && answer.code == "too-few-people")
            collected.add(answer.body)
        }
        try await World.with(isRunning: false) { world in try await ask(world, count: 1000) }
        for count in [0, 1000] {
            try await World.withGroupPrice(isRunning: false) { world, _ in
                try await ask(world, count: count)
                let history = try await world.asCompany(.get, "/group-requests")["group_requests"]?.items
                #expect(history?.map(\.names) == [["asked_at", "id", "outcome", "question"]])
                let wrong = GroupRequestTests.question.replacing("heart-rate", with: "position")
                #expect(try await world.askGroup(wrong).status == 422)
                try await world.statistics.execute("update spent_by set amount = 124990000")
                let other = GroupRequestTests.question.replacing("female", with: "male")
                #expect(try await world.askGroup(other).code == "privacy-budget-spent")
                #expect(try await world.count("invoice") == 0)
                #expect(try await world.count("broker_call") == 0)
            }
        }
        #expect(collected.all.count == 3 && Set(collected.all).count == 1)
    }

    @Test(
        "PAY-01b: the same question costs a third party once: what is due has the same invoice, what is paid is answered again"
    )
    func repetition() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let first = try await world.askGroup()
            let balance = first["balance"]
            // However it is written.
            let spelled = GroupRequestTests.question.replacing("Lombardia", with: "lombardia")
            let again = try await world.askGroup(spelled)
            #expect(again["id"] != first["id"] && again["payment"] == first["payment"] && again["buckets"] == nil)
            #expect(again["balance"] == balance)
            let invoices = try await world.invoices()
            #expect(invoices.count == 1)
            #expect(try await world.callBack(broker, World.callBack(invoices[0])).status == 200)

            let paid = try await world.askGroup()
            #expect(paid["payment"]?["state"]?.text == "paid" && paid["buckets"]?.items.count == 2)
            for answer in [first, again, paid] {
                #expect(try await world.group(answer)["answer"]?["buckets"] == paid["buckets"])
            }
            #expect(try await world.invoices() == (try await world.invoices("?state=paid")))
            // A part of it is another question, and what others have paid is not paid for them.
            let part = try await world.askGroup(GroupRequestTests.question.replacing("2025-06-02", with: "2025-06-01"))
            #expect(part["payment"]?["state"]?.text == "due" && part["buckets"] == nil)
            let rival = world.neighbours.addCompany("Rival")
            let theirs = try await world.askGroup(company: rival)
            #expect(theirs["payment"]?["state"]?.text == "due" && theirs["buckets"] == nil)
            #expect(try await world.invoices().count == 2)
            #expect(try await world.invoices(company: rival).count == 1)
        }
    }

    @Test("PAY-01b: the same question several times at once has one invoice, and pays for the privacy budget once")
    func atOnce() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let answers = try await withThrowingTaskGroup(of: World.Answer.self) { group in
                for _ in 0..<4 { group.addTask { try await world.askGroup() } }
                return try await group.reduce(into: [World.Answer]()) { $0.append($1) }
            }
            #expect(answers.count == 4 && answers.allSatisfy { $0.status == 200 && $0["buckets"] == nil })
            #expect(Set(answers.map { $0["payment"]?["invoice"]?.text }).count == 1)
            #expect(Set(answers.map { $0["id"]?.text }).count == 4)
            #expect(try await world.invoices().count == 1)
            #expect(try await world.brokerCalls(broker).deliver() == 1)
            #expect(broker.calls.map(\.event) == ["due"])
            let spent = try await world.statistics.queryOne("select amount from spent_by", as: Int64.self)
            #expect(spent == 2 * PrivacyPrice().day(GroupRequestTests.days[0]))
        }
    }

    @Test("PAY-01b NFR-05: an answer about a group, its payment and its invoice are not there for another company")
    func others() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let answer = try await world.askGroup()
            let invoice = try #require(try await world.invoices().first)
            let rival = world.neighbours.addCompany("Rival")
            for _ in 0..<2 {
                #expect(try await world.group(answer, company: rival).status == 404)
                #expect(
                    try await world.asCompany(.get, "/invoices/\(invoice["id"]?.text ?? "")", company: rival).status
                        == 404)
                #expect(
                    try await world.asCompany(.get, "/group-requests", company: rival)["group_requests"]?.items.isEmpty
                        == true)
                // As when it is paid.
                _ = try await world.callBack(broker, World.callBack(invoice))
            }
            #expect(try await world.group(answer).status == 200)
            #expect(try await world.asCompany(.get, "/group-requests/\(UUID.random())").status == 404)
        }
    }

    @Test("PAY-01b PAY-02a: another amount, a failure and a second payment give no answer, or change nothing")
    func calls() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let answer = try await world.askGroup()
            let invoice = try #require(try await world.invoices().first)
            for (body, status, code) in [
                (World.callBack(invoice, amount: 1999), 409, "amount-differs"),
                (World.callBack(invoice, currency: "USD"), 409, "amount-differs"),
                (World.callBack(invoice, "failed"), 200, nil),
            ] as [(String, Int, String?)] {
                let said = try await world.callBack(broker, body)
                #expect(said.status == status && said.code == code)
                #expect(try await world.group(answer).status == 402)
            }
            #expect(try await world.invoices().first?["failed_at"] != nil)
            for _ in 0..<2 { #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200) }
            let second = try await world.callBack(broker, World.callBack(invoice, reference: "pay_2"))
            #expect(second.status == 409 && second.code == "paid-already")
            #expect(try await world.callBack(broker, World.callBack(invoice, "failed")).status == 200)
            #expect(try await world.group(answer).status == 200)
            #expect(try await world.count("notice") == 1)
        }
    }

    @Test(
        "PAY-01ab: an answer costs what answers cost when it was asked for, and what is due is given where nothing costs anything any more"
    )
    func otherPrices() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let answer = try await world.askGroup()
            let id = try #require(answer["id"]?.text.flatMap { UUID($0) })
            let dearer = world.groupHistory(try world.pricing(broker, #"{"group_once": 9999}"#))
            let question = try await world.answered()
            let again = try await dearer.record(question, by: world.company)
            #expect(again.invoice?.price.amount == 2000)
            let other = try await dearer.record(question, by: .random())
            #expect(other.invoice?.price.amount == 9999)
            // Answers are free, requests are not.
            let free = world.groupHistory(try world.pricing(broker, #"{"single_once": 500}"#))
            #expect(try await free.record(question, by: .random()).invoice == nil)
            #expect(try await free.record(question, by: world.company).invoice?.price.amount == 2000)

            let off = world.groupHistory(nil)
            let given = try #require(try await off.request(id, of: world.company))
            #expect(GroupHistoryEntry(given, asksForPayment: false).answer != nil)
            #expect(GroupHistoryEntry(given, asksForPayment: false).payment == nil)
            #expect(GroupHistoryEntry(given, asksForPayment: true).answer == nil)
            // What was given once is not charged later.
            let stranger = UUID.random()
            #expect(try await off.record(question, by: stranger).invoiceID == nil)
            #expect(try await dearer.record(question, by: stranger).invoiceID == nil)
            // The invoice stays; with prices again it can be paid.
            let invoice = try #require(try await world.invoices("?state=due").first)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            #expect(try await world.group(answer).status == 200)
        }
    }

    @Test(
        "PAY-01b NFR-04: answer and invoice are kept together or not at all, and what a crash leaves is asked for again and charged once"
    )
    func crash() async throws {
        try await World.withGroupPrice(isRunning: false) { world, broker in
            try await GroupRequestTests.populate(world, count: 1001)
            let spent: SQL = "select coalesce(sum(amount), 0)::bigint from spent_by"
            // The process stopped when the cells were decided.
            _ = try await world.answered()
            let charged = try await world.statistics.queryOne(spent, as: Int64.self)
            #expect(charged == 2 * PrivacyPrice().day(GroupRequestTests.days[0]))
            #expect(try await world.count("group_request") == 0)
            // Then while question and invoice were written.
            try await world.service.database.execute(
                "alter table broker_call add constraint crash check (attempts < 0)")
            let (history, question) = (
                world.groupHistory(try world.pricing(broker, World.groupPrices)), try await world.answered()
            )
            await #expect(throws: (any Error).self) { _ = try await history.record(question, by: world.company) }
            for table in ["group_request", "invoice", "broker_call"] { #expect(try await world.count(table) == 0) }
            try await world.service.database.execute("alter table broker_call drop constraint crash")
            // Then before the broker was told.
            let answer = try await world.askGroup()
            #expect(answer["payment"]?["state"]?.text == "due" && answer["payment"]?["pay_url"] == nil)
            #expect(broker.calls.isEmpty)
            #expect(try await world.brokerCalls(broker).deliver() == 1)
            #expect(broker.calls.map(\.invoice) == [answer["payment"]?["invoice"]?.text])
            #expect(try await world.statistics.queryOne(spent, as: Int64.self) == charged)
            #expect(try await world.askGroup()["payment"]?["invoice"] == answer["payment"]?["invoice"])
        }
    }
}

extension World {
    fileprivate static let groupPrices = #"{"single_once": 500, "single_subscription": 200, "group_once": 2000}"#

    /// With prices, also of answers about groups.
    static func withGroupPrice(
        isRunning: Bool = true, _ body: @escaping @Sendable (World, FakeBroker) async throws -> Void
    ) async throws {
        try await withPayments(prices: groupPrices, isRunning: isRunning, body)
    }

    func askGroup(_ question: String = GroupRequestTests.question, company: UUID? = nil) async throws -> Answer {
        try await asCompany(.post, "/group-requests", question, company: company)
    }

    /// The group request that was answered so.
    func group(_ answer: Answer, company: UUID? = nil) async throws -> Answer {
        try await asCompany(.get, "/group-requests/\(answer["id"]?.text ?? "")", company: company)
    }

    /// What the company is answered to the usual question, before anybody keeps it.
    func answered() async throws -> AnsweredQuestion {
        let pool = try BlockingPool(threads: 1, queueMax: 1)
        defer { pool.shutdown() }
        let groups = GroupRequests(
            database: statistics, ledger: PrivacyLedger(caps: PrivacyCaps()), price: PrivacyPrice(), clock: clock,
            pool: pool, places: ComputingPlaces(1), quiet: .zero)
        let body = try JSONDecoder().decode(GroupQuestionBody.self, from: Array(GroupRequestTests.question.utf8))
        return try await groups.answer(body, by: company)
    }

    /// The history with other prices, as after a change of the configuration.
    func groupHistory(_ pricing: Pricing?) -> GroupHistory {
        GroupHistory(database: service.database, clock: clock, pricing: pricing)
    }

    /// Where an answer is paid, once the broker has said so to the service itself, within `Duration.patience`. Call on a loop.
    func payLink(of answer: Answer) async throws -> String? {
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            if let link = try await group(answer)["pay_url"]?.text { return link }
        }
        return nil
    }
}

extension World.Answer {
    var memberNames: [String] { json.names }
}

extension JSONValue {
    /// Of an object's members.
    fileprivate var names: [String] {
        guard case .object(let object) = self else { return [] }
        return object.members.map(\.key).sorted()
    }
}
