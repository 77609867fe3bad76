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
        /// The epoch of the last look at the table's end, and when that began.
        var epoch = ""
        var lookedAt: Deadline?
    }

    let feed: String
    /// Raised with every piece of news.
    let signal = EventCounter()
    private let state = Mutex(State())

    init(feed: String) {
        self.feed = feed
    }

    /// A transaction of this process was committed.
    func committed(lane: Int, position: Int64) {
        state.withLock { $0.latest[lane] = max($0.latest[lane], position) }
        signal.raise()
    }

    /// Another replica says so.
    func heard(_ news: [(lane: Int, position: Int64)]) {
        state.withLock { state in
            for (lane, position) in news {
                state.latest[lane] = max(state.latest[lane], position)
                state.shared[lane] = max(state.shared[lane], position)
            }
        }
        signal.raise()
    }

    /// The table's end, as of a look that began at `time`: catches what no message told.
    func looked(at time: Deadline, end: FeedCursor) {
        let isNews = state.withLock { state in
            var isNews = false
            if state.lookedAt != nil, state.epoch != end.epoch {
                // Positions of the other epoch say nothing any more.
                state.latest = [Int64](repeating: 0, count: FeedSchema.laneCount)
                state.alarms += 1
                isNews = true
            }
            for (lane, position) in end.positions.enumerated() where position > state.latest[lane] {
                state.latest[lane] = position
                state.shared[lane] = position
                isNews = true
            }
            state.epoch = end.epoch
            state.lookedAt = time
            return isNews
        }
        if isNews { signal.raise() }
    }

    /// The epoch, when the table's end was looked at in the last `time`: what is beyond a cursor is known without asking
    /// the database.
    func knownEpoch(within time: Duration) -> String? {
        state.withLock { state in
            guard let lookedAt = state.lookedAt, Deadline.now().since(lookedAt) < time else { return nil }
            return state.epoch
        }
    }

    /// Something may have been missed: everybody looks at all lanes.
    func lookEverywhere() {
        state.withLock { $0.alarms += 1 }
        signal.raise()
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
