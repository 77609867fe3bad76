import Reactor
import Synchronization

/// Whether mail leaves. After some failures in a row one mail at a time is tried, with growing pauses, until one is taken: mails
/// that were not tried lose no time when the relay is back.
final class RelayState: Sendable {
    static let failuresMax = 3
    static let pauseMax = Duration.seconds(60)

    private struct State {
        var failures = 0
        var nextTryAt = Deadline.now()
    }

    private let state = Mutex(State())

    var isTroubled: Bool { state.withLock { $0.failures >= Self.failuresMax } }

    /// Whether one more may be tried while so many are.
    func isOpen(underWay: Int) -> Bool {
        state.withLock { state in
            state.failures < Self.failuresMax || underWay == 0 && state.nextTryAt.hasPassed
        }
    }

    /// Whether it was in trouble before.
    func worked() -> Bool {
        state.withLock { state in
            defer { state.failures = 0 }
            return state.failures >= Self.failuresMax
        }
    }

    func failed() {
        state.withLock { state in
            state.failures += 1
            let steps = min(max(0, state.failures - Self.failuresMax), 6)
            state.nextTryAt = .after(min(Self.pauseMax, .seconds(1 << steps)))
        }
    }
}
