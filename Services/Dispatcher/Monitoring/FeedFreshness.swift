import Feed
import Primitives
import Reactor
import Synchronization

/// How long the live feed has been read without a break, as far as this process knows. Silence of a person means
/// something only while the feed is read.
final class FeedFreshness: Sendable {
    /// The feed counts as read when it was caught up at most so long ago; a quiet feed is asked every few seconds.
    static let ageMax = Duration.seconds(30)
    /// After a longer pause between two calls of `update` the time counts anew: what happened in the pause is not
    /// known.
    static let pauseMax = Duration.seconds(60)

    private let state = Mutex<(since: Deadline, lookedAt: Deadline)?>(nil)

    /// Records how far the feed is read now; returns for how long it has been read without a break.
    func update(_ progress: FeedProgress, at now: Deadline = .now()) -> Duration {
        state.withLock { state in
            guard let age = progress.age, age <= Self.ageMax else {
                state = nil
                return .zero
            }
            if let known = state, now.since(known.lookedAt) <= Self.pauseMax {
                state = (known.since, now)
                return now.since(known.since)
            }
            state = (now, now)
            return .zero
        }
    }
}
