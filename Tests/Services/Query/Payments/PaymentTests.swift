import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Query

@Suite struct PaymentTests {
    private static let once = World.draft.replacing(
        "\"2025-09-01T00:00:00Z\", \"mode\": \"subscription\"", with: "\"2025-07-01T00:00:00Z\", \"mode\": \"once\"")

    @Test("PAY-01c: with no price set nothing of payments shows: not in what either side sees, in paths or in tables")
    func without() async throws {
        try await World.with { world in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let created = try await world.asCompany(.post, "/requests", World.draft)
            #expect(Self.names(created.json) == ["id", "state", "unavailable_types"])
            let id = try #require(created["id"]?.text)
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").status == 200)
            let shown = try await world.asCompany(.get, "/requests/\(id)")
            #expect(
                Self.names(shown.json) == [
                    "accepted_types", "access_until", "created_at", "data_types", "decided_at", "frequency", "from",
                    "granularity", "id", "individual", "lapses_at", "mode", "reason", "state", "to",
                ])
            #expect(try await world.asCompany(.get, "/requests")["requests"]?.items == [shown.json])
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").status == 200)
            for path in ["/invoices", "/invoices/\(UUID.random())"] {
                #expect(try await world.asCompany(.get, path).code == "not-found")
            }
            #expect(try await world.call(.post, "/payments/broker", "{}", token: nil).code == "not-found")
            for table in ["quote", "invoice", "broker_call"] {
                #expect(
                    try await world.service.database.queryOne(
                        "select count(*) from \(identifier: table)", as: Int.self) == 0)
            }
            try await world.round()
            #expect(await world.neighbours.reached(sent: 2))
            #expect(!world.neighbours.sent.contains { $0.template.hasPrefix("payment") })
        }
    }

    private static func names(_ value: JSONValue) -> [String] {
        guard case .object(let object) = value else { return [] }
        return object.members.map(\.key).sorted()
    }

    @Test(
        "PAY-01ab PAY-02a: a request shows its price, once accepted what is due; its data comes once it is paid, and not before",
        arguments: [(World.draft, Int64(800)), (once, Int64(500))])
    func path(draft: String, amount: Int64) async throws {
        try await World.withPayments { world, broker in
            world.neighbours.arrive(
                World.heartRates([61, 62], at: Timestamp("2025-06-20T12:00:00Z")!), of: world.person)
            let created = try await world.asCompany(.post, "/requests", draft)
            #expect(created["price"]?["amount"]?.integer == amount && created["price"]?["currency"]?.text == "EUR")
            let id = try #require(created["id"]?.text)
            let pending = try await world.asCompany(.get, "/requests/\(id)")
            #expect(pending["price"] == created["price"] && pending["payment"] == nil)
            #expect(try await world.invoices().isEmpty)

            let decided = try await world.asPerson(.post, "/me/requests/\(id)/acceptance")
            #expect(decided.status == 200)
            let due = try await world.asCompany(.get, "/requests/\(id)")["payment"]
            #expect(due?["state"]?.text == "due" && due?["amount"]?.integer == amount)
            for (path, fields) in [("data", [:]), ("data", ["Accept": "text/csv"]), ("stream", [:])]
                as [(String, HTTPFields)]
            {
                let token = try world.service.tokens.token(.thirdParty, account: world.company, scopes: ["requests"])
                let refused = try await world.call(.get, "/requests/\(id)/\(path)", "", token: token, fields: fields)
                #expect(refused.status == 402 && refused.code == "payment-required", "\(path)")
                #expect(refused["amount"]?.integer == amount && refused["currency"]?.text == "EUR")
            }
            #expect(try await world.deliveryLog().isEmpty)
            #expect(world.neighbours.readPurposes.isEmpty)

            let link = try #require(try await world.payURL(of: id))
            #expect(broker.calls.count == 1)
            let told = try #require(broker.calls.first)
            #expect(told.isSigned && told.event == "due" && told.id == "\(told.invoice ?? ""):due")
            #expect(told.timestamp == WebhookSignature.timestamp(world.clock.now()))
            #expect(told.body["payer"]?["name"]?.text == "Acme S.p.A." && told.body["amount"]?.integer == amount)
            #expect(told.body["return_url"]?.text?.hasSuffix("/data-requests/\(id)") == true)
            let text = String(decoding: try JSONEncoder().encode(told.body), as: UTF8.self)
            for secret in [World.fiscalCode, "Study", world.person.description] { #expect(!text.contains(secret)) }
            #expect(try await world.asCompany(.get, "/requests/\(id)/data")["pay_url"]?.text == link)

            let invoice = try #require(try await world.invoices("?state=due").first)
            #expect(invoice["id"]?.text == told.invoice && invoice["request_id"]?.text == id)
            let paid = try await world.callBack(broker, World.callBack(invoice))
            #expect(paid.status == 200 && paid["state"]?.text == "paid")
            let data = try await world.asCompany(.get, "/requests/\(id)/data")
            #expect(data.status == 200 && data["series"]?.items.first?["values"]?.items.count == 2)
            #expect(
                try await world.asCompany(.get, "/requests")["requests"]?.items.first?["payment"]?["state"]?.text
                    == "paid")
            #expect(try await world.invoices("?state=due").isEmpty)
            let kept = try #require(try await world.invoices("?state=paid").first)
            #expect(kept["paid_at"] != nil && kept["pay_url"] == nil && kept["due_until"] == nil)
            let alone = try await world.asCompany(.get, "/invoices/\(invoice["id"]?.text ?? "")")
            #expect(alone.json == kept)

            try await world.round()
            #expect(await world.neighbours.reached(sent: 4))
            let messages = world.neighbours.sent(to: world.company)
            #expect(messages.map(\.template).sorted() == ["payment-due", "payment-received", "request-accepted"])
            #expect(messages.first { $0.template == "payment-due" }?.values["pay_url"] == link)
            #expect(messages.allSatisfy { !$0.template.hasPrefix("payment") || $0.values["amount"] == "\(amount) EUR" })
            // Money is between company and broker.
            for text in [decided.text, try await world.asPerson(.get, "/me/requests").text] {
                for word in ["price", "payment", "amount", "EUR"] { #expect(!text.contains(word)) }
            }
        }
    }

    @Test(
        "PAY-01b: a read that waits begins by itself when the payment arrives, and an unpaid one ends with what is due")
    func waiting() async throws {
        try await World.withPayments { world, broker in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            #expect(try await world.asCompany(.get, "/requests/\(id)/data?wait_ms=1").status == 402)
            let invoice = try #require(try await world.invoices().first)
            // Held at its look at the invoice, so that it is known to have looked before the payment.
            let (database, held, isSeen) = (world.service.database, EventCounter(), EventCounter())
            async let holding: Void = database.transaction { transaction in
                try await transaction.execute("lock table invoice in access exclusive mode")
                held.raise()
                _ = await isSeen.wait(after: 0, deadline: .after(.patience))
            }
            _ = await held.wait(after: 0, deadline: .after(.patience))
            async let waiting = world.asCompany(.get, "/requests/\(id)/data?wait_ms=25000")
            let deadline = Deadline.after(.patience)
            var looks: Bool?
            repeat {
                looks = try await database.queryOne(
                    """
                    select exists (
                      select from pg_locks l join pg_stat_activity a using (pid)
                      where l.relation = 'invoice'::regclass and not l.granted
                        and a.query like '%from invoice where requester_id%')
                    """, as: Bool.self)
            } while looks != true && !deadline.hasPassed
            #expect(looks == true)
            isSeen.raise()
            try await holding
            #expect(world.neighbours.readPurposes.isEmpty)
            #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
            let answer = try await waiting
            #expect(world.neighbours.readPurposes == ["request \(id)"])
            #expect(answer.status == 200 && answer["series"]?.items.count == 1)
        }
    }

    @Test("PAY-01a: the price is in what each creation is answered, also of several people, and when it is sent again")
    func created() async throws {
        try await World.withPayments { world, _ in
            let single = try await world.asCompany(.post, "/requests", World.draft, key: "one")
            #expect(single["price"]?["amount"]?.integer == 800)
            #expect(try await world.asCompany(.post, "/requests", World.draft, key: "one").body == single.body)
            let other = world.addPerson(1)
            let draft = World.draft.replacing(
                "\"fiscal_code\": \"\(World.fiscalCode)\"",
                with: "\"people\": [{\"email\": \"nobody@example.org\"}, {\"email\": \"\(other.email)\"}]")
            let batch = try await world.asCompany(.post, "/request-batches", draft, key: "two")
            let items = try #require(batch["items"]?.items)
            #expect(items.map { $0["price"]?["amount"]?.integer } == [nil, 800])
            #expect(items.map { $0["price"]?["currency"]?.text } == [nil, "EUR"])
            #expect(try await world.asCompany(.post, "/request-batches", draft, key: "two").body == batch.body)
            #expect(try await world.count("quote") == 2)
            let listed = try await world.asCompany(.get, "/requests/\(items[1]["id"]?.text ?? "")")
            #expect(listed["price"] == items[1]["price"])
        }
    }

    @Test("PAY-01a: kinds without a price are free, and check-ins of runs always are")
    func free() async throws {
        try await World.withPayments(prices: #"{"single_once": 500}"#) { world, _ in
            let created = try await world.asCompany(.post, "/requests", World.draft)
            #expect(created["price"] == nil)
            let id = try #require(created["id"]?.text)
            #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").status == 200)
            #expect(try await world.asCompany(.get, "/requests/\(id)/data").status == 200)
            let checkIn = world.checkIn()
            _ = try await world.service.rpc(as: "track4run").call(Query.RequestCheckIn.self, checkIn)
            #expect(try await world.asPerson(.post, "/me/requests/\(checkIn.id)/acceptance").status == 200)
            #expect(try await world.invoices().isEmpty)
        }
    }

    @Test("PAY-01a: what a request costs is the price when it was created, whatever prices are when it is accepted")
    func priceChange() async throws {
        try await World.withPayments { world, broker in
            let id = try await world.ask()
            let dearer = world.life(try world.pricing(broker, #"{"single_subscription": 999}"#))
            _ = try await dearer.take(.accept(types: nil), on: id, as: world.person)
            #expect(try await world.invoices().first?["amount"]?.integer == 800)
            // Asked for while nothing cost anything.
            let other = world.neighbours.addCompany("Salus S.r.l.")
            let free = try await world.ask(company: other)
            try await world.service.database.execute("delete from quote where request_id = \(free)")
            _ = try await dearer.take(.accept(types: nil), on: free, as: world.person)
            #expect(try await world.invoices(company: other).isEmpty)
            #expect(try await world.asCompany(.get, "/requests/\(free)/data", company: other).status == 200)
        }
    }

    @Test("PAY-01b: invoices are listed by pages, the latest first, and another company's are not there")
    func list() async throws {
        try await World.withPayments { world, broker in
            for value in 0..<3 {
                world.clock.advance(by: .seconds(60))
                let id = try await world.askAndAccept()
                _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
                #expect(try await world.invoices().count == value + 1)
            }
            var seen: [String] = []
            var next: String? = ""
            while let cursor = next {
                let page = try await world.asCompany(.get, "/invoices?limit=2\(cursor)")
                seen += (page["invoices"]?.items ?? []).compactMap { $0["id"]?.text }
                next = page["next"]?.text.map { "&cursor=\($0)" }
            }
            #expect(seen.count == 3 && seen == seen.sorted(by: >))
            let rival = world.neighbours.addCompany("Rival")
            #expect(try await world.invoices(company: rival).isEmpty)
            #expect(try await world.asCompany(.get, "/invoices/\(seen[0])", company: rival).status == 404)
            #expect(try await world.asCompany(.get, "/invoices?state=owed").status == 422)
        }
    }
}
