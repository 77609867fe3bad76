import JSON
public import Reactor
import Synchronization

/// The background tasks of a service: started together, started again when they fail, cancelled and joined at the end.
public final class BackgroundTasks: Sendable {
    static let pauseMin = Duration.milliseconds(100)
    static let pauseMax = Duration.seconds(30)
    /// The same for tasks on which alarms depend.
    static let alarmPauseMax = Duration.seconds(1)
    /// A task that ran so long before it failed begins with the shortest pause again.
    static let steadyTime = Duration.seconds(60)
    public static let tasksMax = 1000

    private struct State {
        var running: [Int: (name: String, task: Task<Void, Never>)] = [:]
        var lastNumber = 0
        var isStopping = false
    }

    private let log: Log
    private let failures: MetricFamily<Counter>
    private let runningTasks: Gauge
    private let pacing: any Pacing
    private let state = Mutex(State())
    private let ended = EventCounter()

    public init(log: Log, metrics: Metrics, pacing: any Pacing = LoopPacing()) {
        self.log = log
        self.pacing = pacing
        failures = metrics.counters(
            "trackme_background_failures_total", "Failures of background tasks, which are started again.",
            labels: ["task"])
        runningTasks = metrics.gauge("trackme_background_tasks", "Background tasks that run.")
    }

    /// Starts a task on `loop`. No effect after `stop()`.
    ///
    /// - Precondition: no more than `tasksMax`.
    public func start(_ task: BackgroundTask, on loop: EventLoop) {
        state.withLock { state in
            guard !state.isStopping else { return }
            precondition(state.running.count < Self.tasksMax, "more than \(Self.tasksMax) background tasks")
            state.lastNumber += 1
            let number = state.lastNumber
            let running = loop.task { [self] in
                await supervise(task)
                remove(number)
            }
            state.running[number] = (task.name, running)
        }
    }

    /// Cancels all and waits for their ends, but not longer than `limit`: what is left then is named in the log. Call
    /// on a loop.
    public func stop(within limit: Duration = .seconds(10)) async {
        let running = state.withLock { state in
            state.isStopping = true
            return state.running
        }
        for (_, task) in running.values { task.cancel() }
        let deadline = Deadline.after(limit)
        while true {
            let seen = ended.value
            let left = state.withLock { $0.running.values.map(\.name) }
            if left.isEmpty { return }
            guard !deadline.hasPassed else {
                log.error("background tasks do not end", ["tasks": .array(left.map { .string($0) })])
                return
            }
            _ = await ended.wait(after: seen, deadline: deadline)
        }
    }

    private func remove(_ number: Int) {
        state.withLock { $0.running[number] = nil }
        ended.raise()
    }

    private func supervise(_ task: BackgroundTask) async {
        runningTasks.add(1)
        defer { runningTasks.add(-1) }
        var pause = Self.pauseMin
        var failure = RepeatedFailure()
        while !Task.isCancelled {
            let began = Deadline.now()
            do {
                // Each run is a trace of its own.
                let scope = RequestScope(deadline: .never, trace: .root())
                try await RequestScope.$current.withValue(scope) { try await task.body() }
                return
            } catch {
                guard !Task.isCancelled else { return }
                if Deadline.now().since(began) > Self.steadyTime {
                    pause = Self.pauseMin
                    failure.succeeded()
                }
                failures[task.name].increment()
                if failure.isToBeTold() {
                    log.error(
                        "background task failed",
                        [
                            "task": .string(task.name), "error": Log.text(of: error),
                            "again_in_ms": Log.milliseconds(pause),
                        ])
                }
            }
            do throws(IOError) { try await pacing.pause(pause * Double.random(in: 0.5...1)) } catch { return }
            pause = min(pause * 2, task.pauseMax)
        }
    }
}
