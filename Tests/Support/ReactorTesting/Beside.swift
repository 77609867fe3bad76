import Reactor

/// Runs `background` beside `body`, and ends it afterwards. Call on a loop.
public func beside<R: Sendable>(
    _ background: [@Sendable () async -> Void], _ body: () async throws -> R
) async throws -> R {
    guard let loop = EventLoop.current else { preconditionFailure("beside outside an event loop") }
    let tasks = background.map { work in loop.task { await work() } }
    let outcome: Result<R, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    return try outcome.get()
}
