public import Postgres
public import Primitives

/// Some of the parts into which a consumer divides a feed, so that its replicas can share it. The part of an event follows
/// from its entity, so that one replica has all events of an entity.
public struct FeedParts: Codable, Sendable, Hashable {
    /// The most parts of a feed.
    public static let countMax = 64
    /// Slots are numbered from 0; the parts divide them among themselves, so their number can differ from consumer to
    /// consumer.
    static let slotCount = 1 << 15

    /// Into so many parts the feed is divided.
    public let count: Int
    /// Those that are meant, ascending, from 0.
    public let numbers: [Int]

    /// The whole of a feed.
    public static let all = FeedParts(count: 1, numbers: [0])

    public init(count: Int, numbers: some Sequence<Int>) {
        self.count = count
        self.numbers = numbers.sorted()
    }

    var isValid: Bool {
        (1...Self.countMax).contains(count) && !numbers.isEmpty && Set(numbers).count == numbers.count
            && numbers.allSatisfy { (0..<count).contains($0) }
    }

    /// Whether these are all there are.
    public var isAll: Bool { numbers.count == count }

    /// The last 15 bits, which are random in all identifiers of entities.
    static func slot(of entity: UUID) -> Int16 { Int16(truncatingIfNeeded: entity.low & UInt64(slotCount - 1)) }

    /// The number of the entity's part, of `count`.
    static func number(of entity: UUID, count: Int) -> Int { Int(slot(of: entity)) % count }

    /// Those that are not among these.
    public var others: FeedParts { FeedParts(count: count, numbers: Set(0..<count).subtracting(numbers)) }

    /// Those that are among both; none when the feeds are divided into different numbers of parts.
    public func common(with parts: FeedParts) -> FeedParts {
        FeedParts(count: count, numbers: count == parts.count ? numbers.filter(parts.numbers.contains) : [])
    }

    /// Whether events of the entity are among these.
    public func contains(_ entity: UUID) -> Bool { isAll || numbers.contains(Self.number(of: entity, count: count)) }

    /// The same in a statement: whether the entity in `column` is among these.
    public func contains(column: String) -> SQL {
        guard !isAll else { return "true" }
        return """
            ((get_byte(uuid_send(\(raw: column)), 14) & 127) * 256 + get_byte(uuid_send(\(raw: column)), 15))
              % \(raw: "\(count)") = any(\(numbers.map { Int32($0) }))
            """
    }
}
