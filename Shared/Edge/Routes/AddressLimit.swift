public import Primitives
public import Reactor
import Synchronization

/// Bounds how often one client may do something that needs no log-in, in each replica by itself (NFR-03).
///
/// Counted are the client's network (an IPv4 address, 64 bits of IPv6), and its site (24 bits, 48 bits) with
/// `siteFactor` times the limit: a client with many networks gains little. Nobody is refused because many others are
/// counted: when there is no room for another network, only its site is counted, and in place of another site its
/// provider's block (16 bits, 32 bits) with `providerFactor` times the limit. Addresses of this machine are not
/// counted: a client there is trusted, or behind a proxy that the configuration does not name
/// (`public.trusted_proxies`).
public final class AddressLimit: Sendable {
    public static let siteFactor = 8
    public static let providerFactor = 64

    /// The limit is reached.
    public struct Exceeded: Error, Equatable {
        /// Time until the window ends.
        public let retryAfter: Duration
    }

    /// What was counted, for taking it back.
    public struct Counted: Sendable {
        /// The count of the widest block in this window, this request included; 0 for addresses that are not counted.
        public let inBlock: Int
        fileprivate let blocks: [(width: Int, block: [UInt8])]
        fileprivate let since: Timestamp
    }

    private struct State {
        var since: Timestamp
        /// By width: networks, sites, blocks of providers.
        var counts: [[[UInt8]: Int]] = [[:], [:], [:]]
    }

    private static let factors = [1, siteFactor, providerFactor]

    private let max: Int
    private let window: Duration
    private let clock: any WallClock
    private let entriesMax: Int
    private let state = Mutex<State?>(nil)

    /// At most `max` times in each `window`. Of each width, `entriesMax` are counted at the same time.
    public init(max: Int, window: Duration, clock: any WallClock, entriesMax: Int = 100_000) {
        self.max = max
        self.window = window
        self.clock = clock
        self.entriesMax = entriesMax
    }

    /// Counts a request.
    @discardableResult public func count(_ address: SocketAddress?) throws(Exceeded) -> Counted {
        let now = clock.now()
        guard let address, !address.isLoopback else { return Counted(inBlock: 0, blocks: [], since: now) }
        let blocks = [address.network, address.site, address.providerBlock]
        let counted = state.withLock { state -> Counted? in
            var current = state.take() ?? State(since: now)
            defer { state = current }
            if now - current.since >= window || now < current.since { current = State(since: now) }
            var found: [(width: Int, block: [UInt8])] = []
            var inBlock = 0
            // The provider's block counts only in place of a site that there was no room for.
            for (width, block) in blocks.enumerated() where width < 2 || found.last?.width != 1 {
                let count = current.counts[width][block] ?? 0
                guard count > 0 || current.counts[width].count < entriesMax else { continue }
                guard count < max * Self.factors[width] else { return nil }
                found.append((width, block))
                inBlock = count + 1
            }
            for (width, block) in found { current.counts[width][block, default: 0] += 1 }
            return Counted(inBlock: inBlock, blocks: found, since: current.since)
        }
        if let counted { return counted }
        throw Exceeded(retryAfter: remaining(at: now))
    }

    /// Takes back what was counted, in the same window.
    public func takeBack(_ counted: Counted) {
        state.withLock { state in
            guard state?.since == counted.since else { return }
            for (width, block) in counted.blocks { state?.counts[width][block]? -= 1 }
        }
    }

    private func remaining(at now: Timestamp) -> Duration {
        state.withLock { state in Swift.max(.seconds(1), window - (now - (state?.since ?? now))) }
    }
}
