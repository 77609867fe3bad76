import Reactor
import Synchronization

/// What a sender of a webhook is told from outside.
final class WebhookSignals: Sendable {
    private struct State {
        var isLost = false
        var isStopping = false
        var hasNews = true
        var leaseEnd: Deadline
        var lastNumber: Int64 = 0
    }

    private let state: Mutex<State>
    /// Raised when there may be something to do.
    let wake = EventCounter()

    init(leaseEnd: Deadline) {
        state = Mutex(State(leaseEnd: leaseEnd))
    }

    /// The lease was renewed, and the third party's last event has this number.
    func renewed(until end: Deadline, lastNumber: Int64) {
        let isNews = state.withLock { state in
            let wasOver = state.leaseEnd.hasPassed
            state.leaseEnd = end
            guard lastNumber > state.lastNumber else { return wasOver }
            state.lastNumber = lastNumber
            state.hasNews = true
            return true
        }
        if isNews { wake.raise() }
    }

    /// Something else sends for the webhook, or nothing does.
    func lose() {
        state.withLock { $0.isLost = true }
        wake.raise()
    }

    /// The process stops.
    func stop() {
        state.withLock { $0.isStopping = true }
        wake.raise()
    }

    /// There are further events, or may be.
    func tellNews() {
        state.withLock { $0.hasNews = true }
        wake.raise()
    }

    /// Whether there may be further events since this was asked last.
    func takeNews() -> Bool {
        state.withLock { state in
            defer { state.hasNews = false }
            return state.hasNews
        }
    }

    var isLost: Bool { state.withLock(\.isLost) }
    var isOver: Bool { state.withLock { $0.isLost || $0.isStopping } }
    /// Whether nobody else can have taken the webhook over.
    var isLeased: Bool { state.withLock { !$0.leaseEnd.hasPassed } }
}
