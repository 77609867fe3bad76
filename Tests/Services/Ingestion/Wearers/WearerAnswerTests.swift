import Contracts
import Domain
import Feed
import HTTP
import JSON
import Primitives
import RPC
import Reactor
import ReactorTesting
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Ingestion

/// What devices are told of their wearers, by the feed of a dispatcher that the test plays.
@Suite struct WearerAnswerTests {
    private let account = UUID(high: 1, low: 1)
    private let device = UUID(high: 1, low: 2)

    /// A dispatcher that tells what the test wants.
    private final class Teller: Sendable {
        private let state = Mutex((events: [FeedRecord](), isAway: false))
        private let changed = EventCounter()

        func tell(_ told: Dispatcher.WearerState, of account: UUID) throws {
            let payload = try JSONRaw(encoding: told)
            state.withLock { state in
                let position = Int64(state.events.count + 1)
                state.events.append(
                    FeedRecord(
                        lane: 0, position: position, entity: account, version: position,
                        kind: Dispatcher.wearersKind, payload: payload, recordedAt: .now()))
            }
            changed.raise()
        }

        func beAway() {
            state.withLock { $0.isAway = true }
            changed.raise()
        }

        var caller: LocalCaller {
            var router = RPCRouter()
            router.register(FeedSnapshot.self, allow: ["ingestion"]) { params, _ in
                // Whom to watch is told by the test.
                guard params.feed == Dispatcher.wearersFeed else { throw RPCError(.unavailable) }
                return .init(entities: [], next: nil, cursor: FeedCursor(epoch: "1", positions: []))
            }
            router.register(FeedRead.self, allow: ["ingestion"]) { [self] params, _ in
                guard params.feed == Dispatcher.wearersFeed else { throw RPCError(.notFound) }
                let deadline = Deadline.after(.milliseconds(Int64(params.waitMilliseconds)))
                while true {
                    let seen = changed.value
                    let (events, isAway) = state.withLock { ($0.events, $0.isAway) }
                    if isAway { throw RPCError(.unavailable) }
                    let read = params.cursor.positions.first ?? 0
                    let new = events.filter { $0.position > read }
                    if !new.isEmpty || deadline.hasPassed {
                        return .init(
                            events: new,
                            cursor: FeedCursor(epoch: "1", positions: [Int64(events.count)]), more: false)
                    }
                    _ = await changed.wait(after: seen, deadline: deadline)
                }
            }
            return LocalCaller(router: router, as: "ingestion")
        }
    }

    private func answer(_ test: IngestionTest, _ upload: Int64) async throws -> JSONValue {
        let start = IngestionTest.start
        let response = try await test.send(
            upload,
            [SampleSeries(type: .heartRate, start: start - .seconds(10), offsets: [upload * 10], values: [61])],
            device: device, of: account)
        #expect(response.status == .ok)
        return try await test.decoded(response)
    }

    @Test(
        "SOS-04ab SOS-08a SOS-13e ING-02f: the answer to an upload tells the device how its wearer stands, and how often to measure"
    )
    func told() async throws {
        let teller = Teller()
        try await IngestionTest.with(peers: ["dispatcher": teller.caller]) { test in
            try await test.watch(account)
            test.service.start()
            var upload: Int64 = 0
            /// Until the answer says so.
            func becomes(_ state: String?, _ sampling: String) async throws -> JSONValue {
                let deadline = Deadline.after(.patience)
                while true {
                    upload += 1
                    let answer = try await answer(test, upload)
                    if answer["sos"]?["state"]?.text == state, answer["sampling"]?.text == sampling { return answer }
                    try #require(!deadline.hasPassed, "\(answer)")
                    try await EventLoop.current?.sleep(for: .milliseconds(10))
                }
            }
            _ = try await becomes(nil, "at-once")
            try teller.tell(.init(.alerted), of: account)
            _ = try await becomes("alerted", "three-per-second")
            let incident = UUID.random()
            try teller.tell(.init(.countdown, incident: incident, callsInMilliseconds: 20_000), of: account)
            let countdown = try await becomes("countdown", "three-per-second")
            #expect(countdown["sos"]?["incident"] == .string(incident.description))
            #expect((1...20).contains(countdown["sos"]?["call_in_s"]?.integer ?? 0))
            try teller.tell(.init(.accepted, incident: incident, arrivesInMilliseconds: 300_000), of: account)
            let accepted = try await becomes("accepted", "three-per-second")
            #expect((1...300).contains(accepted["sos"]?["arrival_in_s"]?.integer ?? 0))
            #expect(accepted["sos"]?["call_in_s"] == nil)
            // The same upload again tells how the wearer stands now.
            try teller.tell(.init(.calm), of: account)
            _ = try await becomes(nil, "at-once")
            let again = try await answer(test, 1)
            #expect(again["repeated"] == .bool(true) && again["sampling"] == .string("at-once"))
        }
    }

    @Test("SOS-04a ING-02d: uploads do not wait for the dispatcher, and are stored while it is away")
    func away() async throws {
        let teller = Teller()
        teller.beAway()
        try await IngestionTest.with(peers: ["dispatcher": teller.caller]) { test in
            try await test.watch(account)
            let answer = try await answer(test, 1)
            #expect(answer["stored"] == .integer(1) && answer["sampling"] == .string("three-per-second"))
            #expect(answer["sos"] == nil)
        }
    }
}
