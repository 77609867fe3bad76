internal import Primitives
internal import Reactor
internal import Synchronization

/// What is known in this process to be new in one feed: the last position per lane. Only a hint where to look; what is
/// there is decided by the table.
final class FeedNews: Sendable {
    private struct State {
        var latest = [Int64](repeating: 0, count: FeedSchema.laneCount)
        /// What other replicas have been told, or have told.
        var shared = [Int64](repeating: 0, count: FeedSchema.laneCount)
        /// Counts what may concern any lane.
        var alarms: UInt64 = 0
        /// Oldest first, of one epoch.
        var looks: [Look] = []
    }

    /// A look at the table's end.
    private struct Look {
        /// When it began.
        let time: Deadline
        let end: FeedCursor
        /// Whatever is recorded later than this look shows is recorded after this time.
        let horizon: Timestamp
    }

    /// Looks that are remembered: a consumer that is further behind is promised nothing until it has caught up.
    private static let looksMax = 64

    let feed: String
    /// Raised with every piece of news.
    let changes = EventCounter()
    /// Where to write. May be behind the table's: any segment will do.
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

    /// A transaction of this process was committed.
    func committed(lane: Int, position: Int64) {
        state.withLock { $0.latest[lane] = max($0.latest[lane], position) }
        changes.raise()
    }

    /// Another replica says so.
    func heard(_ news: [(lane: Int, position: Int64)]) {
        state.withLock { state in
            for (lane, position) in news {
                state.latest[lane] = max(state.latest[lane], position)
                state.shared[lane] = max(state.shared[lane], position)
            }
        }
        changes.raise()
    }

    /// The table's end, as of a look that began at `time` with the horizon: catches what no message told.
    func looked(at time: Deadline, horizon: Timestamp, end: FeedCursor) {
        let isNews = state.withLock { state in
            var isNews = false
            if let last = state.looks.last, last.end.epoch != end.epoch {
                // Positions of the other epoch say nothing any more.
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

    /// The epoch, when the table's end was looked at in the last `time`: what is beyond a cursor is known without asking
    /// the database.
    func knownEpoch(within time: Duration) -> String? {
        state.withLock { state in
            guard let last = state.looks.last, Deadline.now().since(last.time) < time else { return nil }
            return last.end.epoch
        }
    }

    /// What whoever has applied everything up to the cursor can rely on, by the latest look that found nothing beyond it.
    func settled(at cursor: FeedCursor) -> FeedSettled? {
        state.withLock { state in
            state.looks.last { cursor.covers($0.end) }.map {
                FeedSettled(until: $0.horizon, age: Deadline.now().since($0.time))
            }
        }
    }

    /// Something may have been missed: everybody looks at all lanes.
    func lookEverywhere() {
        state.withLock { $0.alarms += 1 }
        changes.raise()
    }

    var alarms: UInt64 { state.withLock { $0.alarms } }

    /// Lanes that have more than `cursor`.
    func lanes(beyond cursor: FeedCursor) -> [Int] {
        state.withLock { state in
            state.latest.indices.filter { state.latest[$0] > cursor[$0] }
        }
    }

    /// What the other replicas have not been told, as told now.
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
