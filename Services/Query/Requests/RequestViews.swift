import Domain
import Primitives

/// A request as the third party sees it in its history (REQ-12).
struct RequestForRequester: Encodable, Sendable {
    let request: ConsentRequest

    enum CodingKeys: String, CodingKey {
        case id, state, mode, from, to, reason, individual, granularity, frequency, dataTypes, acceptedTypes,
            createdAt, lapsesAt, decidedAt, accessUntil, closedAt
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(request.id, forKey: .id)
        try container.encode(request.state, forKey: .state)
        try container.encode(request.mode, forKey: .mode)
        try container.encode(request.named, forKey: .individual)
        try container.encode(request.types, forKey: .dataTypes)
        try container.encodeIfPresent(request.acceptedTypes, forKey: .acceptedTypes)
        try container.encode(request.from, forKey: .from)
        try container.encode(request.to, forKey: .to)
        try container.encode("raw", forKey: .granularity)
        try container.encode("live", forKey: .frequency)
        try container.encode(request.reason, forKey: .reason)
        try container.encode(request.createdAt, forKey: .createdAt)
        try container.encode(request.lapsesAt, forKey: .lapsesAt)
        try container.encodeIfPresent(request.decidedAt, forKey: .decidedAt)
        try container.encodeIfPresent(request.accessUntil, forKey: .accessUntil)
        try container.encodeIfPresent(request.closedAt, forKey: .closedAt)
    }
}

/// The answer to a new request.
struct RequestCreated: Encodable, Sendable {
    let id: UUID
    let state: ConsentRequest.State
    let unavailableTypes: [DataType]
}

/// A request as the individual sees it: who asks or follows, what, why, since when and until when (REQ-10).
struct RequestForIndividual: Encodable, Sendable {
    struct Requester: Encodable {
        let id: UUID
        let name: String
    }

    let request: ConsentRequest
    /// When the requester last received something.
    let lastReadAt: Timestamp?

    enum CodingKeys: String, CodingKey {
        case id, kind, state, mode, requester, from, to, reason, runID, dataTypes, acceptedTypes, createdAt,
            lapsesAt, decidedAt, accessUntil, closedAt, lastReadAt
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(request.id, forKey: .id)
        try container.encode(request.runID == nil ? "request" : "check-in", forKey: .kind)
        try container.encodeIfPresent(request.runID, forKey: .runID)
        try container.encode(request.state, forKey: .state)
        try container.encode(request.mode, forKey: .mode)
        try container.encode(Requester(id: request.requesterID, name: request.requesterName), forKey: .requester)
        try container.encode(request.types, forKey: .dataTypes)
        try container.encodeIfPresent(request.acceptedTypes, forKey: .acceptedTypes)
        try container.encode(request.from, forKey: .from)
        try container.encode(request.to, forKey: .to)
        try container.encode(request.reason, forKey: .reason)
        try container.encode(request.createdAt, forKey: .createdAt)
        try container.encode(request.lapsesAt, forKey: .lapsesAt)
        try container.encodeIfPresent(request.decidedAt, forKey: .decidedAt)
        try container.encodeIfPresent(request.accessUntil, forKey: .accessUntil)
        try container.encodeIfPresent(request.closedAt, forKey: .closedAt)
        try container.encodeIfPresent(lastReadAt, forKey: .lastReadAt)
    }
}

/// One page of a list, and where the next begins.
struct Page<Item: Encodable & Sendable>: Encodable, Sendable {
    let name: String
    let items: [Item]
    let next: UUID?

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    /// `items` are one more than `limit` when there is another page.
    init(_ name: String, _ items: [Item], limit: Int, id: (Item) -> UUID) {
        self.name = name
        self.items = Array(items.prefix(limit))
        next = items.count > limit ? self.items.last.map(id) : nil
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(items, forKey: Key(stringValue: name))
        try container.encodeIfPresent(next, forKey: Key(stringValue: "next"))
    }
}
