import Reactor
import Synchronization

/// Calls that a process has under way at the same time, over all webhooks.
final class CallPlaces: Sendable {
    static let callsMax = 256
    /// Calls that somebody has asked for, beside those.
    static let byHandMax = 32

    private struct State {
        var free: Int
        var waiting: [EventCounter] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// Takes a place; when there is none, `counter` is raised once there is.
    func take(waking counter: EventCounter) -> Bool {
        state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            if !state.waiting.contains(where: { $0 === counter }) { state.waiting.append(counter) }
            return false
        }
    }

    func leave() {
        let waiting = state.withLock { state in
            state.free += 1
            defer { state.waiting = [] }
            return state.waiting
        }
        for counter in waiting { counter.raise() }
    }
}
