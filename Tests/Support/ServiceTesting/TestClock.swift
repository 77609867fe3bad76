public import Primitives
import Synchronization

/// A wall clock that the test moves.
public final class TestClock: WallClock {
    private let time: Mutex<Timestamp>

    public init(_ start: Timestamp = Timestamp(microseconds: 1_767_225_600_000_000)) {
        time = Mutex(start)
    }

    public func now() -> Timestamp { time.withLock { $0 } }

    public func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}
