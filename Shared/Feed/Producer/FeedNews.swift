internal import Primitives
internal import Reactor
internal import Synchronization

/// The newest positions of one feed that are known in this process, by lane. Only a hint where to look: the table
/// decides.
final class FeedNews: Sendable {
    private struct State {
        var latest = noPositions
        /// The same of what concerns a reader, by its number among the addressees; under 0 what may concern any.
        var concerning: [Int16: [Int64]] = [:]
        /// Positions that other replicas have been told, or have told.
        var shared = noPositions
        /// Counts news that may concern any lane.
        var alarms: UInt64 = 0
        /// Oldest first, of one epoch.
        var looks: [Look] = []

        mutating func note(lane: Int, position: Int64, of addressees: Set<Int16>) {
            latest[lane] = max(latest[lane], position)
            for addressee in addressees {
                let known = concerning[addressee, default: noPositions][lane]
                concerning[addressee, default: noPositions][lane] = max(known, position)
            }
        }
    }

    private static let noPositions = [Int64](repeating: 0, count: FeedSchema.laneCount)

    /// One look at the table's end.
    private struct Look {
        /// When it began.
        let time: Deadline
        let end: FeedCursor
        /// Every event that this look does not show is recorded after this time.
        let horizon: Timestamp
    }

    /// Looks that are kept: a consumer further behind gets no `FeedSettled` until it has caught up.
    private static let looksMax = 64

    let feed: String
    /// Raised when there is news.
    let changes = EventCounter()
    /// The segment to write to. May be behind the table's: any segment will do.
    private let segment = Atomic<Int>(0)
    private let state = Mutex(State())

    init(feed: String) {
        self.feed = feed
    }

    var currentSegment: Int { segment.load(ordering: .relaxed) }

    func learn(segment number: Int) {
        guard (0..<FeedSchema.segmentCount).contains(number) else { return }
        segment.store(number, ordering: .relaxed)
    }

    /// Call after a transaction of this process was committed, with the addressees of its events (0: all). For others they
    /// are news only with the next look at the table, once a second: what they pass then is nothing to them.
    func committed(lane: Int, position: Int64, of addressees: Set<Int16>) {
        state.withLock { $0.note(lane: lane, position: position, of: addressees) }
        changes.raise()
    }

    /// Call with the positions that another replica announces.
    func heard(_ news: [(lane: Int, position: Int64)]) {
        state.withLock { state in
            for (lane, position) in news {
                state.note(lane: lane, position: position, of: [0])
                state.shared[lane] = max(state.shared[lane], position)
            }
        }
        changes.raise()
    }

    /// Call with the table's end, after a look that began at `time` with the horizon: it shows what no message
    /// announced.
    func looked(at time: Deadline, horizon: Timestamp, end: FeedCursor) {
        let isNews = state.withLock { state in
            var isNews = false
            if let last = state.looks.last, last.end.epoch != end.epoch {
                // Positions of the other epoch are void.
                state.looks = []
                state.latest = Self.noPositions
                state.concerning = [:]
                state.alarms += 1
                isNews = true
            }
            for (lane, position) in end.positions.enumerated() {
                if position > state.latest[lane] { state.shared[lane] = position }
                guard position > state.concerning[0]?[lane] ?? 0 else { continue }
                state.note(lane: lane, position: position, of: [0])
                isNews = true
            }
            if state.looks.count == Self.looksMax { state.looks.removeFirst() }
            state.looks.append(Look(time: time, end: end, horizon: horizon))
            return isNews
        }
        if isNews { changes.raise() }
    }

    /// The epoch, when the table's end was read within the last `time`: then what lies beyond a cursor is known without
    /// asking the database.
    func knownEpoch(within time: Duration) -> String? {
        state.withLock { state in
            guard let last = state.looks.last, Deadline.now().since(last.time) < time else { return nil }
            return last.end.epoch
        }
    }

    /// What holds for a consumer that has applied everything up to the cursor, by the latest look that found nothing
    /// beyond it.
    func settled(at cursor: FeedCursor) -> FeedSettled? {
        state.withLock { state in
            state.looks.last { cursor.covers($0.end) }.map {
                FeedSettled(until: $0.horizon, age: Deadline.now().since($0.time))
            }
        }
    }

    /// Call when announcements may have been missed: all readers look at all lanes.
    func lookEverywhere() {
        state.withLock { $0.alarms += 1 }
        changes.raise()
    }

    var alarms: UInt64 { state.withLock { $0.alarms } }

    /// Lanes with positions beyond `cursor` that concern the reader with this number (0: none of the addressees).
    func lanes(beyond cursor: FeedCursor, for reader: Int16) -> [Int] {
        state.withLock { state in
            let (all, own) = (state.concerning[0] ?? Self.noPositions, state.concerning[reader] ?? Self.noPositions)
            return all.indices.filter { max(all[$0], own[$0]) > cursor[$0] }
        }
    }

    /// Positions that other replicas have not been told; they count as told from now on.
    func takeUnshared() -> [(lane: Int, position: Int64)] {
        state.withLock { state in
            var news: [(lane: Int, position: Int64)] = []
            for lane in state.latest.indices where state.latest[lane] > state.shared[lane] {
                news.append((lane, state.latest[lane]))
                state.shared[lane] = state.latest[lane]
            }
            return news
        }
    }
}
