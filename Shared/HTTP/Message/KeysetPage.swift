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

/// A row of a list: its place, and what it holds, unless that could not be read.
public struct ListRow<Item: Sendable>: Sendable {
    public let position: ListPosition
    public let item: Item?

    public init(_ position: ListPosition, _ item: Item?) {
        self.position = position
        self.item = item
    }

    public func map<Other>(_ transform: (Item) throws -> Other) rethrows -> ListRow<Other> {
        ListRow<Other>(position, try item.map(transform))
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
        try self.init(name, items.map { ListRow(position($0), $0) }, limit: limit)
    }

    /// The same of rows some of which may be unreadable: the page leaves them out, and the next begins after them.
    public init(_ name: String, _ rows: [ListRow<Item>], limit: Int) throws(Problem) {
        self.name = name
        let page = rows.prefix(limit)
        items = page.compactMap(\.item)
        guard rows.count > limit, let last = page.last else {
            next = nil
            return
        }
        next = try HTTPCursor.encode(last.position)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(items, forKey: Name(stringValue: name))
        try container.encodeIfPresent(next, forKey: Name(stringValue: "next"))
    }
}
