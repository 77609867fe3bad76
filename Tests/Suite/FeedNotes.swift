import Feed
import Synchronization

/// The incidents of a feed.
final class FeedNotes: Sendable {
    private let list = Mutex<[FeedIncident]>([])

    func add(_ incident: FeedIncident) { list.withLock { $0.append(incident) } }

    var snapshots: Int { count { if case .snapshotTaken = $0 { true } else { false } } }
    var gone: Int { count { if case .gone = $0 { true } else { false } } }
    /// Events that were blamed for a failure.
    var blamed: Int {
        count {
            switch $0 {
            case .parked, .applyFailed: true
            default: false
            }
        }
    }

    private func count(_ matches: (FeedIncident) -> Bool) -> Int { list.withLock { $0.count { matches($0) } } }
}
