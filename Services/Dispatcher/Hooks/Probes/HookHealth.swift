import Reactor

/// Whether a hook answers, as one process sees it (SOS-13cd): a state machine without I/O. Answers and failures in; out comes what the
/// operator is to be told.
struct HookHealth: Sendable, Equatable {
    struct Times: Sendable, Equatable {
        /// How often it is probed: more often than servers usually close an idle connection (60 s and more).
        var interval = Duration.seconds(20)
        /// Without an answer for so long a hook is dead …
        var silenceMax = Duration.seconds(60)
        /// … if so many calls in a row have failed: one that was not called for long is not.
        var failuresMin = 3
        /// How often the operator is told again.
        var reminderInterval = Duration.seconds(600)
    }

    enum Change: Sendable, Equatable {
        /// It has not answered for so long.
        case dead(Duration)
        /// It answers again, after so long.
        case alive(Duration)
    }

    /// When it answered last, or was first called.
    private(set) var aliveAt: Deadline
    private(set) var hasAnswered = false
    private(set) var failures = 0
    private var toldAt: Deadline?
    private let times: Times

    init(at now: Deadline, times: Times = .init()) {
        aliveAt = now
        self.times = times
    }

    var isDead: Bool { toldAt != nil }

    mutating func answered(at now: Deadline) -> Change? {
        let silence = now.since(aliveAt)
        let wasDead = isDead
        (aliveAt, hasAnswered, failures, toldAt) = (now, true, 0, nil)
        return wasDead ? .alive(silence) : nil
    }

    mutating func failed(at now: Deadline) -> Change? {
        failures += 1
        let silence = now.since(aliveAt)
        guard failures >= times.failuresMin, silence >= times.silenceMax else { return nil }
        if let toldAt, now.since(toldAt) < times.reminderInterval { return nil }
        toldAt = now
        return .dead(silence)
    }
}
