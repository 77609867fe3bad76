import Synchronization

/// A number of turns that several tasks share.
final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ turns: Int) {
        left = Mutex(turns)
    }

    /// What is left after this turn: negative when there was none.
    func take() -> Int {
        left.withLock { left in
            left -= 1
            return left
        }
    }

    var isOver: Bool { left.withLock { $0 <= 0 } }
}
