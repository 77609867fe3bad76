internal import JSON
public import Postgres

/// A feed that a service publishes, and the services that may follow it.
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
    /// Services that may follow durably. Which of them are waited for before events are trimmed, and up to which caps,
    /// is configuration (`FeedRetention`).
    public let durable: Set<String>
    /// Services that may only read without being waited for.
    public let ephemeral: Set<String>
    /// Those of them that are told of whom something has changed, and nothing else: without payloads, and with an empty
    /// snapshot.
    public let bare: Set<String>
    /// Numbers from 1 on of services to which single events may be addressed (`FeedEvent.addressee`): they stand for them
    /// in the table, and stay the same for ever.
    public let addressees: [String: Int16]
    /// Gives the page after another (`nil`: the first) of the present state of the feed's entities. Without it, a
    /// snapshot is empty, and a consumer that needs one goes on with later events.
    public let snapshot: (@Sendable (_ page: String?) async throws -> Page)?

    /// Gives an expression that is true of an entity whose stored events are passed over from now on, and null of all others; it
    /// is read together with them. A scalar subquery with a limit looks the entity up by index, whatever the planner knows.
    public let hides: (@Sendable (_ entity: SQL) -> SQL)?

    /// Makes the records that consumers get of the stored ones: opens payloads that are sealed at rest. Records that
    /// can no longer be read may be left out.
    public let reveal: (@Sendable ([FeedRecord]) async throws -> [FeedRecord])?

    /// Whether nobody may follow the feed just now, since it lacks something that was published once. Asked at each call.
    public let isHeld: (@Sendable () -> Bool)?

    /// - Precondition: the numbers of `addressees` are positive and differ.
    public init(
        name: String, durable: Set<String>, ephemeral: Set<String> = [], bare: Set<String> = [],
        addressees: [String: Int16] = [:],
        snapshot: (@Sendable (_ page: String?) async throws -> Page)? = nil,
        hides: (@Sendable (_ entity: SQL) -> SQL)? = nil,
        reveal: (@Sendable ([FeedRecord]) async throws -> [FeedRecord])? = nil,
        isHeld: (@Sendable () -> Bool)? = nil
    ) {
        precondition(
            addressees.values.allSatisfy { $0 > 0 } && Set(addressees.values).count == addressees.count,
            "the addressees of \(name) need numbers of their own")
        self.name = name
        self.durable = durable
        self.ephemeral = ephemeral
        self.bare = bare
        self.addressees = addressees
        self.snapshot = snapshot
        self.hides = hides
        self.reveal = reveal
        self.isHeld = isHeld
    }

    /// The number of an addressee; 0 for none.
    func number(of addressee: String?) -> Int16 { addressee.flatMap { addressees[$0] } ?? 0 }

    /// What this reader gets of the stored records.
    func records(_ stored: [FeedRecord], for reader: String) async throws -> [FeedRecord] {
        if bare.contains(reader) { return stored.map { $0.with(payload: Self.nothing) } }
        return try await reveal?(stored) ?? stored
    }

    private static let nothing = JSONRaw(unchecked: Array("{}".utf8))

    var readers: Set<String> { durable.union(ephemeral) }
}
