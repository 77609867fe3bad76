public import Primitives

/// The end of a page of a list. Lists are ordered by time, the latest first, then by id; ids alone have no order, since
/// some are made from names.
public struct ListPosition: Codable, Sendable, Hashable {
    public let time: Timestamp
    public let id: UUID

    public init(_ time: Timestamp, _ id: UUID) {
        self.time = time
        self.id = id
    }
}

/// Which page of a list is wanted: `?cursor=…&limit=…`. A cursor is the `next` of the page before.
public struct PageQuery: Sendable {
    public static let limitMax = 100
    public static let limitDefault = 50

    public let after: ListPosition?
    public let limit: Int

    /// Errors: 422 for what cannot be read.
    public init(_ request: HTTPRequest) throws(Problem) {
        (after, limit) = try request.parameters { (query) throws(Problem) in
            (query.cursor(), query.number("limit", 1...Self.limitMax) ?? Self.limitDefault)
        }
    }
}

/// One page of a list, and where the next begins: `{"requests": […], "next": "…"}`.
public struct Page<Item: Encodable & Sendable>: Encodable, Sendable {
    private let name: String
    private let items: [Item]
    /// Absent on the last page.
    private let next: String?

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    /// `items` are one more than `limit` when there is another page.
    public init(
        _ name: String, _ items: [Item], limit: Int, position: (Item) -> ListPosition
    ) throws(Problem) {
        self.name = name
        self.items = Array(items.prefix(limit))
        guard items.count > limit, let last = self.items.last else {
            next = nil
            return
        }
        next = try HTTPCursor.encode(position(last))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(items, forKey: Name(stringValue: name))
        try container.encodeIfPresent(next, forKey: Name(stringValue: "next"))
    }
}
