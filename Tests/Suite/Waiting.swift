import Postgres
import ProcessTesting
import Reactor

/// Waits until `holds`, asking every few milliseconds; what it throws while databases are down counts as no.
func eventually(
    _ what: String, within time: Duration = .seconds(30), _ holds: () async throws -> Bool
) async throws {
    let deadline = Deadline.after(time)
    while true {
        try Task.checkCancellation()
        do {
            if try await holds() { return }
        } catch let error as PostgresError {
            guard !deadline.hasPassed else { throw error }
        }
        guard !deadline.hasPassed else { throw ProcessFailure("never came true: \(what)") }
        try await EventLoop.current?.sleep(for: .milliseconds(10))
    }
}

/// Runs `background` beside `body`, and ends it afterwards. Call on a loop.
func beside<R: Sendable>(
    _ background: [@Sendable () async -> Void], _ body: () async throws -> R
) async throws -> R {
    guard let loop = EventLoop.current else { throw ProcessFailure("outside an event loop") }
    let tasks = background.map { work in loop.task { await work() } }
    let outcome: Result<R, any Error>
    do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    return try outcome.get()
}
