import Synchronization

/// Counts what each network uses at the same time, on all loops of a server, so that one leaves room for others.
final class NetworkShares: Sendable {
    private struct State {
        var max: Int
        var counts: [[UInt8]: Int] = [:]
    }

    private let state: Mutex<State>

    init(max: Int) { state = Mutex(State(max: max)) }

    /// Sets another limit. What a network uses beyond it stays until it is given back.
    func update(max: Int) { state.withLock { $0.max = max } }

    /// Whether the network may have one more, which is to be given back by `leave`. Without a network nothing is counted.
    func enter(_ network: [UInt8]?) -> Bool {
        guard let network else { return true }
        return state.withLock { state in
            let count = state.counts[network, default: 0]
            guard count < state.max else { return false }
            state.counts[network] = count + 1
            return true
        }
    }

    func leave(_ network: [UInt8]?) {
        guard let network else { return }
        state.withLock { state in
            let left = state.counts[network, default: 0] - 1
            state.counts[network] = left > 0 ? left : nil
        }
    }
}
