import Contracts
import Synchronization

/// How far closing has come in this process, for those who wait for it.
final class ClosingProgress: Sendable {
    private let state = Mutex<Ingestion.CloseDays.Progress?>(nil)

    /// `nil` while nothing is closed here.
    var current: Ingestion.CloseDays.Progress? { state.withLock { $0 } }

    func set(_ step: Ingestion.CloseDays.Step, _ share: Double) {
        state.withLock { $0 = .init(step: step, share: min(1, max(0, share))) }
    }

    func end() { state.withLock { $0 = nil } }
}
