import Contracts
import HTTP
import JSON
import LoadGenerator
import Primitives
import ProcessTesting
import Reactor
import Synchronization

/// Webhooks to a receiver on this machine: how many are delivered a second, of events that wait, against a plain HTTP client that
/// sends the same bodies; and whether every event has arrived when receiver and query are killed in the middle.
enum WebhooksBench {
    private static let (people, thirdParties) = (1000, 4)
    /// Of each of them, one event each.
    private static let (uploadsEach, uploadsOfKills) = (24, 12)
    private static let (rate, connections) = (1000.0, 64)
    private static let deliveryMax = Duration.seconds(240)
    private static let pause = Duration.milliseconds(5)
    /// How long the receiver is away.
    private static let away = Duration.seconds(1)
    /// Calls that the plain client has under way: as many as query to one receiver on each loop.
    private static let plainWorkers = 64
    private static let plainLoops = 2

    private struct Outcome: Sendable {
        var events = 0
        /// Seconds.
        var (delivered, plain) = (0.0, 0.0)
        var times = ""
        var killed = Killed()
    }

    private struct Killed: Sendable {
        var (events, lost, repeats) = (0, 0, 0)
        var seconds = 0.0
    }

    static func run(_ report: inout Report) async throws {
        let outcome = try await DeliveriesBed.with { bed in
            let (people, thirdParties) = (try await bed.people(people), try await bed.thirdParties(thirdParties))
            try await bed.firstUploads(people)
            let each = people.count / thirdParties.count
            _ = try await bed.accepted(
                .subscription(),
                thirdParties.enumerated().map { ($1, Array(people[$0 * each..<($0 + 1) * each])) })
            let (port, files) = (try Ports.free(), bed.services.directory.file("hooks"))
            let receiver = try Child(Programs.own, HookReceiver.arguments(port: port, files: files), on: .both)
            Side.both.pin()
            _ = try receiver.port()
            let run = Run(
                bed: bed, people: people, port: port, files: files, received: ReceivedCalls(files, "events"))
            var webhooks: [(thirdParty: UUID, webhook: UUID)] = []
            for thirdParty in thirdParties { webhooks.append((thirdParty, try await run.addPaused(of: thirdParty))) }
            try await ServiceTimes.waitForQuiet(bed)

            var outcome = Outcome()
            let (events, cursors) = try await run.makeEvents(uploadsEach, of: thirdParties, after: [:])
            try await ServiceTimes.waitForQuiet(bed)
            outcome.events = events.count
            let firstPlain = try await run.sendPlainly(events)
            let before = try ServiceTimes(bed)
            outcome.delivered = try await run.timeDeliveries(of: events, webhooks)
            outcome.times = try ServiceTimes(bed).since(before)
            try await run.set("paused", webhooks)
            outcome.plain = (firstPlain + (try await run.sendPlainly(events))) / 2
            let (more, _) = try await run.makeEvents(uploadsOfKills, of: thirdParties, after: cursors)
            try await ServiceTimes.waitForQuiet(bed)
            outcome.killed = try await run.deliverThroughKills(more, webhooks, receiver)
            return outcome
        }
        let count = Double(outcome.events)
        let killed = outcome.killed
        report.note("\(outcome.events) events of \(people) people, \(thirdParties) webhooks; \(outcome.times)")
        report.note(
            "\(killed.events) events while receiver and query are killed once each: \(rounded(killed.seconds)) s, \(killed.repeats) came twice or more often"
        )
        report.add("webhooks delivered", count / outcome.delivered, "/s", atLeast: 1000)
        report.add(
            "webhooks delivered", count / outcome.delivered, against: "plain client with the same bodies",
            count / outcome.plain, "/s", .atLeast(0.3))
        report.add("events lost over the kills", Double(killed.lost), "events", atMost: 0)
    }

    /// An event as it was made.
    struct Made: Sendable {
        let id: String
        /// The body of the call to a webhook.
        let body: [UInt8]
    }

    private struct Run: Sendable {
        let bed: DeliveriesBed
        let people: [DeliveriesBed.Person]
        let port: UInt16
        let files: String
        let received: ReceivedCalls

        private struct Named: Decodable { let id: UUID }

        /// A webhook that begins with the events that come from here on, and waits.
        func addPaused(of thirdParty: UUID) async throws -> UUID {
            let body =
                #"{"url": "\#(HookReceiver.url(port: port, "events"))", "payload": "full", "events": ["data.samples"]}"#
            let answer = try await bed.call(
                .post, .query, "/webhooks", token: try bed.token(of: thirdParty), Array(body.utf8))
            let id = try answer.json(Named.self).id
            try await set("paused", [(thirdParty, id)])
            return id
        }

