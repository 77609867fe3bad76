import Feed
import Primitives
import Reactor
import Synchronization

/// For how long the live feed has been read up to now without a break, as far as this process knows. While it was not, that
/// nothing came from somebody says nothing.
final class FeedFreshness: Sendable {
    /// A feed that was caught up so long ago is read; one that is quiet is asked every few seconds.
    static let ageMax = Duration.seconds(30)
    /// Nobody looked for longer: what was in between is not known.
    static let pauseMax = Duration.seconds(60)

    private let state = Mutex<(since: Deadline, lookedAt: Deadline)?>(nil)

    /// Takes up how far the feed was read just now; the answer is for how long it has been.
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
