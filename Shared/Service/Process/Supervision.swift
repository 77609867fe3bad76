import Glibc
import JSON
import Reactor
import Synchronization
import Telemetry

/// The work of the main thread: it waits for signals, tells systemd that the loops run, and ends the process when
/// stopping takes too long.
final class Supervision: Sendable {
    /// Beyond the time for stopping, for the last connection to close.
    private static let stopReserve = Duration.seconds(2)

    let manager: ServiceManager
    /// Raised by SIGTERM and SIGINT, and by SIGHUP.
    let stop = EventCounter()
    let reload = EventCounter()
    private let stopTime: Duration
    private let pulse = Mutex<LoopPulse?>(nil)
    private let outcome = Mutex<ExitCode?>(nil)

    init(manager: ServiceManager, stopTime: Duration) {
        self.manager = manager
        self.stopTime = stopTime
    }

    /// From now on the watchdog message is sent for as long as these loops run.
    func watch(_ loops: LoopPulse) { pulse.withLock { $0 = loops } }

    /// Runs `body` on the first loop and returns what it does.
    func run(
        _ loops: EventLoopGroup, _ log: Log, _ sink: DescriptorLogSink, _ body: @escaping @Sendable () async -> ExitCode
    ) -> ExitCode {
        loops.loops[0].task { [self] in
            let code = await body()
            outcome.withLock { $0 = code }
            StopSignals.sayOver()
        }
        var mustEndBy = Deadline.never
        while true {
            switch StopSignals.wait(pause) {
            case .reload: reload.raise()
            case .stop(let number):
                // A second signal ends the process at once.
                if stop.value > 0 { _exit(128 + number) }
                mustEndBy = .after(stopTime + Self.stopReserve)
                stop.raise()
            case .over:
                guard let code = outcome.withLock({ $0 }) else { continue }
                loops.shutdown()
                return code
            case .none: break
            }
            giveSign()
            if mustEndBy.hasPassed {
                log.error("stopping takes too long, ended by force")
                sink.flush(within: .seconds(1))
                _exit(ExitCode.software.rawValue)
            }
        }
    }

    /// A third of what systemd allows, and short enough to heed the time for stopping.
    private var pause: Duration { min(.seconds(1), manager.watchdog.map { $0 / 3 } ?? .seconds(1)) }

    /// Sends the watchdog message, unless a loop is stalled: then systemd restarts the process.
    private func giveSign() {
        guard let limit = manager.watchdog, let pulse = pulse.withLock({ $0 }) else { return }
        if pulse.silence < max(limit / 2, LoopPulse.interval * 3) { manager.alive() }
    }
}
