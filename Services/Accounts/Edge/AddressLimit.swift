import Primitives
import Reactor
import Synchronization

/// Bounds how often one client address may do something that needs no log-in, in each replica by itself. Of IPv6 the
/// first 64 bits count, which one customer has. Addresses of this machine are not counted: who is there is trusted, or
/// behind a proxy that the configuration does not name (`public.trusted_proxies`).
final class AddressLimit: Sendable {
    /// Addresses counted at the same time; those beyond are refused until the window ends.
    static let addressesMax = 100_000

    private struct State {
        var counts: [[UInt8]: Int] = [:]
        var since: Timestamp?
    }

    private let max: Int
    private let window: Duration
    private let clock: any WallClock
    private let state = Mutex(State())

    /// At most `max` times in each `window`.
    init(max: Int, window: Duration, clock: any WallClock) {
        self.max = max
        self.window = window
        self.clock = clock
    }

    /// Counts once more. Throws `too-many-tries`.
    func count(_ address: SocketAddress?) throws(Refusal) {
        guard let address, !address.isThisMachine else { return }
        let network = address.network
        let now = clock.now()
        let wait: Duration? = state.withLock { state in
            if let since = state.since, now - since < window, now >= since {
                let count = state.counts[network] ?? 0
                guard count < max, count > 0 || state.counts.count < Self.addressesMax else {
                    return window - (now - since)
                }
                state.counts[network] = count + 1
            } else {
                state = State(counts: [network: 1], since: now)
            }
            return nil
        }
        if let wait {
            throw Refusal(
                .tooManyTries, "too-many-tries", "There was too much of this from your network; please wait.",
                retryAfter: wait)
        }
    }
}
