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

/// What the broker is told, whatever happens to it or to us.
@Suite struct BrokerCallTests {
    private func attempts(_ world: World) async throws -> (attempts: Int32, pause: Double)? {
        let row = try await world.service.database.queryOne(
            "select attempts, extract(epoch from due_at - now())::float8 from broker_call", as: Int32.self, Double.self)
        return row.map { ($0.0, $0.1) }
    }

    /// As if the pause were over.
    private func passPause(_ world: World) async throws {
        try await world.service.database.execute("update broker_call set due_at = now()")
    }

    @Test("PAY-02a: what a crash left untold after the acceptance is told by whoever runs next")
    func crash() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            // Nothing of this process runs beside answering requests.
            let id = try await world.askAndAccept()
            #expect(broker.calls.isEmpty)
            #expect(try await world.asCompany(.get, "/requests/\(id)")["payment"]?["pay_url"] == nil)
            #expect(try await world.brokerCalls(broker).deliver() == 1)
            #expect(broker.calls.count == 1)
            #expect(try await attempts(world) == nil)
        }
    }

    @Test("PAY-02a: a process that runs tells by itself")
    func running() async throws {
        try await World.withPayments { world, broker in
            _ = try await world.askAndAccept()
            // Accepted, and where to pay.
            #expect(await world.neighbours.reached(sent: 3))
            #expect(world.neighbours.sent.contains { $0.template == "payment-due" })
            #expect(broker.calls.map(\.event) == ["due"])
        }
    }

    @Test(
        "PAY-02a: a broker that is away for a day is tried again with growing pauses, by the same id, and told in the end"
    )
    func away() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            broker.behave(.fail)
            _ = try await world.askAndAccept()
            var pauses: [Double] = []
            for number in 1...100 {
                // As another process each time.
                #expect(try await world.brokerCalls(broker).deliver() == 0)
                let state = try #require(try await attempts(world))
                #expect(state.attempts == Int32(number))
                pauses.append(state.pause)
                // Nothing is tried before its time.
                if number == 5 {
                    #expect(try await world.brokerCalls(broker).deliver() == 0)
                    #expect(broker.calls.count == number)
                }
                try await passPause(world)
            }
            #expect(pauses.reduce(0, +) > 10 * 3600 && pauses.allSatisfy { $0 > 0 && $0 <= 900 })
            #expect(Set(pauses.suffix(20).map { Int($0) }).count > 1, "drawn by lot")
            broker.behave(.take)
            #expect(try await world.brokerCalls(broker).deliver() == 1)
            #expect(Set(broker.calls.map(\.id)).count == 1 && broker.calls.allSatisfy(\.isSigned))
            #expect(try await world.invoices().first?["pay_url"] != nil)
        }
    }

    @Test(
        "PAY-02a: an answer that does not say where to pay, or a place that is not safe, counts as none",
        arguments: [
            "", "{}", "[]", "<html>", #"{"pay_url": 7}"#, #"{"pay_url": "http://example.org/pay"}"#,
            #"{"pay_url": "javascript:alert(1)"}"#, #"{"pay_url": "https://user@example.org/"}"#,
        ])
    func answers(text: String) async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            broker.behave(.answer(text))
            _ = try await world.askAndAccept()
            #expect(try await world.brokerCalls(broker).deliver() == 0)
            #expect(try await attempts(world)?.attempts == 1)
            #expect(try await world.invoices().first?["pay_url"] == nil)
        }
    }

    @Test("PAY-02a: two replicas share the calls: each invoice is told once")
    func replicas() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            for number in 0..<8 {
                let company = world.neighbours.addCompany("Company \(number)")
                let id = try await world.ask(company: company)
                _ = try await world.asPerson(.post, "/me/requests/\(id)/acceptance")
            }
            let (first, second) = (try world.brokerCalls(broker), try world.brokerCalls(broker))
            async let one = first.deliver()
            async let two = second.deliver()
            let (a, b) = try await (one, two)
            #expect(a + b == 8)
            #expect(broker.calls.count == 8 && Set(broker.calls.map(\.id)).count == 8)
        }
    }

    @Test(
        "PAY-02a: an invoice that is cancelled before it was told is told as cancelled, and nobody gets a link to pay")
    func cancelledFirst() async throws {
        try await World.withPayments(isRunning: false) { world, broker in
            let id = try await world.askAndAccept()
            _ = try await world.asCompany(.delete, "/requests/\(id)")
            #expect(try await world.brokerCalls(broker).deliver() == 1)
            #expect(broker.calls.map(\.event) == ["cancelled"])
            #expect(try await attempts(world) == nil)
            let told = try await world.service.database.queryOne(
                "select count(*) from notice where template = 'payment-due'", as: Int.self)
            #expect(told == 0)
        }
    }
}
