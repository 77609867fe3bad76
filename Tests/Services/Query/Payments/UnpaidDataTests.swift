import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Service
import ServiceTesting
import Testing

@testable import Query

/// Data of requests that are not paid, on every way to the third party.
@Suite struct UnpaidDataTests {
    private func accepted(_ world: World, company: UUID) async throws -> UUID {
        let id = try await world.ask(company: company)
        #expect(try await world.asPerson(.post, "/me/requests/\(id)/acceptance").status == 200)
        return id
    }

    private func pay(_ world: World, _ broker: FakeBroker, company: UUID) async throws {
        let invoice = try #require(try await world.invoices("?state=due", company: company).first)
        #expect(try await world.callBack(broker, World.callBack(invoice)).status == 200)
    }

    private func status(_ world: World, _ path: String) async throws -> (status: Int, code: String?) {
        let answer = try await world.asCompany(.get, path)
        return (answer.status, answer.code)
    }

    @Test(
        "PAY-01b SUB-02ab: unpaid data is neither read nor shown by events, streams or reads; what is due and the payment are events"
    )
    func ways() async throws {
        try await World.withPayments { world, broker in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            let rival = world.neighbours.addCompany("Rival")
            let paid = try await accepted(world, company: rival)
            try await pay(world, broker, company: rival)
            try await world.streaming { written in
                try #require(try await written.reached(2))
                world.neighbours.arrive(World.heartRates([62], at: World.start + .seconds(60)), of: world.person)
                // Who has paid gets what has arrived, and who has not does not.
                let theirs = try await world.events(after: "0", until: 5, company: rival)
                #expect(
                    theirs.events.map(\.summary) == [
                        "request.accepted \(paid)", "payment.due \(paid)", "payment.paid \(paid)",
                        "data.samples \(paid) 61", "data.samples \(paid) 62",
                    ])
                let own = try await world.events(after: "0", until: 2)
                #expect(own.events.map(\.summary) == ["request.accepted \(id)", "payment.due \(id)"])
                #expect(try await world.events(after: own.next, until: 0).events.isEmpty)
                for path in ["data", "data?wait_ms=1", "data?format=csv", "data?format=ndjson", "stream"] {
                    let refused = try await status(world, "/requests/\(id)/\(path)")
                    #expect(refused == (402, "payment-required"), "\(path)")
                }
                let results = try await world.asCompany(.get, "/requests/\(id)/results")
                #expect(results.status == 200 && results["series"]?.items.isEmpty == true)
                #expect(world.neighbours.readPurposes == ["request \(paid)"])
                #expect(
                    try await world.service.database.queryOne(
                        "select count(*) from event where request_id = \(id) and content is not null", as: Int.self)
                        == 0)

                try await pay(world, broker, company: world.company)
                try #require(try await written.reached(5))
                let kinds = written.text.split(separator: "\n").filter { $0.hasPrefix("event: ") }
                #expect(
                    kinds.map { $0.dropFirst("event: ".count) } == [
                        "request.accepted", "payment.due", "payment.paid", "data.samples", "data.samples",
                    ])
                #expect(world.neighbours.readPurposes == ["request \(paid)", "request \(id)"])
                let data = try await world.asCompany(.get, "/requests/\(id)/data")
                #expect(data["series"]?.items.map { $0["values"]?.items.map(\.double) } == [[61], [62]])
            }
        }
    }

    @Test(
        "PAY-01b SUB-02cd: data leaves in no way before it is paid, a webhook's and a mail's among them",
        arguments: [EventDelivery.Way.page, .download, .stream, .webhook, .mail])
    func permits(way: EventDelivery.Way) async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            let id = try await world.askAndAccept()
            let database = world.service.database
            let permits = EventPermits(
                database: database, audit: AuditTrail(database: database), clock: world.clock,
                pricing: try world.pricing(broker))
            func event(_ kind: Event.Kind, _ data: Event.Content?) -> Event {
                Event(
                    requester: world.company, number: 3, id: .random(), request: id, kind: kind, types: [], data: data,
                    createdAt: world.clock.now())
            }
            let events = [
                event(.paymentDue, nil), event(.samples, try .init([World.heartRates([61])])),
            ]
            var delivery = EventDelivery(way, to: world.company, at: world.clock.now()) {}
            #expect(try await permits.permit(events, on: &delivery).events.map(\.kind) == [.paymentDue])
            let begun = delivery
            await #expect(throws: EventPermits.ConsentOver.self) { _ = try await permits.renew(events, on: begun) }
            #expect(try await world.count("access") == 1, "the look-up alone")
            try await pay(world, broker, company: world.company)
            #expect(try await permits.permit(events, on: &delivery).events.map(\.kind) == [.paymentDue, .samples])
            _ = try await permits.renew(events, on: delivery)
        }
    }

    @Test("PAY-01b SUB-02c: a webhook is told of what is due and of the payment, and gets data only then")
    func webhook() async throws {
        try await World.withPayments(settings: FakeReceiver.settings) { world, broker in
            try await FakeReceiver.with(on: world.service.loops) { receiver in
                _ = try await world.addWebhook(at: receiver)
                try await Replica.with(world, pricing: try world.pricing(broker)) { replica in
                    world.arrive(61)
                    let id = try await world.askAndAccept()
                    #expect(await receiver.reached(received: 2))
                    // Looked at again, and found to be unpaid.
                    try await replica.events.writer.follow()
                    #expect(world.neighbours.readPurposes.isEmpty)
                    try await pay(world, broker, company: world.company)
                    #expect(await receiver.reached(received: 4))
                    #expect(
                        receiver.received.map(\.summary) == [
                            "request.accepted \(id)", "payment.due \(id)", "payment.paid \(id)",
                            "data.samples \(id) 61",
                        ])
                }
            }
        }
    }

    @Test(
        "PAY-01b SUB-02e: data that became events while nothing cost anything leaves once it is paid, and not before, also to whoever has read on meanwhile"
    )
    func stored() async throws {
        try await World.withPayments { world, broker in
            let id = try await world.askAndAccept()
            #expect(try await addWithoutPrices(61, of: id, world) == [3])
            let page = try await world.asCompany(.get, "/events")
            #expect(page["events"]?.items.map { $0["type"]?.text } == ["request.accepted", "payment.due"])
            let cursor = try #require(page["next"]?.text)
            #expect(try await status(world, "/requests/\(id)/data") == (402, "payment-required"))
            #expect(try await world.deliveryLog().isEmpty)
            try await pay(world, broker, company: world.company)
            let paid = try await world.asCompany(.get, "/requests/\(id)/data")
            #expect(paid["series"]?.items.count == 1)
            let next = try await world.events(after: cursor, until: 2)
            #expect(next.events.map(\.summary) == ["payment.paid \(id)", "data.samples \(id) 61"])
            let numbers: SQL = "select array_agg(number order by number) from event"
            #expect(try await world.service.database.queryOne(numbers, as: [Int64].self) == [1, 2, 4, 5])
        }
    }

    /// As if it had become an event while nothing cost anything; its number.
    private func addWithoutPrices(_ value: Double, of id: UUID, _ world: World) async throws -> [Int64] {
        let data = try #require(try Event.Content([World.heartRates([value])]))
        let draft = EventLog.Draft(
            request: id, individual: world.person, kind: .samples, data: data, expected: .beginning,
            place: .init(position: .init(after: 1)))
        let (added, _) = try await EventLog(keys: world.keys).add(
            [draft], at: world.clock.now(), in: world.service.database)
        return added.map(\.number)
    }

    @Test(
        "PAY-01b SUB-02e NFR-03: data that was passed over while there were prices comes when they are turned off without a payment, once"
    )
    func offAgain() async throws {
        try await World.withPayments(settings: FakeReceiver.settings) { world, broker in
            try await FakeReceiver.with(on: world.service.loops) { receiver in
                _ = try await world.addWebhook(at: receiver)
                let id = try await world.askAndAccept()
                #expect(try await addWithoutPrices(61, of: id, world) == [3])
                let life = world.life(nil)
                let data = PassedOverData(store: InvoiceStore(database: world.service.database), life: life)
                #expect(try await data.release() == 0)
                try await Replica.with(world, pricing: try world.pricing(broker)) { _ in
                    let isPast = try await world.reached(1, "select count(*) from webhook where position = 3")
                    #expect(isPast)
                    #expect(await receiver.reached(received: 2))
                }
                #expect(try await data.release() == 1)
                #expect(try await data.release() == 0)
                try await Replica.with(world) { _ in
                    #expect(await receiver.reached(received: 3))
                    let isPast = try await world.reached(1, "select count(*) from webhook where position = 4")
                    #expect(isPast)
                }
                #expect(
                    receiver.received.map(\.summary) == [
                        "request.accepted \(id)", "payment.due \(id)", "data.samples \(id) 61",
                    ])
            }
        }
    }

    @Test(
        "PAY-01b: a page that passes over what is not paid notes it; after the payment nothing is to be released"
    )
    func noted() async throws {
        try await World.withPayments { world, broker in
            let id = try await world.askAndAccept()
            _ = try await addWithoutPrices(61, of: id, world)
            let noted: SQL = "select count(*) from invoice where is_passed_over"
            #expect(try await world.service.database.queryOne(noted, as: Int.self) == 0)
            let read = try await world.events(after: "0", until: 2)
            #expect(try await world.service.database.queryOne(noted, as: Int.self) == 1)
            try await pay(world, broker, company: world.company)
            let rest = try await world.events(after: read.next, until: 2)
            #expect(rest.events.map(\.summary) == ["payment.paid \(id)", "data.samples \(id) 61"])
            // What is paid is nothing that waits.
            let data = PassedOverData(
                store: InvoiceStore(database: world.service.database), life: world.life(nil))
            #expect(try await data.release() == 0)
        }
    }

    @Test("PAY-01b: a payment that the broker tells another replica lets a read go on here, too")
    func otherReplica() async throws {
        try await World.withPayments { world, broker in
            world.neighbours.arrive(World.heartRates([61]), of: world.person)
            let id = try await world.askAndAccept()
            // From now on this process knows that there is nothing to read of the request.
            #expect(try await status(world, "/requests/\(id)/data?wait_ms=1") == (402, "payment-required"))
            let pricing = try world.pricing(broker)
            let events = world.life(pricing).events
            let (company, now) = (world.company, world.clock.now())
            try await world.service.database.transaction { transaction in
                let invoice = try #require(
                    try await pricing.store.invoice(ofRequest: id, by: company, in: transaction))
                try await pricing.store.pay(invoice, reference: "pay_1", at: now, in: transaction)
                try await events.log.add(.paymentPaid, of: id, to: company, types: [], at: now, in: transaction)
            }
            async let waiting = world.asCompany(.get, "/requests/\(id)/data?wait_ms=25000")
            try await world.round()
            let answer = try await waiting
            #expect(answer.status == 200 && answer["series"]?.items.count == 1)
        }
    }
}
