import HTTP
import Primitives
import Reactor
import Synchronization

/// Limits how often somebody may search for a runner and find nobody, by address and in this process (REQ-02, RUN-09).
final class SearchMisses: Sendable {
    /// In `window`, from one address.
    static let missesMax = 30
    static let window = Duration.seconds(3600)
    /// Addresses that are remembered; beyond it, those whose window is the oldest are forgotten.
    static let addressesMax = 10_000

    private struct Entry {
        var begun: Timestamp
        var count = 0
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// Counts the search until it has succeeded, so that searches at the same time do not get past the limit. Errors: 429
    /// `too-many-requests`.
    func begin(from address: SocketAddress?, at now: Timestamp) throws(Problem) {
        let key = Self.key(address)
        let wait = entries.withLock { entries -> Duration? in
            var entry = entries[key] ?? Entry(begun: now)
            if now - entry.begun >= Self.window { entry = Entry(begun: now) }
            guard entry.count < Self.missesMax else { return Self.window - (now - entry.begun) }
            entry.count += 1
            if entries[key] == nil, entries.count >= Self.addressesMax { Self.makeRoom(in: &entries, at: now) }
            entries[key] = entry
            return nil
        }
        guard let wait else { return }
        throw Problem.tooManyRequests(
            RateLimit(
                policy: "runner-search", quota: Self.missesMax, windowSeconds: 3600, remaining: 0,
                resetSeconds: Int(wait.milliseconds / 1000) + 1))
    }

    /// The search did not miss.
    func found(from address: SocketAddress?) {
        entries.withLock { $0[Self.key(address)]?.count -= 1 }
    }

    private static func makeRoom(in entries: inout [String: Entry], at now: Timestamp) {
        entries = entries.filter { now - $0.value.begun < window }
        guard entries.count >= addressesMax, let oldest = entries.min(by: { $0.value.begun < $1.value.begun }) else {
            return
        }
        entries[oldest.key] = nil
    }

    private static func key(_ address: SocketAddress?) -> String { address.map { $0.host } ?? "" }
}
