import Contracts
import Domain
import JSON
import Postgres
import Primitives
import ProcessTesting
import Reactor
import Security
import SuiteClient
import Synchronization
import Testing

extension BadDays {
    /// Query and a third party's receiver killed in turn.
    @Suite struct WebhookKillTests {
        private static let peopleCount = 3
        private static let queryKills = 3

        @Test(
            "NFR-03b NFR-04a SUB-02c SUB-02e: webhooks while query and the receiver are killed: each event comes at least once under one id, in order for each person, signed",
            .timeLimit(.minutes(5)))
        func killed() async throws {
            try await RunningSuite.with([.accounts, .ingestion, .query]) { suite in
                var newcomers = Newcomers()
                let (company, program) = try await suite.thirdParty(&newcomers)
                let address = "127.0.0.1:\(try Ports.free())"
                let webhook = try await company.api.createWebhook(to: "http://\(address)\(Receivers.path)")
                let receivers = Receivers(address, try WebhookSecret(try #require(webhook.secret)), suite)
                try await receivers.start()
                let people = try await suite.followed(Self.peopleCount, by: program, &newcomers)
                try await receivers.haveAll(of: people)

                for _ in 0..<Self.queryKills {
                    let before = receivers.calls.count
                    try await upload(10, people)
                    try await eventually("calls are under way") { receivers.calls.count >= before + 3 }
                    suite[.query].kill()
                    try await upload(5, people)
                    try await suite[.query].start()
                    try await receivers.haveAll(of: people)
                }

                // Each has failed once, and is tried again 5 s later.
                await receivers.stop()
                try await upload(1, people)
                try await isHeld(webhook.id, program)
                try await receivers.start()
                try await upload(3, people)
                try await receivers.haveAll(of: people)

                // Both are down at once.
                await receivers.stop()
                try await upload(1, people)
                try await isHeld(webhook.id, program)
                suite[.query].kill()
                try await upload(3, people)
                try await receivers.start()
                try await suite[.query].start()
                try await receivers.haveAll(of: people)
                try await eventually("nobody is held any more") {
                    try await suite.stored(.query, "select not exists (select from webhook_held)")
                }
                try check(receivers, people)
                await receivers.stop()
            }
        }

        private func upload(_ count: Int, _ people: [Followed]) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for person in people { group.addTask { try await person.upload(count) } }
                try await group.waitForAll()
            }
        }

        private func isHeld(_ webhook: UUID, _ program: API) async throws {
            try await eventually("everybody's events wait for the receiver") {
                try await program.patient.webhook(webhook).heldPeople == Self.peopleCount
            }
        }

        private func check(_ receivers: Receivers, _ people: [Followed]) throws {
            #expect(receivers.refusedCount == 0)
            var bodies: [String: JSONValue] = [:]
            for call in receivers.calls {
                #expect(bodies[call.id] ?? call.body == call.body, "a repeat differs")
                bodies[call.id] = call.body
            }
            let events = try receivers.firstArrivals()
            #expect(events.map(\.id.description).sorted() == bodies.keys.sorted())
            for person in people {
                let own = events.filter { $0.requestID == person.request }
                #expect(own.map(\.type).first == "request.accepted")
                #expect(own.dropFirst().allSatisfy { $0.type == "data.samples" })
                #expect(own.flatMap(\.times) == person.times)
            }
        }
    }
}

/// A third party's receiver, and those that take its place when it was killed.
private final class Receivers: Sendable {
    static let path = "/events"

    private let address: String
    private let secret: WebhookSecret
    private let suite: RunningSuite
    private let all = Mutex<[WebhookReceiver]>([])

    init(_ address: String, _ secret: WebhookSecret, _ suite: RunningSuite) {
        (self.address, self.secret, self.suite) = (address, secret, suite)
    }

    func start() async throws {
        let receiver = try await WebhookReceiver.start(at: address, path: Self.path, secret: secret, loops: suite.loops)
        all.withLock { $0.append(receiver) }
    }

    func stop() async { await all.withLock { $0.last }?.stop() }

    var calls: [WebhookReceiver.Call] { all.withLock { $0 }.flatMap(\.calls) }
    var refusedCount: Int { all.withLock { $0 }.reduce(0) { $0 + $1.refusedCount } }

    /// Each event as it came the first time.
    func firstArrivals() throws -> [ReceivedEvent] {
        struct Call: Decodable { var data: ReceivedEvent }
        var ids: Set<String> = []
        return try calls.filter { ids.insert($0.id).inserted }.map { call in
            let event = try JSONDecoder().decode(Call.self, from: try JSONEncoder().encode(call.body)).data
            #expect(event.id.description == call.id)
            return event
        }
    }

    /// On a machine so slow that the second attempt has failed, too, the next one is minutes off: then it is due at once.
    private func hasten() async throws {
        _ = try await suite.stored(
            .query,
            """
            with late as (
              update webhook_held set next_at = clock_timestamp()
              where attempts > 1 and next_at > clock_timestamp() + interval '10 seconds' returning webhook_id),
            anew as (
              update webhook set fence = fence + 1, holder = null where id in (select webhook_id from late) returning id)
            select exists (select from anew)
            """)
    }

    /// Waits until all that was acknowledged has come.
    func haveAll(of people: [Followed]) async throws {
        try await eventually("all events have come") {
            let events = try firstArrivals()
            let isAll = people.allSatisfy { person in
                events.filter { $0.requestID == person.request }.reduce(0) { $0 + $1.times.count } >= person.count
            }
            if !isAll { try await hasten() }
            return isAll
        }
    }
}
