import Contracts
import Domain
import Feed
import JSON
import Primitives
import RPC
import Reactor
import ReactorTesting
import ServiceTesting
import Synchronization
import Telemetry
import Testing

@testable import Query

/// What query hears of arrivals at ingestion.
@Suite struct ArrivalsTests {
    /// A feed whose answers are given one after the other; the last one waits.
    private final class Feed: Sendable {
        enum Answer {
            case records([FeedRecord])
            case gone
        }
        private let answers: Mutex<[Answer]>
        let asked = Mutex<[FeedRead.Params]>([])

        init(_ answers: [Answer]) { self.answers = Mutex(answers) }

        var caller: LocalCaller {
            var router = RPCRouter()
            router.register(FeedSnapshot.self, allow: ["query"]) { _, _ in
                .init(entities: [], next: nil, cursor: FeedCursor(epoch: "1", positions: []))
            }
            router.register(FeedRead.self, allow: ["query"]) { params, context in
                self.asked.withLock { $0.append(params) }
                let answer = self.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                switch answer {
                case .records(let records): return .init(events: records, cursor: params.cursor, more: false)
                case .gone: throw RPCError(.gone, "gone", domain: "feed.gone")
                case nil:
                    _ = await EventCounter().wait(after: 0, deadline: context.deadline)
                    return .init(events: [], cursor: params.cursor, more: false)
                }
            }
            return LocalCaller(router: router, as: "query")
        }
    }

    private static func record(_ person: UUID, kind: String = Ingestion.liveArrivedKind) throws -> FeedRecord {
        FeedRecord(
            lane: 0, position: 1, entity: person, version: 1, kind: kind,
            payload: try JSONRaw(encoding: Ingestion.LiveArrival(accountID: person, types: [.heartRate])),
            recordedAt: World.start)
    }

    @Test(
        "SUB-01a SUB-02e SUB-04b: people of whom something arrived are told, together; at the start and after a gap, that it may be anybody"
    )
    func arrivals() async throws {
        let people = (0..<3).map { _ in UUID.random() }
        let feed = Feed([
            .records([try Self.record(people[0]), try Self.record(people[1]), try Self.record(people[0])]),
            // Of a later version of ingestion.
            .records([try Self.record(people[2], kind: "new")]),
            .records([try Self.record(people[1], kind: Ingestion.liveCollectionKind)]), .gone,
            .records([try Self.record(people[2])]),
        ])
        try await EventLoopGroup.withLoops(1) { loops in
            // An empty set stands for anybody.
            let heard = Mutex<[Set<UUID>]>([])
            let changed = Mutex<[Set<UUID>]>([])
            let news = EventCounter()
            let arrivals = Arrivals(from: feed.caller, observer: .silent) { people in
                heard.withLock { $0.append(people) }
                news.raise()
            } collectionMayHaveChanged: { people in
                changed.withLock { $0.append(people) }
            } anyMayHave: {
                heard.withLock { $0.append([]) }
                news.raise()
            }
            let running = loops.next().task { await arrivals.run() }
            let patience = Deadline.after(.patience)
            while heard.withLock({ $0.count < 4 }), !patience.hasPassed {
                _ = await news.wait(after: news.value, deadline: .after(.milliseconds(20)))
            }
            running.cancel()
            await running.value
            #expect(heard.withLock { $0 } == [[], [people[0], people[1]], [], [people[2]]])
            #expect(changed.withLock { $0 } == [[people[1]]])
            #expect(feed.asked.withLock { $0 }.allSatisfy { $0.feed == Ingestion.liveFeed && $0.acknowledged == nil })
        }
    }
}
