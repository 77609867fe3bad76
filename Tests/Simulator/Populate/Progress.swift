import SuiteClient
import Synchronization

/// How far long work has come: a bar on a terminal, otherwise a line for every tenth. From any thread.
final class Progress: Sendable {
    private static let width = 40
    private static let refresh: Duration = .milliseconds(100)

    private struct State {
        var done = 0
        var shownTenths = 0
        var drawn: Duration = .zero
    }

    private let label: String
    private let total: Int
    private let watch = Stopwatch()
    private let state = Mutex(State())

    init(_ label: String, total: Int) {
        self.label = label
        self.total = max(1, total)
    }

    func add(_ count: Int) { show { $0 + count } }
    func set(_ done: Int) { show { max($0, done) } }

    /// It is done, whatever was said so far.
    func end() { set(total) }

    private func show(_ change: (Int) -> Int) {
        state.withLock { state in
            guard state.done < total else { return }
            state.done = change(state.done)
            let isComplete = state.done >= total
            if Output.isTerminal {
                let now = watch.elapsed
                guard isComplete || now - state.drawn >= Self.refresh else { return }
                state.drawn = now
                draw(state.done, isComplete: isComplete)
            } else {
                let tenths = min(10, state.done * 10 / total)
                guard tenths > state.shownTenths else { return }
                state.shownTenths = tenths
                Output.error("\(label): \(tenths * 10) % (\(state.done) of \(total), \(watch.elapsed.brief))")
            }
        }
    }

    private func draw(_ done: Int, isComplete: Bool) {
        let filled = min(Self.width, done * Self.width / total)
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: Self.width - filled)
        Output.draw("\r\(label) \(bar) \(done) of \(total), \(watch.elapsed.brief) \(isComplete ? "\n" : "")")
    }
}
