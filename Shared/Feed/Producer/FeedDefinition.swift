/// A feed that a service publishes, and who may follow it.
public struct FeedDefinition: Sendable {
    /// One page of a snapshot.
    public struct Page: Sendable {
        public var entities: [FeedEntity]
        /// What to ask for next; `nil` after the last page.
        public var next: String?

        public init(entities: [FeedEntity], next: String?) {
            self.entities = entities
            self.next = next
        }
    }

    /// `service.topic`.
    public let name: String
    /// Services whose consumers are waited for: nothing is trimmed that they have not committed.
    public let durable: Set<String>
    /// Services that may only read along.
    public let ephemeral: Set<String>
    /// Gives the page after another (`nil`: the first) of what the feed is about, as it is now. Without one, a snapshot
    /// is empty, and a consumer that needs one goes on with what happens next.
    public let snapshot: (@Sendable (_ page: String?) async throws -> Page)?

    /// Makes of what is kept what consumers get: payloads are opened here that are sealed at rest. Records that can no
    /// longer be read may be left out.
    public let reveal: (@Sendable ([FeedRecord]) async throws -> [FeedRecord])?

    public init(
        name: String, durable: Set<String>, ephemeral: Set<String> = [],
        snapshot: (@Sendable (_ page: String?) async throws -> Page)? = nil,
        reveal: (@Sendable ([FeedRecord]) async throws -> [FeedRecord])? = nil
    ) {
        self.name = name
        self.durable = durable
        self.ephemeral = ephemeral
        self.snapshot = snapshot
        self.reveal = reveal
    }

    var readers: Set<String> { durable.union(ephemeral) }
}
