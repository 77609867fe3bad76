import Contracts
import Feed
import JSON
import Postgres
import Primitives

/// Publishes the feed `query.consents`, in the transaction that changes the request: check-ins of runs.
struct ConsentFeed: Sendable {
    let producer: FeedProducer

    private static let kind = "consent"

    /// Publishes check-ins of runs only: other requests concern nobody else (NFR-06).
    func publish(_ request: ConsentRequest, in transaction: Transaction) async throws {
        guard request.runID != nil else { return }
        let event = try FeedEvent(
            feed: Query.consentsFeed, entity: request.id, version: Int64(request.version), kind: Self.kind,
            encoding: request.change)
        try await producer.publish([event], in: transaction)
    }

    // MARK: Snapshot

    private static let pageMax = 500
    /// How long after its end a run's check-ins are in a snapshot.
    private static let kept = Duration.seconds(86_400)

    /// The feed, for track4run. A snapshot holds the check-ins of runs that are not long over, in any state.
    static func definition(_ store: RequestStore, in database: Database, clock: any WallClock) -> FeedDefinition {
        FeedDefinition(
            name: Query.consentsFeed, durable: [ServiceName.track4run.rawValue],
            snapshot: { page in
                let requests = try await store.checkIns(
                    endingAfter: clock.now() - kept, after: page.flatMap { UUID($0) }, limit: pageMax, in: database)
                return FeedDefinition.Page(
                    entities: try requests.map {
                        FeedEntity(
                            entity: $0.id, version: Int64($0.version), kind: kind,
                            payload: try JSONRaw(encoding: $0.change))
                    },
                    next: requests.count == pageMax ? requests.last?.id.description : nil)
            })
    }
}
