import Primitives

/// Decides what to do next in handing over one incident: what is on disk and the clock in, steps out, no I/O (SOS-07, SOS-13).
struct HandOverPlan: Sendable {
    enum Step: Sendable, Equatable {
        /// The hook comes into play.
        case begin(hook: String)
        /// A call with this message, now.
        case attempt(hook: String, sequence: Int)
        case alarmOperator(Alarm)
        case giveUpCancellation(hook: String)
        /// A test call has been received.
        case finishExercise
        /// Nothing is left to be delivered.
        case settle
    }

    enum Alarm: String, Sendable, Equatable {
        case noHooks = "no-hooks"
        case noReceipt = "no-receipt"
        case noAcceptance = "no-acceptance"
        case rejected
        /// All hooks were begun, and none has accepted.
        case exhausted
    }

    /// The calls with one message to one hook, by this process.
    private struct Effort {
        var sequence: Int
        var begunAt: Timestamp
        var attempts = 0
        var nextAt: Timestamp
    }

    let times: HandOverTimes
    var state: HandOverState
    /// The names of those to be tried, in order; may change.
    var hooks: [String]
    private var efforts: [String: Effort] = [:]
    private var givenUp: Set<String> = []
    /// Hooks, or "" for none, for which the operator was alarmed.
    private var alarmed: Set<String> = []

    init(_ state: HandOverState, hooks: [String], times: HandOverTimes) {
        self.state = state
        self.hooks = hooks
        self.times = times
    }

    /// What is due at `now`. `begin` steps are to be noted with `begun`. `jitter` gives a factor, 0.9 to 1.1.
    mutating func due(
        at now: Timestamp, jitter: () -> Double = { Double.random(in: 0.9...1.1) }
    ) -> [Step] {
        guard now >= state.notBefore || !state.isOpen else { return [] }
        var steps: [Step] = []
        if state.isOpen {
            if state.isExercise, state.legs.contains(where: { $0.receivedAt != nil }) { return [.finishExercise] }
            steps += escalation(at: now)
        }
        for leg in state.legs { steps += attempts(leg, at: now, jitter) }
        if steps.isEmpty, !state.isOpen, !hasOutstanding { steps.append(.settle) }
        return steps
    }

    /// A `begin` step has been carried out.
    mutating func begun(_ hook: String, at now: Timestamp) {
        guard !state.legs.contains(where: { $0.hook == hook }) else { return }
        state.legs.append(.init(hook: hook, begunAt: now))
    }

    /// A new emergency of the same incident: the operator hears again of what stands in its way.
    mutating func rearm() { alarmed = [] }

    /// When something may be due without anything new happening.
    var wakeAt: Timestamp? {
        if state.isOpen, state.legs.isEmpty { return hooks.isEmpty ? nil : state.notBefore }
        var times = state.legs.compactMap { leg in isOutstanding(leg) ? efforts[leg.hook]?.nextAt : nil }
        if state.isOpen, let last = state.legs.last, !alarmed.contains(last.hook) {
            times.append(last.begunAt + (last.receivedAt == nil ? self.times.receiptMax : self.times.acceptanceMax))
        }
        return times.min()
    }

    // MARK: Escalation

    private mutating func escalation(at now: Timestamp) -> [Step] {
        guard let last = state.legs.last else {
            guard let first = hooks.first else { return alarm(.noHooks, once: "") }
            return [.begin(hook: first)]
        }
        guard let reason = failure(of: last, at: now) else { return [] }
        let next = hooks.first { name in !state.legs.contains { $0.hook == name } }
        guard let next else {
            return alarm(.exhausted, once: last.hook)
        }
        return alarm(reason, once: last.hook) + [.begin(hook: next)]
    }

    private mutating func alarm(_ alarm: Alarm, once key: String) -> [Step] {
        alarmed.insert(key).inserted ? [.alarmOperator(alarm)] : []
    }

    private func failure(of leg: HandOverState.Leg, at now: Timestamp) -> Alarm? {
        if leg.rejectedAt != nil { return .rejected }
        if leg.receivedAt == nil, now >= leg.begunAt + times.receiptMax { return .noReceipt }
        return now >= leg.begunAt + times.acceptanceMax ? .noAcceptance : nil
    }

    // MARK: Attempts

    private func isOutstanding(_ leg: HandOverState.Leg) -> Bool {
        guard let target = state.target(of: leg) else { return false }
        return leg.receivedSequence < target && !givenUp.contains(leg.hook)
    }

    private var hasOutstanding: Bool { state.legs.contains(where: isOutstanding) }

    private mutating func attempts(
        _ leg: HandOverState.Leg, at now: Timestamp, _ jitter: () -> Double
    ) -> [Step] {
        guard isOutstanding(leg), let target = state.target(of: leg) else { return [] }
        var effort = efforts[leg.hook] ?? Effort(sequence: target, begunAt: now, nextAt: now)
        if effort.sequence != target { effort = Effort(sequence: target, begunAt: now, nextAt: now) }
        defer { efforts[leg.hook] = effort }
        guard now >= effort.nextAt else { return [] }
        if state.isCancellation(target), now >= effort.begunAt + times.cancellationMax {
            givenUp.insert(leg.hook)
            return [.giveUpCancellation(hook: leg.hook)]
        }
        effort.attempts += 1
        effort.nextAt =
            effort.attempts < times.attempts.count
            ? effort.begunAt + times.attempts[effort.attempts] : now + times.attemptInterval * jitter()
        return [.attempt(hook: leg.hook, sequence: target)]
    }
}
