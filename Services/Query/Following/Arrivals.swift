import Contracts
import Feed
import Primitives
import RPC
import Telemetry

/// Follows `ingestion.live` in memory: of whom something arrived that third parties may have (SUB-01), and of whom other data types
/// may be collected now than before (SUB-04). Each replica hears of everybody. What came while it did not listen is not told one by
/// one: then anybody may have got something.
struct Arrivals: Sendable {
    private let reader: FeedReader

    /// `arrived` is called with people of whom something is stored now, `collectionMayHaveChanged` with those of whom other data types
    /// may be collected, `anyMayHave` (of both) at the start, when a part of ingestion is heard of for the first time, and after
    /// each gap. All may be called several times at the same time, and hold up what comes next until they return.
    init(
        from ingestion: any RPCCaller, observer: Observer, arrived: @escaping @Sendable (Set<UUID>) -> Void,
        collectionMayHaveChanged changed: @escaping @Sendable (Set<UUID>) -> Void,
        anyMayHave: @escaping @Sendable () -> Void
    ) {
        reader = FeedReader(feed: Ingestion.liveFeed, from: ingestion, observer: observer) { update, _ in
            switch update {
            case .snapshotBegan, .entities: break
            // What comes from here on is told.
            case .snapshotEnded: anyMayHave()
            case .changes(let records):
                func people(_ kind: String) -> Set<UUID> {
                    Set(records.lazy.filter { $0.kind == kind }.map(\.entity))
                }
                let (stored, others) = (people(Ingestion.liveArrivedKind), people(Ingestion.liveCollectionKind))
                if !stored.isEmpty { arrived(stored) }
                if !others.isEmpty { changed(others) }
            }
        }
    }

    /// Until the task is cancelled. Call on a loop.
    func run() async { await reader.run() }
}
