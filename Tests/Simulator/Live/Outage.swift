import Primitives
import Reactor
import SuiteClient
import Synchronization

/// What fails while a service is away: told once, and once more when it works again. From any thread.
final class Outage: Sendable {
    private static let pauses = BackOff(base: .seconds(1), max: .seconds(10))
    /// What works and fails in turn is one outage.
    private static let calmMin: Duration = .seconds(5)

    private struct State {
        var failures = 0
        let began = Deadline.now()
        var failedAt = Deadline.now()
    }

    /// The subject of a sentence.
    private let what: String
    private let tell: @Sendable (String) -> Void
    private let state = Mutex<State?>(nil)

    init(_ what: String, tell: @escaping @Sendable (String) -> Void = { Output.event($0) }) {
        self.what = what
        self.tell = tell
    }

    /// How long to wait before the next try.
    func failed(_ error: SuiteError, at now: Deadline = .now()) -> Duration {
        let (failures, isFirst) = state.withLock { state in
            let isFirst = state == nil
            var current = state ?? State()
            current.failures += 1
            current.failedAt = now
            state = current
            return (current.failures, isFirst)
        }
        if isFirst { tell("\(what): \(error). It is tried again until it works.") }
        return Self.pauses.delay(afterFailures: failures)
    }

    func succeeded(at now: Deadline = .now()) {
        let ended = state.withLock { state -> State? in
            guard let current = state, now.since(current.failedAt) >= Self.calmMin else { return nil }
            state = nil
            return current
        }
        if let ended { tell("\(what): works again, after \(now.since(ended.began).brief).") }
    }
}

extension SuiteError {
    /// Whether the service is away or busy, so that the same may be taken a moment later.
    var isOutage: Bool {
        if case .unreachable = self { true } else { isPassing }
    }
}
