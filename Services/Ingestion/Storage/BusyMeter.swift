import Reactor
import Synchronization

/// For how long something was under way, whether once or several times at once.
final class BusyMeter: Sendable {
    private struct State {
        var running = 0
        var since = Deadline.never
        var total = Duration.zero
    }

    private let state = Mutex(State())

    func begin() {
        state.withLock { state in
            if state.running == 0 { state.since = .now() }
            state.running += 1
        }
    }

    func end() {
        state.withLock { state in
            state.running -= 1
            if state.running == 0 { state.total += Deadline.now().since(state.since) }
        }
    }

    /// In all, until now.
    var total: Duration {
        state.withLock { $0.running == 0 ? $0.total : $0.total + Deadline.now().since($0.since) }
    }
}
