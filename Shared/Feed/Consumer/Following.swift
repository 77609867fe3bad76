internal import Primitives
internal import Reactor

/// What one replica follows of a feed, and how far it is. The parts are read together, from one cursor: each part's own
/// cursor is moved when an event of it is applied, and now and then for all of them.
struct Following: Sendable {
    struct Part: Sendable {
        var fence: Int64
        var cursor: FeedCursor
        /// Whether a snapshot was begun and is not complete.
        var isSnapshot: Bool
        /// The replica that moved it last; of a divided feed this one.
        var holder: UUID?
        /// Since it was moved; `nil` when the database's clock has been set back since.
        var age: Duration?
    }

    /// Parts of the feed, those of other replicas included.
    let count: Int
    var parts: [Int: Part] = [:]
    /// Everything up to here is applied.
    var cursor = FeedCursor.none
    /// What producers said last of a cursor that everything up to is applied.
    var settled: FeedSettled?
    /// What is in memory only.
    var saving = Saving(every: .zero)
    /// When all parts' cursors are moved together next.
    var flushDue = Deadline.now()

    init(count: Int) {
        self.count = count
    }

    /// The parts, as the producer and handlers are told.
    var share: FeedParts { FeedParts(count: count, numbers: parts.keys) }

    var all: Set<Int> { Set(parts.keys) }

    /// Past what all parts are past; `nil` when they are of several epochs.
    var least: FeedCursor? { FeedCursor.least(of: parts.values.map(\.cursor)) }

    /// Parts that need a snapshot before anything else; all of them, when they are of several epochs.
    var unknown: Set<Int> {
        let unknown = parts.filter { $0.value.isSnapshot || $0.value.cursor.epoch.isEmpty }
        let others = parts.filter { unknown[$0.key] == nil }
        return Set(others.values.map(\.cursor.epoch)).count > 1 ? all : Set(unknown.keys)
    }

    /// Whether the stored cursor of a part lags behind `cursor`.
    var hasLaggards: Bool { parts.values.contains { !$0.cursor.covers(cursor) } }

    func part(of entity: UUID) -> Int { FeedParts.number(of: entity, count: count) }

    /// The records that are not applied yet. Where parts came from another replica, some of a batch may be.
    func fresh(_ records: [FeedRecord]) -> [FeedRecord] {
        guard count > 1 else { return records }
        return records.filter { record in
            guard let part = parts[part(of: record.entity)] else { return false }
            return part.cursor[record.lane] < record.position
        }
    }

    /// Where a part's cursor goes when everything up to `cursor` is applied.
    func target(_ part: Int, for cursor: FeedCursor) -> FeedCursor {
        guard let known = parts[part]?.cursor, known.epoch == cursor.epoch else { return cursor }
        return known.joined(with: cursor)
    }

    /// Nothing in a batch was to be applied.
    mutating func passed(_ batch: FeedRead.Result) {
        cursor = batch.cursor
        settled = batch.settled ?? settled
    }

    /// Call after the move was committed.
    mutating func moved(_ moved: Set<Int>, to cursor: FeedCursor, isSnapshot: Bool, by replica: UUID) {
        for number in moved {
            let target = target(number, for: cursor)
            parts[number]?.fence += 1
            parts[number]?.cursor = target
            parts[number]?.isSnapshot = isSnapshot
            parts[number]?.holder = replica
            parts[number]?.age = .zero
        }
    }
}
