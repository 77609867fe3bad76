import Reactor
import Synchronization

extension BlockingPool {
    /// For people's questions, sealing, deletion and closing of days, beside the loops, which it does not slow down; as long as
    /// the process.
    static let computing = pool(nice: 10)

    /// For what neighbours ask for: alarms and deliveries wait for nobody's questions.
    static let neighbours = pool(nice: 5)

    private static func pool(nice: Int32) -> BlockingPool {
        do { return try BlockingPool(threads: 2, queueMax: 1000, nice: nice) } catch {
            preconditionFailure("no threads for computing: \(error)")
        }
    }

    /// As `run`, for work that may fail. When its turn comes and its task was cancelled, as that of a request is at its deadline, it is
    /// not begun: `cancelled`. Jobs that a request began go on after it.
    func computing<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await run {
                Result {
                    if cancellation.isCancelled.load(ordering: .relaxed) { throw IOError.cancelled }
                    return try work()
                }
            }.get()
        } onCancel: {
            cancellation.isCancelled.store(true, ordering: .relaxed)
        }
    }

    private final class Cancellation: Sendable {
        let isCancelled = Atomic(false)
    }
}
