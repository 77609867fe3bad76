import Reactor
import Synchronization

/// How many groups are committed at the same time by several that share it (of the shards of one process): of more, each
/// is smaller, and all cost more together.
public final class CommitTurns: Sendable {
    private struct State {
        /// Under way, each with its end at the latest.
        var running: [(number: UInt64, until: Deadline)] = []
        var number: UInt64 = 0
        /// Who waits for a turn, the first first.
        var waiting: [@Sendable (EventLoop) -> Bool] = []

        mutating func begin(until end: Deadline) -> UInt64 {
            number += 1
            running.append((number, end))
            return number
        }
    }

    let count: Int
    private let turnMax: Duration
    private let state = Mutex(State())

    /// A group that takes longer than `turnMax`, as one does whose cluster is away, holds up no others any more.
    public init(_ count: Int = 2, turnMax: Duration = .milliseconds(50)) {
        self.count = count
        self.turnMax = turnMax
    }

    enum Answer {
        case turn(UInt64)
        /// None is free before then, unless one ends.
        case later(Deadline)
    }

    /// A turn when one is free; otherwise `call` is called once when there may be one, and says whether it has taken it. Nobody who
    /// waits gives one again before that.
    func take(orWait call: (@Sendable (EventLoop) -> Bool)?) -> Answer {
        state.withLock { state in
            let now = Deadline.now()
            let running = state.running.filter { $0.until > now }
            guard running.count >= count, let free = running.map(\.until).min() else {
                return .turn(state.begin(until: .after(turnMax)))
            }
            if let call { state.waiting.append(call) }
            return .later(free)
        }
    }

    /// Ends a turn. Call with no lock that who waits may take.
    func end(_ turn: UInt64, on loop: EventLoop) {
        let waiting = state.withLock { state in
            state.running.removeAll { $0.number == turn }
            return state.waiting.count
        }
        // Who does not get it after all may wait again.
        for _ in 0..<waiting {
            guard let next = state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else { return }
            if next(loop) { return }
        }
    }
}
