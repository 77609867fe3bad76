public import Reactor

/// How tasks pause; tests give one that they move by hand.
public protocol Pacing: Sendable {
    /// Returns after `duration`. Call on a loop. Errors: `cancelled`, `closed`.
    func pause(_ duration: Duration) async throws(IOError)
}

/// The timers of the task's own loop.
public struct LoopPacing: Pacing {
    public init() {}

    public func pause(_ duration: Duration) async throws(IOError) {
        guard let loop = EventLoop.current else { preconditionFailure("pausing outside an event loop") }
        try await loop.sleep(for: duration)
    }
}
