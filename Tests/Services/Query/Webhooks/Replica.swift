import Domain
import Feed
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

/// A process that sends for webhooks, with short times, beside the service of the world, which takes the requests. In a world with
/// prices it has to be given them, too.
final class Replica: Sendable {
    let events: Events
    let webhooks: Webhooks
    private let tasks: [Task<Void, Never>]

    var desk: WebhookDesk { webhooks.desk }

    static var times: WebhookTimes {
        var times = WebhookTimes()
        times.pauses = Array(repeating: .milliseconds(20), count: 50)
        times.probes = [.milliseconds(20)]
        times.lease = .milliseconds(600)
        times.round = .milliseconds(20)
        times.write = .milliseconds(5)
        times.pause = .milliseconds(20)
        times.standing = .milliseconds(20)
        return times
    }

    static func with<R: Sendable>(
        _ world: World, times: WebhookTimes = Replica.times, pricing: Pricing? = nil,
        _ body: (Replica) async throws -> R
    ) async throws -> R {
        let replica = try Replica(world, times, pricing)
        let result: Result<R, any Error>
        do { result = .success(try await body(replica)) } catch { result = .failure(error) }
        await replica.stop()
        return try result.get()
    }

    private init(_ world: World, _ times: WebhookTimes, _ pricing: Pricing?) throws {
        let context = world.service.context
        let store = RequestStore(keys: world.keys)
        let events = Events(context, store: store, audit: AuditTrail(database: context.database), pricing: pricing)
        let outbox = NoticeOutbox(context, keys: store.keys)
        let producer = FeedProducer(
            database: context.database,
            feeds: [
                ConsentFeed.definition(store, in: context.database, clock: world.clock),
                WatchFeed.definition(in: context.database, clock: world.clock),
            ], retention: [:], observer: context.observer)
        let life = RequestLife(
            database: context.database, store: store, outbox: outbox, feed: ConsentFeed(producer: producer),
            watches: WatchFeed(producer: producer),
            events: events, clock: world.clock, log: context.log, settings: context.settings.requests,
            unreadable: context.unreadable, pricing: pricing)
        let webhooks = Webhooks(context, life: life, times: times)
        let desk = webhooks.desk
        let loop = try #require(EventLoop.current)
        self.events = events
        self.webhooks = webhooks
        tasks = [
            loop.task { try? await events.writer.run() },
            loop.task { await desk.run() },
            loop.task { await desk.ask() },
            loop.task {
                while !Task.isCancelled {
                    // As if ingestion told of everybody.
                    events.writer.mayHaveArrived()
                    try? await events.writer.follow()
                    try? await events.departures.save()
                    _ = try? await outbox.deliver(at: world.clock.now())
                    try? await EventLoop.current?.sleep(for: times.round)
                }
            },
        ]
    }

    /// As if the process were killed or stood still: leases are renewed no more, and nothing is given back.
    func die() { for task in tasks { task.cancel() } }

    private func stop() async {
        die()
        for task in tasks { await task.value }
        await desk.stop()
    }
}

extension World {
    struct Added: Sendable {
        let id: UUID
        let secret: String
    }

    func addWebhook(at receiver: FakeReceiver, _ more: String = "", company: UUID? = nil) async throws -> Added {
        let body = #"{"url": "http://127.0.0.1:\#(receiver.port)/hook"\#(more)}"#
        let answer = try await asCompany(.post, "/webhooks", body, company: company)
        try #require(answer.status == 201, "\(answer.text)")
        return Added(
            id: try #require(answer["id"]?.text.flatMap { UUID($0) }), secret: try #require(answer["secret"]?.text))
    }

    /// A request that another person has accepted.
    func askAndAccept(_ somebody: Somebody) async throws -> UUID {
        let id = try await ask(named: somebody.email)
        let answer = try await asPerson(.post, "/me/requests/\(id)/acceptance", person: somebody.id)
        try #require(answer.status == 200, "\(answer.text)")
        return id
    }

    /// Whether a query comes to that answer within `Duration.patience`. Call on a loop.
    func reached(_ count: Int, _ query: SQL) async throws -> Bool {
        let deadline = Deadline.after(.patience)
        while !deadline.hasPassed {
            if try await service.database.queryOne(query, as: Int.self) == count { return true }
            await Task.yield()
        }
        return false
    }

    func arrive(_ values: Int..., of person: UUID? = nil, at offset: Int64 = 0) {
        for (index, value) in values.enumerated() {
            neighbours.arrive(
                World.heartRates([Double(value)], at: World.start + .seconds(offset + Int64(index))),
                of: person ?? self.person)
        }
    }
}
