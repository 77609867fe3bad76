import Postgres
import Primitives
import Reactor
import Synchronization

/// Work on the database in a task of its own. Whoever waits for it waits as long as an emergency may, and not as long as a server that
/// answers nothing needs to be given up; neither that nor the end of who waits cancels it, and what it still does counts.
final class StartedWork<R: Sendable>: Sendable {
    private let result = Mutex<Result<R, any Error>?>(nil)
    private let done = EventCounter()

    /// On a loop.
    init(_ body: @escaping @Sendable () async throws -> R) {
        guard let loop = EventLoop.current else { preconditionFailure("StartedWork outside an event loop") }
        loop.task { [self] in
            let outcome: Result<R, any Error>
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            done.raise()
        }
    }

    /// Errors: those of the work; `PostgresError.timedOut` when it is not done by then.
    func outcome(by deadline: Deadline) async throws -> R {
        _ = await done.wait(after: 0, deadline: deadline)
        guard let result = result.withLock({ $0 }) else { throw PostgresError.timedOut }
        return try result.get()
    }
}
