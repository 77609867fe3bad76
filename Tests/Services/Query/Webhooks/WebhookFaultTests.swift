import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Query

/// Webhooks when something goes wrong: receivers that fail, processes that die, consents that end.
@Suite struct WebhookFaultTests {
    private func with(_ body: @escaping @Sendable (World, FakeReceiver) async throws -> Void) async throws {
        try await World.with(settings: FakeReceiver.settings) { world in
            try await FakeReceiver.with(on: world.service.loops) { receiver in try await body(world, receiver) }
        }
    }

    /// Something that a test turns on and off.
    private final class Switch: Sendable {
        private let state = Mutex(true)
        var isOn: Bool { state.withLock { $0 } }
        func turnOff() { state.withLock { $0 = false } }
    }

    @Test(
        "SUB-02c SUB-02e: an event that fails holds up that person's only; then all of hers come, in order, none twice")
    func order() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            let other = world.addPerson(1)
            let isFailing = Switch()
            try await Replica.with(world) { _ in
                let bad = try await world.askAndAccept()
                receiver.behave { call in
                    call.event?.request == bad && call.type == "data.samples" && isFailing.isOn
                        ? HTTPResponse(.internalServerError) : .noContent
                }
                world.arrive(61, 62, 63)
                #expect(await receiver.reached { $0.calls.contains { $0.summary.hasSuffix(" 61") } })
                let good = try await world.askAndAccept(other)
                world.arrive(71, 72, of: other.id)
                #expect(await receiver.reached { $0.received.filter { $0.event?.request == good }.count == 3 })
                // It is tried again and again, and what comes after it waits.
                #expect(await receiver.reached { $0.calls.filter { $0.summary.hasSuffix(" 61") }.count >= 3 })
                #expect(!receiver.calls.contains { $0.summary.hasSuffix(" 62") })
                #expect(try await world.reached(1, "select count(*) from webhook_held"))
                isFailing.turnOff()
                #expect(await receiver.reached { $0.received.filter { $0.event?.request == bad }.count == 4 })
                #expect(
                    receiver.received.filter { $0.event?.request == bad }.compactMap { $0.event?.values.first } == [
                        61, 62, 63,
                    ])
                #expect(try await world.reached(0, "select count(*) from webhook_held"))
                #expect(Set(receiver.received.map(\.id)).count == receiver.received.count)
                #expect(receiver.overlaps == 0)
            }
        }
    }

    @Test("SUB-02c: an event that fails for good is given up, said so, and the person's next goes on")
    func givenUp() async throws {
        try await with { world, receiver in
            let webhook = try await world.addWebhook(at: receiver)
            receiver.behave { call in
                call.summary.hasSuffix(" 61") ? HTTPResponse(.badRequest) : .noContent
            }
            var times = Replica.times
            times.pauses = [.milliseconds(1), .milliseconds(1)]
            try await Replica.with(world, times: times) { _ in
                world.arrive(61, 62)
                _ = try await world.askAndAccept()
                #expect(await receiver.reached { $0.received.contains { $0.summary.hasSuffix(" 62") } })
                #expect(receiver.calls.filter { $0.summary.hasSuffix(" 61") }.count == 3)
                #expect(try await world.reached(5, "select count(*) from webhook_attempt"))
                let attempts = try await world.asCompany(.get, "/webhooks/\(webhook.id)/attempts")["attempts"]?.items
                let last = attempts?.filter { $0["attempt"]?.integer == 3 }
                #expect(last?.count == 1 && last?.first?["next_at"] == nil)
                #expect(last?.first?["error"]?.text?.contains("given up") == true)
            }
        }
    }

    @Test("SUB-02c: a receiver that is down is tried with one event now and then, and gets everything when it is back")
    func down() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            let isDown = Switch()
            receiver.behave { _ in isDown.isOn ? HTTPResponse(.badGateway) : .noContent }
            var times = Replica.times
            times.heldMin = 20
            times.pauses = Array(repeating: .seconds(3600), count: 5)
            let people = (0..<40).map { world.addPerson($0) }
            for one in people { _ = try await world.askAndAccept(one) }
            try await Replica.with(world, times: times) { _ in
                #expect(await receiver.reached { $0.calls.count >= 45 })
                isDown.turnOff()
                #expect(await receiver.reached(received: 40))
                let isOver = try await world.reached(0, "select count(*) from webhook_held")
                #expect(isOver)
                #expect(Set(receiver.received.map(\.id)).count == 40)
            }
        }
    }

    @Test("SUB-02c: after 429 with Retry-After nothing is sent to that receiver until then; others get theirs")
    func retryAfter() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            receiver.behave { _ in
                var response = HTTPResponse(.tooManyRequests)
                response.fields["Retry-After"] = "3600"
                return response
            }
            try await FakeReceiver.with(on: world.service.loops) { second in
                _ = try await world.addWebhook(at: second)
                try await Replica.with(world) { _ in
                    let id = try await world.askAndAccept()
                    #expect(await receiver.reached { $0.calls.count == 1 })
                    #expect(try await world.reached(1, "select count(*) from webhook_held"))
                    world.arrive(61, 62)
                    _ = try await world.askAndAccept(world.addPerson(1))
                    #expect(await second.reached(received: 4))
                    #expect(receiver.calls.map(\.summary) == ["request.accepted \(id)"])
                }
            }
        }
    }

    @Test("REQ-10b SUB-02c: a call whose permission has run out before it begins is made only while the consent holds")
    func lateCall() async throws {
        try await with { world, receiver in
            let added = try await world.addWebhook(at: receiver)
            try await Replica.with(world) { replica in
                let services = replica.desk.services
                let webhook = try await services.leases.store.find(
                    added.id, of: world.company, in: world.service.database)
                let data = try #require(try Event.Content([World.heartRates([61])]))
                func send(of request: UUID) async throws -> WebhookServices.Outcome {
                    let event = Event(
                        requester: world.company, number: 9, id: .random(), request: request, kind: .samples,
                        types: data.types, data: data, createdAt: world.clock.now())
                    let delivery = EventDelivery(.webhook, to: world.company, at: world.clock.now()) {}
                    return try await services.send(event, to: webhook, on: delivery, until: .now())
                }
                let other = try await world.askAndAccept(world.addPerson(1))
                guard case .answered(let answer) = try await send(of: other) else {
                    Issue.record("it was not sent")
                    return
                }
                #expect(answer.isDelivered)
                let id = try await world.askAndAccept()
                #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
                guard case .over = try await send(of: id) else {
                    Issue.record("it was sent")
                    return
                }
                #expect(receiver.calls.filter { $0.type == "data.samples" }.map { $0.event?.request } == [other])
            }
        }
    }

    @Test(
        "SUB-02c: a receiver that answers 410, or has failed for three days, is disabled with a message, and can go on")
    func disabled() async throws {
        try await with { world, receiver in
            let webhook = try await world.addWebhook(at: receiver)
            receiver.behave { _ in HTTPResponse(receiver.calls.count == 1 ? .gone : .internalServerError) }
            let path = "/webhooks/\(webhook.id)"
            func told() -> Int {
                world.neighbours.sent(to: world.company).filter { $0.template == "webhook-disabled" }.count
            }
            try await Replica.with(world) { _ in
                let id = try await world.askAndAccept()
                #expect(try await world.reached(1, "select count(*) from webhook where state = 'disabled'"))
                #expect(try await world.asCompany(.get, path)["reason"]?.text == "gone")
                #expect(receiver.calls.count == 1)
                _ = try await world.asCompany(.patch, path, #"{"state": "active"}"#)
                #expect(await receiver.reached { $0.calls.count >= 3 })
                try await world.service.database.execute(
                    "update webhook set failing_since = clock_timestamp() - interval '4 days'")
                #expect(try await world.reached(1, "select count(*) from webhook where state = 'disabled'"))
                #expect(try await world.asCompany(.get, path)["reason"]?.text == "failing")
                #expect(try await world.reached(0, "select count(*) from notice where template = 'webhook-disabled'"))
                #expect(told() == 2)
                receiver.behave { _ in .noContent }
                let again = try await world.asCompany(.patch, path, #"{"state": "active"}"#)
                #expect(again["reason"] == nil && again["failing_since"] == nil)
                #expect(await receiver.reached(received: 1))
                #expect(receiver.received.map(\.summary) == ["request.accepted \(id)"])
            }
        }
    }

    @Test("SUB-02e: two replicas send each event once, never two of one person at the same time")
    func replicas() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            try await Replica.with(world) { first in
                try await Replica.with(world) { second in
                    let people = (0..<5).map { world.addPerson($0) }
                    for (index, one) in people.enumerated() {
                        _ = try await world.askAndAccept(one)
                        world.arrive(60 + index, 70 + index, of: one.id)
                    }
                    #expect(await receiver.reached(received: 15))
                    #expect(first.desk.sendingCount + second.desk.sendingCount == 1)
                    #expect(try await world.reached(15, "select count(*) from webhook_attempt"))
                    #expect(receiver.calls.count == 15 && receiver.overlaps == 0)
                    #expect(Set(receiver.received.map(\.id)).count == 15)
                }
            }
        }
    }

    @Test(
        "SUB-02e: what a process that died had sent without noting it is sent again under the same id, and nothing is lost"
    )
    func takeover() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            var times = Replica.times
            // It dies before it writes.
            times.write = .seconds(3600)
            try await Replica.with(world, times: times) { first in
                world.arrive(61, 62)
                let id = try await world.askAndAccept()
                #expect(await receiver.reached(received: 3))
                first.die()
                try await Replica.with(world) { second in
                    #expect(await receiver.reached(received: 6))
                    #expect(second.desk.sendingCount == 1)
                    world.arrive(63)
                    #expect(await receiver.reached(received: 7))
                    let ids = receiver.received.map(\.id)
                    #expect(ids[0..<3] == ids[3..<6] && Set(ids).count == 4)
                    #expect(receiver.received.last?.summary == "data.samples \(id) 63")
                    let isOver = try await world.reached(1, "select count(*) from webhook where position = 4")
                    #expect(isOver)
                }
            }
        }
    }

    @Test("REQ-10b SUB-02c: of a consent that ends, nothing that waits for a receiver is sent any more")
    func withdrawal() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            let isFailing = Switch()
            receiver.behave { call in
                call.type == "data.samples" && isFailing.isOn ? HTTPResponse(.internalServerError) : .noContent
            }
            try await Replica.with(world) { _ in
                let id = try await world.askAndAccept()
                world.arrive(61, 62)
                #expect(await receiver.reached { $0.calls.contains { $0.summary.hasSuffix(" 61") } })
                #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
                isFailing.turnOff()
                #expect(await receiver.reached { $0.received.contains { $0.type == "request.withdrawn" } })
                #expect(receiver.received.map(\.type) == ["request.accepted", "request.withdrawn"])
                #expect(try await world.reached(0, "select count(*) from webhook_held"))
            }
        }
    }

    @Test("REQ-10b SUB-02c: a receiver that does not answer holds up no withdrawal, and gets nothing more after it")
    func slowReceiver() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            let release = EventCounter()
            receiver.behave { call in
                if call.type == "data.samples" { _ = await release.wait(after: 0) }
                return .noContent
            }
            try await Replica.with(world) { _ in
                let id = try await world.askAndAccept()
                world.arrive(61, 62)
                #expect(await receiver.reached { $0.calls.contains { $0.type == "data.samples" } })
                #expect(try await world.asPerson(.post, "/me/requests/\(id)/withdrawal").status == 200)
                release.raise()
                #expect(await receiver.reached { $0.received.contains { $0.type == "request.withdrawn" } })
                #expect(!receiver.calls.contains { $0.summary.hasSuffix(" 62") })
            }
        }
    }

    @Test("ACC-12d SUB-02c: the webhooks of a company that leaves go, and nothing more is sent")
    func erasedCompany() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            try await Replica.with(world) { replica in
                _ = try await world.askAndAccept()
                #expect(await receiver.reached(received: 1))
                let erasure = try await ErasureTests.follower(world).erase(
                    world.company, .thirdParty, at: world.clock.now(), in: world.service.database)
                let items = try await ErasureFollower.items(of: erasure, in: world.service.database)
                #expect(items["webhooks"]?.count == 1)
                #expect(try await world.reached(0, "select count(*) from webhook"))
                #expect(try await world.reached(0, "select count(*) from webhook_attempt"))
                while replica.desk.sendingCount > 0 { await Task.yield() }
                #expect(receiver.calls.count == 1)
            }
        }
    }

    @Test("ACC-12d REQ-07a: who is erased while a receiver fails leaves no id behind, and the outcome is still told")
    func erasedPerson() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            let isFailing = Switch()
            receiver.behave { _ in isFailing.isOn ? HTTPResponse(.internalServerError) : .noContent }
            try await Replica.with(world) { _ in
                world.arrive(61)
                let id = try await world.askAndAccept()
                #expect(try await world.reached(1, "select count(*) from webhook_held where lane_id = \(world.person)"))
                _ = try await ErasureTests.follower(world).erase(
                    world.person, at: world.clock.now(), in: world.service.database)
                isFailing.turnOff()
                #expect(await receiver.reached { $0.received.contains { $0.type == "request.ended" } })
                #expect(receiver.received.map(\.summary) == ["request.accepted \(id)", "request.ended \(id)"])
                #expect(try await world.reached(0, "select count(*) from webhook_held"))
            }
        }
    }

    @Test("SUB-02c ACC-16c: a suspended company's webhooks get nothing, and what has happened when it is restored")
    func suspended() async throws {
        try await with { world, receiver in
            _ = try await world.addWebhook(at: receiver)
            try await Replica.with(world) { replica in
                let id = try await world.askAndAccept()
                #expect(await receiver.reached(received: 1))
                let standing = replica.webhooks.desk.services.standing
                world.neighbours.suspend(world.company)
                while standing.isGood(world.company) { _ = await standing.news.wait(after: standing.news.value) }
                world.arrive(61)
                _ = try await world.asPerson(.post, "/me/requests/\(id)/withdrawal")
                let seen = standing.news.value
                _ = await standing.news.wait(after: seen, deadline: .after(.patience))
                #expect(receiver.calls.count == 1)
                world.neighbours.suspend(world.company, false)
                #expect(await receiver.reached { $0.received.last?.type == "request.withdrawn" })
            }
        }
    }

    @Test("SUB-02c: the log of attempts is kept for thirty days")
    func retention() async throws {
        try await with { world, receiver in
            let webhook = try await world.addWebhook(at: receiver)
            _ = try await world.asCompany(.post, "/webhooks/\(webhook.id)/test")
            let rule = WebhookAttempts.rule(in: world.service.database)
            #expect(rule.days == 30)
            #expect(try await rule.enforce(before: world.clock.now()) == 0)
            #expect(try await rule.enforce(before: world.clock.now() + .seconds(1)) == 1)
        }
    }
}
