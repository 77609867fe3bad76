import Reactor

/// Runs `body` to its end, also in a task that was cancelled, as a test's is when its time is over. Call on a loop.
func uncancelled(_ body: @escaping @Sendable () async throws -> Void) async throws {
    guard let loop = EventLoop.current else { throw ProcessFailure("outside an event loop") }
    try await loop.throwingTask(body).value
}