        func set(_ state: String, _ webhooks: [(thirdParty: UUID, webhook: UUID)]) async throws {
            for (thirdParty, webhook) in webhooks {
                try await bed.call(
                    .patch, .query, "/webhooks/\(webhook)", token: try bed.token(of: thirdParty),
                    Array(#"{"state": "\#(state)"}"#.utf8))
            }
        }

        /// Everybody uploads so often while the third parties listen, so that an upload is an event: those events.
        func makeEvents(
            _ uploads: Int, of thirdParties: [UUID], after cursors: [UUID: String]
        ) async throws -> (events: [Made], cursors: [UUID: String]) {
            let (rates, tokens) = (HeartRates(count: 1, every: 1000), try bed.deviceTokens(people))
            let made = Mutex<[Made]>([])
            return try await SubscriberStreams.with(
                bed, of: thirdParties, after: cursors,
                { event in
                    let body =
                        #"{"type":"data.samples","timestamp":"\#(event.createdAt)","data":\#(event.text)}"#
                    made.withLock { $0.append(Made(id: "\(event.id)", body: Array(body.utf8))) }
                }
            ) { streams in
                let count = uploads * people.count
                _ = try await bed.load(
                    .ingestion, connections: connections, .open(rate: rate), for: .requests(count),
                    wanted: rates.stored
                ) { number, now in
                    rates.upload(
                        now.microseconds + Int64(number), from: now, sentAt: now, token: tokens[number % tokens.count])
                }
                try await streams.wait("uploads", within: .seconds(60)) { $0.samples >= count }
                return (made.withLock { $0 }, streams.cursors)
            }
        }

        /// Lets the webhooks begin: seconds from the first call that comes to the last one.
        func timeDeliveries(
            of events: [Made], _ webhooks: [(thirdParty: UUID, webhook: UUID)]
        ) async throws -> Double {
            let before = received.count
            try await set("active", webhooks)
            try await wait { received.count > before }
            let start = Deadline.now()
            try await wait { received.count >= before + events.count }
            let seconds = seconds(since: start)
            guard Set(try received.ids()).isSuperset(of: events.map(\.id)) else {
                throw BenchError.failed("as many calls as events have come, and not every event")
            }
            return seconds
        }

        private func wait(until holds: () throws -> Bool) async throws {
            let deadline = Deadline.after(deliveryMax)
            while try !holds() {
                guard !deadline.hasPassed else {
                    throw BenchError.failed("\(received.count) webhooks had come after \(deliveryMax)")
                }
                try await EventLoop.current?.sleep(for: pause)
            }
        }

        /// Sends the bodies to the same receiver; seconds.
        func sendPlainly(_ events: [Made]) async throws -> Double {
            let url = HTTPURL(HookReceiver.url(port: port, "plain"))
            guard let url else { throw BenchError.failed("no address of the receiver") }
            return try await EventLoopGroup.withLoops(plainLoops) { loops in
                let start = Deadline.now()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, loop) in loops.loops.enumerated() {
                        group.addTask {
                            let share = stride(from: number, to: events.count, by: plainLoops).map { events[$0] }
                            try await loop.throwingTask { try await send(share, to: url, on: loop) }.value
                        }
                    }
                    try await group.waitForAll()
                }
                return seconds(since: start)
            }
        }

        private func send(_ events: [Made], to url: HTTPURL, on loop: EventLoop) async throws {
            var configuration = HTTPClient.Configuration()
            configuration.allowPrivateAddresses = true
            configuration.connectionsPerOriginMax = plainWorkers
            let client = HTTPClient(on: loop, configuration: configuration)
            defer { client.close() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<plainWorkers {
                    group.addTask {
                        for number in stride(from: worker, to: events.count, by: plainWorkers) {
                            let event = events[number]
                            let answer = try await client.send(
                                HTTPClientRequest(
                                    .post, url,
                                    fields: ["Content-Type": "application/json", "webhook-id": event.id],
                                    body: event.body), deadline: .after(.seconds(15)))
                            guard answer.status == .noContent else {
                                throw BenchError.failed("the receiver answered \(answer.status)")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        /// Kills the receiver when a third has come, and query at two thirds; both come back.
        func deliverThroughKills(
            _ events: [Made], _ webhooks: [(thirdParty: UUID, webhook: UUID)], _ receiver: Child
        ) async throws -> Killed {
            let before = received.count
            try await set("active", webhooks)
            let start = Deadline.now()
            try await wait { received.count >= before + events.count / 3 }
            receiver.end()
            try await EventLoop.current?.sleep(for: away)
            let again = try Child(Programs.own, HookReceiver.arguments(port: port, files: files), on: .both)
            Side.both.pin()
            _ = try again.port()
            try await wait { received.count >= before + events.count * 2 / 3 }
            bed.services[.query].kill()
            try await bed.services[.query].start()
            try await bed.services[.query].waitUntilReady()
            let expected = Set(events.map(\.id))
            var missing = expected
            let deadline = Deadline.after(deliveryMax)
            while !missing.isEmpty, !deadline.hasPassed {
                try await EventLoop.current?.sleep(for: .milliseconds(200))
                missing = expected.subtracting(try received.ids().dropFirst(before))
            }
            var killed = Killed()
            killed.seconds = seconds(since: start)
            (killed.events, killed.lost) = (events.count, missing.count)
            let calls = try received.ids().dropFirst(before)
            killed.repeats = calls.count - Set(calls).count
            // It has to be there until here.
            withExtendedLifetime(again) {}
            return killed
        }
    }
}
