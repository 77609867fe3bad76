import Feed
import Primitives
import Synchronization

/// How long the live feed has been followed without a break, by the clock of its producer. Samples sent during a break
/// come after it: the time for late data then starts again, so that an outage at the end of a run costs nobody a
/// result.
final class FeedFollowing: Sendable {
    /// A feed further behind counts as not followed: its producer or its reader is not working.
    static let ageMax = Duration.seconds(30)

    private let since = Mutex<Timestamp?>(nil)

    /// The time before which all samples have arrived that will: the feed was followed without a break for `lateData`
    /// after it. `nil`: unknown. Call about once a second.
    func settled(_ progress: FeedProgress, lateData: Duration) -> Timestamp? {
        since.withLock { since in
            guard let applied = progress.appliedUntil, let age = progress.age, age <= Self.ageMax else {
                since = nil
                return nil
            }
            let begun = since ?? applied
            since = begun
            let settled = applied - lateData
            return begun <= settled ? settled : nil
        }
    }
}
