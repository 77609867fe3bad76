import JSON
import Primitives
import Reactor
import Service
import Synchronization

/// Calls every hook all the time with a message that is of nobody: so that a dead one is known before it is needed, and so that
/// connections to all of them are open when an emergency comes (SOS-13cd).
///
/// It has calls of its own, and holds up no hand-over: one call to each hook from each loop, at most, and with a short limit. A dead
/// hook is in the log as an error, counted in `trackme_handover_alarms_total`, and shown in `trackme_hook_alive`; what carries alarms
/// out of the process may take them from `onChange`.
final class HookProbes: Sendable {
    static let attemptMax = Duration.seconds(5)

    typealias Listener = @Sendable (_ hook: String, HookHealth.Change, _ reason: String?) -> Void

    private let hooks: Hooks
    private let caller: HookCaller
    private let sender: CAPAlert.Sender
    private let clock: any WallClock
    private let log: Log
    private let metrics: HandOverMetrics
    let times: HookHealth.Times
    private let onChange: Listener
    private let health = Mutex<[String: HookHealth]>([:])

    init(
        _ hooks: Hooks, caller: HookCaller, baseURL: String, clock: any WallClock, log: Log, metrics: HandOverMetrics,
        times: HookHealth.Times = .init(), onChange: @escaping Listener = { _, _, _ in }
    ) {
        self.times = times
        self.hooks = hooks
        self.caller = caller
        sender = CAPAlert.Sender(baseURL: baseURL)
        self.clock = clock
        self.log = log
        self.metrics = metrics
        self.onChange = onChange
    }

    /// By hook, whether it answers; those of which it is not known yet are left out.
    var alive: [String: Bool] {
        let known = health.withLock { $0 }
        let named = hooks.all.compactMap { hook in known[hook.name].map { (hook.name, $0) } }
        return Dictionary(
            named.compactMap { name, health in health.isDead || health.hasAnswered ? (name, !health.isDead) : nil },
            uniquingKeysWith: { first, _ in first })
    }

    /// One call to each hook that is to be probed, from each loop, all at the same time. Call on a loop.
    func round() async {
        let hooks = hooks.all.filter(\.isProbed)
        let names = Set(hooks.map(\.name))
        health.withLock { known in known = known.filter { names.contains($0.key) } }
        await withDiscardingTaskGroup { group in
            for hook in hooks { group.addTask { await self.probe(hook) } }
        }
    }

    /// From each loop, so that every courier finds a connection; one answer is enough to be alive.
    private func probe(_ hook: Hook) async {
        let tasks = caller.loops.map { loop in
            loop.task { [self] () -> HookCaller.Failure? in
                do throws(HookCaller.Failure) {
                    try await call(hook)
                    return nil
                } catch { return error }
            }
        }
        var failure: HookCaller.Failure?
        var isAlive = false
        for task in tasks {
            let one = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            if let one { failure = one } else { isAlive = true }
        }
        guard !Task.isCancelled else { return }
        record(hook.name, isAlive ? nil : failure)
    }

    private func call(_ hook: Hook) async throws(HookCaller.Failure) {
        let message = ProbeMessage(at: clock.now())
        let body: [UInt8]
        do throws(JSONError) { body = try message.encoded(for: hook, sender: sender) } catch { throw .other }
        try await caller.call(hook, id: message.probe.id, body: body, deadline: .after(Self.attemptMax))
    }

    private func record(_ hook: String, _ failure: HookCaller.Failure?) {
        let now = Deadline.now()
        let change = health.withLock { known in
            var own = known[hook] ?? HookHealth(at: now, times: times)
            defer { known[hook] = own }
            return failure == nil ? own.answered(at: now) : own.failed(at: now)
        }
        switch change {
        case .dead(let silence):
            metrics.alarms["hook-dead"].increment()
            log.error(
                "an ambulance service does not answer, and could not be called",
                [
                    "hook": .string(hook), "reason": .string(failure?.description ?? ""),
                    "silent_s": .integer(silence.milliseconds / 1000),
                ])
        case .alive(let silence):
            log.info(
                "an ambulance service answers again",
                ["hook": .string(hook), "silent_s": .integer(silence.milliseconds / 1000)])
        case nil: return
        }
        if let change { onChange(hook, change, failure?.description) }
    }
}
