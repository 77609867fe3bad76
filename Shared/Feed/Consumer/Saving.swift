internal import Reactor
internal import Synchronization

/// How what a handler keeps in memory reaches its database (`FeedEffect.kept`), and the cursor follows.
///
/// ```
/// events ──▶ kept ──▶ kept ──▶ kept ──▶ kept ──▶ kept …
///              │ saveInterval is over
///              ▼
///       the cursor is noted; handler.save() ······▶ done: the stored cursor moves to what was noted
///                          events are applied meanwhile, and belong to the next time
/// ```
///
/// What is stored may be ahead of the cursor, never behind it: after a crash events come again that have had their effect.
struct Saving {
    /// A quiet feed is asked so often whether it is saved, while something is to be saved.
    static let pollInterval = Duration.milliseconds(250)

    private final class Outcome: Sendable {
        let result = Mutex<Result<Void, any Error>?>(nil)
    }

    private struct Run {
        let cursor: FeedCursor
        let settled: FeedSettled?
        let outcome: Outcome
        let task: Task<Void, Never>
    }

    private let interval: Duration
    private var due = Deadline.now()
    /// Something was kept since the last time.
    private var hasKept = false
    private var running: Run?

    init(every interval: Duration) {
        self.interval = interval
    }

    /// Whether the handler keeps anything at all.
    private(set) var isUsed = false

    /// Whether the stored cursor has to stay where it is.
    var isPending: Bool { hasKept || running != nil }

    mutating func kept() {
        if !isPending { due = .after(interval) }
        (hasKept, isUsed) = (true, true)
    }

    /// Begins when it is time, with everything up to `cursor` applied.
    mutating func beginWhenDue(
        at cursor: FeedCursor, settled: FeedSettled?, on loop: EventLoop,
        _ save: @escaping @Sendable () async throws -> Void
    ) {
        guard hasKept, running == nil, due.hasPassed else { return }
        let outcome = Outcome()
        let task = loop.task {
            do {
                try await save()
                outcome.result.withLock { $0 = .success(()) }
            } catch { outcome.result.withLock { $0 = .failure(error) } }
        }
        running = Run(cursor: cursor, settled: settled, outcome: outcome, task: task)
        hasKept = false
        due = .after(interval)
    }

    /// Up to where everything is saved, once; throws what saving threw.
    mutating func takeSaved() throws -> (cursor: FeedCursor, settled: FeedSettled?)? {
        guard let run = running, let result = run.outcome.result.withLock({ $0 }) else { return nil }
        running = nil
        try result.get()
        return (run.cursor, run.settled)
    }

    /// Nothing goes on afterwards.
    mutating func stop() async {
        running?.task.cancel()
        await running?.task.value
        (running, hasKept) = (nil, false)
    }
}
