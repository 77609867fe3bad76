internal import Reactor
internal import Synchronization

/// How many shards a producer has, as far as its consumer has heard: one at least, and never fewer than before.
final class ShardCount: Sendable {
    /// The most shards of a producer.
    static let countMax = 1024

    private let count = Mutex(1)
    /// Raised when there are more.
    let changes = EventCounter()

    var value: Int { count.withLock { $0 } }

    func learn(_ number: Int) {
        let isNew = count.withLock { known in
            defer { known = min(max(known, number), Self.countMax) }
            return number > known
        }
        if isNew { changes.raise() }
    }
}
