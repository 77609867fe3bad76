import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Service
import Synchronization

/// Closes days when they are due or asked for: one pass at a time in this process.
final class ClosingJob: Sendable {
    let closer: RollupCloser
    private let isRunning = Mutex(false)
    private let ended = EventCounter()
    private let withholding: Withholding
    private let log: Log

    init(closer: RollupCloser, withholding: Withholding, log: Log) {
        self.closer = closer
        self.withholding = withholding
        self.log = log
    }

    /// Closes what is due, and publishes again what the anonymous store lacks.
    func runAll() async throws {
        guard !withholding.isOn else { return }
        try await run()
        try await closer.publishWanted { try await run() }
    }

    /// Closes what is due; returns at once when this process is at it already, or when samples that were erased may be here
    /// again: nobody is counted with them.
    func run() async throws {
        guard !withholding.isOn, isRunning.withLock({ Self.take(&$0) }) else { return }
        defer {
            isRunning.withLock { $0 = false }
            ended.raise()
        }
        try await closer.closeDue()
    }

    private static func take(_ isRunning: inout Bool) -> Bool {
        guard !isRunning else { return false }
        isRunning = true
        return true
    }

    /// Begins without waiting for the end.
    func begin() {
        _ = EventLoop.current?.task {
            do { try await self.run() } catch {
                self.log.error("days could not be closed", ["error": Log.text(of: error)])
            }
        }
    }

    /// Waits for the end of a pass.
    func wait(after seen: UInt64, deadline: Deadline) async { _ = await ended.wait(after: seen, deadline: deadline) }

    var passes: UInt64 { ended.value }
}

/// `ingestion.close_days`, for operators and simulations.
struct CloseDaysMethod: Sendable {
    let job: ClosingJob
    let clock: any WallClock

    func register(in router: inout RPCRouter) {
        router.register(Ingestion.CloseDays.self, allow: ["simulator", "operator"]) { params, context in
            let now = min(clock.now(), try await job.closer.state().now)
            guard params.through < now.dateUTC else {
                throw RPCError(.invalidParams, "A day that is not over (UTC) cannot be closed.")
            }
            guard (0...Ingestion.CloseDays.waitMillisecondsMax).contains(params.waitMilliseconds) else {
                throw RPCError(
                    .invalidParams, "wait_ms must be from 0 to \(Ingestion.CloseDays.waitMillisecondsMax).")
            }
            try await job.closer.request(through: params.through)
            let end = min(
                .after(.milliseconds(params.waitMilliseconds)), context.deadline.advanced(by: .milliseconds(-50)))
            while true {
                let seen = job.passes
                let state = try await job.closer.state()
                let isDone = state.closedThrough.map { $0 >= params.through } ?? false
                if isDone || end.hasPassed {
                    if !isDone { job.begin() }
                    return .init(
                        rollups: state.rollups, closedThrough: state.closedThrough, isDone: isDone,
                        progress: isDone ? nil : job.closer.progress.current)
                }
                job.begin()
                await job.wait(after: seen, deadline: end)
                try Task.checkCancellation()
            }
        }
    }
}
