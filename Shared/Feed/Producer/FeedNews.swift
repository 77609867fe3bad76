internal import Primitives
internal import Reactor
internal import Synchronization

/// The newest positions of one feed that are known in this process, by lane. Only a hint where to look: the table
/// decides.
final class FeedNews: Sendable {
    private struct State {
        var latest = [Int64](repeating: 0, count: FeedSchema.laneCount)
        /// Positions that other replicas have been told, or have told.
        var shared = [Int64](repeating: 0, count: FeedSchema.laneCount)
        /// Counts news that may concern any lane.
        var alarms: UInt64 = 0
        /// Oldest first, of one epoch.
        var looks: [Look] = []
    }

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

    /// Call after a transaction of this process was committed.
    func committed(lane: Int, position: Int64) {
        state.withLock { $0.latest[lane] = max($0.latest[lane], position) }
        changes.raise()
    }

    /// Call with the positions that another replica announces.
    func heard(_ news: [(lane: Int, position: Int64)]) {
        state.withLock { state in
            for (lane, position) in news {
                state.latest[lane] = max(state.latest[lane], position)
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
                state.latest = [Int64](repeating: 0, count: FeedSchema.laneCount)
                state.alarms += 1
                isNews = true
            }
            for (lane, position) in end.positions.enumerated() where position > state.latest[lane] {
                state.latest[lane] = position
                state.shared[lane] = position
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

    /// Lanes with positions beyond `cursor`.
    func lanes(beyond cursor: FeedCursor) -> [Int] {
        state.withLock { state in
            state.latest.indices.filter { state.latest[$0] > cursor[$0] }
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
