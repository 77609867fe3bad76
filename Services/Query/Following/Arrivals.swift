import Contracts
import Feed
import Primitives
import RPC
import Telemetry

/// Follows `ingestion.live` in memory: of whom something arrived that third parties may have (SUB-01). Each replica hears of
/// everybody. What came while it did not listen is not told one by one: then anybody may have got something.
struct Arrivals: Sendable {
    private let reader: FeedReader

    /// `arrived` is called with people of whom something is stored now, `anyMayHave` at the start, when a part of ingestion is
    /// heard of for the first time, and after each gap. Both may be called several times at the same time, and hold up what comes
    /// next until they return.
    init(
        from ingestion: any RPCCaller, observer: Observer, arrived: @escaping @Sendable (Set<UUID>) -> Void,
        anyMayHave: @escaping @Sendable () -> Void
    ) {
        reader = FeedReader(feed: Ingestion.liveFeed, from: ingestion, observer: observer) { update, _ in
            switch update {
            case .snapshotBegan, .entities: break
            // What comes from here on is told.
            case .snapshotEnded: anyMayHave()
            case .changes(let records):
                let people = Set(records.lazy.filter { $0.kind == Ingestion.liveArrivedKind }.map(\.entity))
                if !people.isEmpty { arrived(people) }
            }
        }
    }

    /// How long ago it was certain at the latest that nothing was missed; `nil` before that, and after a gap.
    var age: Duration? { reader.age }

    /// Until the task is cancelled. Call on a loop.
    func run() async { await reader.run() }
}
