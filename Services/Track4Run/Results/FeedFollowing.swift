import Feed
import Primitives
import Synchronization

/// How long the live feed has been followed without a break, by the clock of its producer. What devices have sent during a
/// break comes after it: the time for late data then begins anew, so that an outage at the end of a run costs nobody a
/// result.
final class FeedFollowing: Sendable {
    /// A feed that is further behind is not followed: it, or what carries it, stands still.
    static let ageMax = Duration.seconds(30)

    private let since = Mutex<Timestamp?>(nil)

    /// What was measured before this time has arrived, as far as it will: it was applied, and so long after it the feed
    /// was followed. `nil`: nothing is known. Call about once a second.
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
