public import Contracts
public import Domain
import HTTP
public import Primitives

/// Something that happened for a third party, as pages, streams and webhooks tell it (SUB-02).
public struct ReceivedEvent: Decodable, Sendable {
    /// Of one data type: those of a span, which take the place of all that were given for it before.
    public struct Sums: Decodable, Sendable {
        public var type: DataType
        public var granularity: String
        public var from: Timestamp
        public var to: Timestamp
        public var buckets: [SampleSum]
    }

    /// The same whenever and however it is sent.
    public var id: UUID
    /// `request.accepted`, `data.samples` and so on.
    public var type: String
    public var requestID: UUID
    /// Of samples.
    public var series: [SampleSeries]?
    /// Of sums.
    public var sums: [Sums]?

    /// When its samples were measured, in the order in which they stand.
    public var times: [Timestamp] {
        (series ?? []).flatMap { series in (0..<series.count).map { series.time($0) } }
    }
}

/// A page of a third party's events.
public struct EventPage: Decodable, Sendable {
    public var events: [ReceivedEvent]
    public var next: String
    public var hasMore: Bool
}

/// A third party's webhook as it sees it.
public struct ThirdPartyWebhook: Decodable, Sendable {
    public var id: UUID
    public var state: String
    /// People of whom an event is tried again.
    public var heldPeople: Int
    /// Shown once.
    public var secret: String?
}

extension API {
    /// The cursor before everything.
    public static let eventsBeginning = "0"

    /// One page of all that happened for this third party; with `wait` an empty one waits for more.
    public func events(
        after cursor: String = eventsBeginning, limit: Int = 100, wait: Duration = .zero
    ) async throws(SuiteError) -> EventPage {
        try await call(
            .get, .query,
            "/events?cursor=\(PercentEncoding.encode(cursor))&limit=\(limit)&wait_ms=\(wait.milliseconds)")
    }

    /// As somebody of the third party who has logged in.
    public func createWebhook(to url: String) async throws(SuiteError) -> ThirdPartyWebhook {
        try await call(.post, .query, "/webhooks", ["url": url])
    }

    /// How often what is new is mailed.
    public func setMailing(_ frequency: String) async throws(SuiteError) {
        struct View: Decodable { var frequency: String }
        _ = try await call(.put, .query, "/mailing", ["frequency": frequency], as: View.self)
    }

    public func webhook(_ id: UUID) async throws(SuiteError) -> ThirdPartyWebhook {
        try await call(.get, .query, "/webhooks/\(id)")
    }
}
