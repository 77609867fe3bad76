public import Primitives
import Reactor
import Security
import Synchronization

/// When a device's token serves beyond its end (SOS-05): nobody can renew a token while accounts is away, and an alarm must
/// not end with it.
///
/// **Unreachable** is accounts, for one process, when its revocations have not been read to their end for `unreachableMin`
/// (`RevocationFeed`): its replicas are away or cannot be reached from here, or its database is away, without which it gives
/// no tokens either. While they are read no token serves beyond its end, whatever else fails.
///
/// **Until when**: `overdueMax` after its end. The time that this is judged by does not follow a clock that is set back: it
/// is at least the one at which accounts was heard last, and what the monotonic clock has counted since. Both the keys and
/// that time are kept in the service's database, so that a restart prolongs nothing and ends nothing.
///
/// **Revoked** tokens of devices and accounts stay refused: such revocations are remembered for longer than any of their
/// tokens could serve (`Revocations.lastingLife`), and kept in the database, too. A service that starts gets them from
/// accounts as far back. When more were revoked than can be remembered, no token serves beyond its end.
///
/// Only routes that say so take such tokens (`Access.device`), and the service admits those of the people for whom an alarm
/// may depend on it (`Authentication.Confirmation`, `Identity.isOverdue`).
public final class TokenTrust: Sendable {
    public static let overdueMax = Duration.seconds(72 * 3600)
    /// Twice the time after which third parties are refused.
    public static let unreachableMin = Duration.seconds(2)

    private struct Heard {
        /// By this machine's clock …
        let time: Timestamp
        /// … and when that was.
        let at: Deadline
    }

    let revocations: Revocations
    let keys: RemoteKeySource
    private let clock: any WallClock
    private let startedAt = Deadline.now()
    private let heard = Mutex<Heard?>(nil)
    let stored = Mutex(StoredTrust())

    public init(_ revocations: Revocations, keys: RemoteKeySource, clock: any WallClock) {
        self.revocations = revocations
        self.keys = keys
        self.clock = clock
    }

    /// Remembers the time while accounts is heard; call about once a second. Returns that time, `nil` while it is not.
    @discardableResult
    func note(at now: Deadline = .now()) -> Timestamp? {
        guard let last = revocations.lastHeard, now.since(last) <= Revocations.silenceMax else { return nil }
        let time = clock.now()
        heard.withLock { $0 = Heard(time: time, at: now) }
        return time
    }

    /// The time at which accounts was heard before this process had started; no effect once it has been heard.
    func restore(heardAt time: Timestamp) {
        heard.withLock { $0 = $0 ?? Heard(time: time, at: startedAt) }
    }

    /// The time by which tokens are judged that have ended; `nil` when those are of no use.
    func overdueTime(at now: Deadline = .now()) -> Timestamp? {
        guard now.since(revocations.lastHeard ?? startedAt) > Self.unreachableMin, revocations.remembersLasting(at: now)
        else { return nil }
        let time = clock.now()
        return heard.withLock { $0 }.map { max(time, $0.time + now.since($0.at)) } ?? time
    }
}
