public import Reactor
import ReactorTesting
public import Service

/// Pauses that end when the test says so.
public final class ManualPacing: Pacing {
    private let ticks = EventCounter()
    private let pauses = EventCounter()

    public init() {}

    public func pause(_ duration: Duration) async throws(IOError) {
        let seen = ticks.value
        pauses.raise()
        let now = await ticks.wait(after: seen)
        guard now > seen, !Task.isCancelled else { throw .cancelled }
    }

    /// Ends all pauses under way.
    public func tick() { ticks.raise() }

    /// Returns when there have been `count` pauses, or false after `Duration.patience`. Call on a loop.
    public func reached(pauses count: UInt64) async -> Bool {
        let deadline = Deadline.after(.patience)
        while pauses.value < count, !deadline.hasPassed {
            _ = await pauses.wait(after: pauses.value, deadline: deadline)
        }
        return pauses.value >= count
    }
}
