import Synchronization

/// How much of something each network has at the same time, on all loops of a server, so that one leaves room for others.
final class NetworkShares: Sendable {
    private let max: Int
    private let counts = Mutex<[[UInt8]: Int]>([:])

    init(max: Int) { self.max = max }

    /// Whether the network may have one more, which is to be given back by `leave`. Without a network nothing is counted.
    func enter(_ network: [UInt8]?) -> Bool {
        guard let network else { return true }
        return counts.withLock { counts in
            let count = counts[network, default: 0]
            guard count < max else { return false }
            counts[network] = count + 1
            return true
        }
    }

    func leave(_ network: [UInt8]?) {
        guard let network else { return }
        counts.withLock { counts in
            let left = counts[network, default: 0] - 1
            counts[network] = left > 0 ? left : nil
        }
    }
}
