import Feed
import Reactor
import Synchronization
import Testing

/// What was reported, and a way to wait for it.
final class Incidents: Sendable {
    private let list = Mutex<[FeedIncident]>([])
    private let signal = EventCounter()

    func add(_ incident: FeedIncident) {
        list.withLock { $0.append(incident) }
        signal.raise()
    }

    var all: [FeedIncident] { list.withLock { $0 } }

    func count(_ matches: (FeedIncident) -> Bool) -> Int { all.count { matches($0) } }

    /// Waits until so many match.
    func wait(
        _ count: Int = 1, for matches: (FeedIncident) -> Bool, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let deadline = Deadline.after(.seconds(20))
        while true {
            let seen = signal.value
            if self.count(matches) >= count { return }
            guard !deadline.hasPassed else {
                Issue.record("not reported; reported were \(all)", sourceLocation: location)
                throw TestFeed.TimedOut()
            }
            _ = await signal.wait(after: seen, deadline: deadline)
        }
    }
}

extension FeedIncident {
    var isSnapshotTaken: Bool { if case .snapshotTaken = self { true } else { false } }
    var isGone: Bool { if case .gone = self { true } else { false } }
    var isParked: Bool { if case .parked = self { true } else { false } }
    var isUnparked: Bool { if case .unparked = self { true } else { false } }
    var isInterrupted: Bool { if case .interrupted = self { true } else { false } }
    var isApplyFailed: Bool { if case .applyFailed = self { true } else { false } }
}
