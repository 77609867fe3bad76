import Primitives

/// What becomes due by time (SOS-07, SOS-13).
extension Incident {
    enum Action: Sendable, Equatable {
        /// Begin the hand-over to this hook; then apply `handOverBegun`.
        case begin(hook: String)
        /// Call the hook with this message now.
        case call(hook: String, number: Int)
        /// Alarm the operator; then apply `operatorAlarmed`.
        case alarmOperator(Alarm, hook: String?)
        /// Give up the cancellation for this hook; then apply `withdrawalGivenUp`.
        case giveUpWithdrawal(hook: String)
        /// Make a new report for those that have the incident and do not answer: apply `seen`.
        case remind
        /// End the incident: apply `timeIsUp`.
        case end
    }

    /// Whether a courier has to work on it: a message is to be delivered, or an answer or the person's name is awaited.
    var hasWork: Bool {
        stage == .unaccepted || stage == .accepted && identity == .sought || handOvers.contains(where: \.isOutstanding)
    }

    /// When it ends by time: so long after it was accepted, a test call that nobody receives, an incident that all
    /// hooks have received or rejected and none accepts. A message that a hook has not received is tried for ever
    /// (SOS-07).
    func endsAt(_ times: HandOverTimes) -> IncidentAge? {
        switch stage {
        case .closed: nil
        // It may have been accepted by a clock that was set back since.
        case .accepted: max(.zero, acceptedAt ?? .zero, leap(times) ?? .zero) + times.acceptedMax
        case .unaccepted where isExercise: .zero + times.exerciseMax
        case .unaccepted:
            handOvers.isEmpty || handOvers.contains(where: \.isOutstanding) ? nil : emergencyAt + times.forgottenMax
        }
    }

    /// How old it was, accepted, after it seemed to be silent for longer than it lasts: a process has written what it did by a clock that was
    /// set back since, or none was there. Of its age since then little can be said.
    private func leap(_ times: HandOverTimes) -> IncidentAge? {
        silence.flatMap { $0.length >= times.acceptedMax ? $0.to : nil }
    }

    /// Whether a new emergency opens a new incident instead of updating this one. An incident on which nobody acts any
    /// more must not swallow an emergency (SOS-05, SOS-07): one that all hooks have rejected; one that nobody has
    /// accepted for `unansweredMax`; one that was accepted, when the person has been well since (`isSameEpisode` is
    /// false).
    func givesWay(isSameEpisode: Bool, hooks: [String], times: HandOverTimes, at age: IncidentAge) -> Bool {
        switch stage {
        case .closed: return true
        case .accepted:
            if let end = endsAt(times), age >= end { return true }
            return !isSameEpisode && (leap(times) != nil || age - emergencyAt >= times.calmMin)
        case .unaccepted:
            if age - .zero >= times.unansweredMax { return true }
            return isRefused && hooks.allSatisfy { handOver(to: $0) != nil }
        }
    }

    /// The update that is due to the services that have the incident, `position` or `vitals`, when the person has moved
    /// `metres` since the last message or has new vital signs; `nil` when none is due.
    func news(movedBy metres: Double, hasNewVitals: Bool, times: HandOverTimes, at age: IncidentAge) -> String? {
        let pause = age - report.madeAt
        switch stage {
        case .closed: return nil
        case .unaccepted where age - emergencyAt >= times.unansweredMax: return nil
        case .unaccepted, .accepted:
            if metres >= times.movedMin, pause >= times.movedPause { return "position" }
            return stage == .accepted && hasNewVitals && pause >= times.vitalsPause ? "vitals" : nil
        }
    }

    // MARK: What is due

    /// From 0.9 to 1.1.
    static func jitter() -> Double {
        var random = MachineRandom()
        return .random(in: 0.9...1.1, using: &random)
    }

    /// What is due now. `hooks` are those to try, in order; `calls` records when this process called which hook;
    /// `jitter` gives a factor from 0.9 to 1.1.
    func due(
        at age: IncidentAge, hooks: [String], times: HandOverTimes, calls: inout CallSchedule,
        jitter: () -> Double = Incident.jitter
    ) -> [Action] {
        if let end = endsAt(times), age >= end { return [.end] }
        guard stage != .unaccepted || age >= callsFrom else { return [] }
        var actions: [Action] = []
        switch stage {
        case .unaccepted:
            actions += escalation(at: age, hooks, times)
            if let reminder = remindsAt(hooks: hooks, times), age >= reminder { actions.append(.remind) }
        case .accepted:
            if let alarmAt = updateAlarmAt(times), age >= alarmAt { actions += alarm(.updateNotReceived, acceptedBy) }
        case .closed: break
        }
        for handOver in handOvers where handOver.isOutstanding {
            if let action = call(handOver, at: age, times, &calls, jitter) { actions.append(action) }
        }
        return actions
    }

    /// When something may become due without a new event.
    func wakeAt(hooks: [String], times: HandOverTimes, calls: CallSchedule) -> IncidentAge? {
        var ages: [IncidentAge] = [endsAt(times)].compactMap { $0 }
        if stage == .unaccepted, handOvers.isEmpty {
            if !hooks.isEmpty { ages.append(callsFrom) }
        }
        for handOver in handOvers where handOver.isOutstanding {
            if let next = calls.nextAt(handOver.hook, handOver.dueNumber) { ages.append(next) }
        }
        if stage == .unaccepted, let last = handOvers.last, !alarmed.contains(last.hook) {
            let isWaiting = last.receivedAt == nil || isInDoubt(last.hook)
            ages.append(last.begunAt + (isWaiting ? times.receiptMax : times.acceptanceMax))
        }
        if stage == .accepted, let alarm = updateAlarmAt(times) { ages.append(alarm) }
        if let reminder = remindsAt(hooks: hooks, times) { ages.append(reminder) }
        return ages.min()
    }

    // MARK: Escalation

    /// When all hooks were called and none has accepted, those that have the report and have not rejected the incident get it anew
    /// (SOS-07d): somebody may not have seen it. `nil` while there is anybody else to call, and when nobody has it.
    func remindsAt(hooks: [String], _ times: HandOverTimes) -> IncidentAge? {
        guard stage == .unaccepted, !isExercise, let last = handOvers.last,
            !hooks.contains(where: { isUncalled($0) || hasRejectedUnknowing($0) }),
            isReportReceived
        else { return nil }
        let isLate = report.madeAt - emergencyAt >= times.unansweredMax
        return max(
            report.madeAt + (isLate ? times.lateReminder : times.reminder), last.begunAt + times.acceptanceMax)
    }

    /// Whether it was not called, or was told that it need not come, and may be called.
    private func isUncalled(_ hook: String) -> Bool {
        !isInDoubt(hook) && handOver(to: hook).map(\.isWithdrawn) ?? true
    }

    /// Whether all that were called have rejected it.
    var isRefused: Bool { !handOvers.isEmpty && handOvers.allSatisfy { $0.rejectedAt != nil } }

    /// Whether it has rejected the incident, which nobody has accepted, without a message of the last emergency, or press: it is called
    /// anew.
    func hasRejectedUnknowing(_ hook: String) -> Bool {
        guard stage == .unaccepted, let handOver = handOver(to: hook) else { return false }
        return handOver.rejectedAt != nil && handOver.receivedNumber < emergencyNumber
    }

    /// The same, called anew then: a call that is written late may be from before the rejection.
    func isAsked(_ hook: String, at time: IncidentAge) -> Bool {
        hasRejectedUnknowing(hook) && handOver(to: hook)?.rejectedAt.map { time >= $0 } ?? false
    }

    /// Whether a service that has not rejected the incident has received the newest report.
    var isReportReceived: Bool {
        handOvers.contains { $0.rejectedAt == nil && !$0.isWithdrawn && $0.receivedNumber >= reportNumber }
    }

    private func escalation(at age: IncidentAge, _ hooks: [String], _ times: HandOverTimes) -> [Action] {
        guard let last = handOvers.last else {
            guard let first = hooks.first else { return alarm(.noHooks, nil) }
            return [.begin(hook: first)]
        }
        guard let reason = failure(of: last, at: age, times) else { return [] }
        guard
            let next = hooks.first(where: isUncalled)
                ?? hooks.first(where: hasRejectedUnknowing)
        else {
            return alarm(.exhausted, last.hook)
        }
        return alarm(reason, last.hook) + [.begin(hook: next)]
    }

    private func failure(of handOver: HandOver, at age: IncidentAge, _ times: HandOverTimes) -> Alarm? {
        if handOver.rejectedAt != nil { return .rejected }
        let isWaiting = handOver.receivedAt == nil || isInDoubt(handOver.hook)
        if isWaiting, age >= handOver.begunAt + times.receiptMax { return .noReceipt }
        return age >= handOver.begunAt + times.acceptanceMax ? .noAcceptance : nil
    }

    /// When the operator is alarmed that the service that accepted has not received a new emergency.
    private func updateAlarmAt(_ times: HandOverTimes) -> IncidentAge? {
        guard let acceptedBy, let handOver = handOver(to: acceptedBy), handOver.receivedNumber < emergencyNumber,
            !alarmed.contains(acceptedBy)
        else { return nil }
        return max(emergencyAt, acceptedAt ?? .zero) + times.receiptMax
    }

    /// One alarm per hook, until there is a new emergency.
    private func alarm(_ alarm: Alarm, _ hook: String?) -> [Action] {
        alarmed.contains(hook ?? "") ? [] : [.alarmOperator(alarm, hook: hook)]
    }

    // MARK: Calls

    private func call(
        _ handOver: HandOver, at age: IncidentAge, _ times: HandOverTimes, _ calls: inout CallSchedule,
        _ jitter: () -> Double
    ) -> Action? {
        guard let number = handOver.dueNumber else { return nil }
        guard let effort = calls.effort(handOver.hook, number, at: age), age >= effort.nextAt else { return nil }
        if stage == .closed || handOver.isWithdrawn, age >= effort.begunAt + times.cancellationMax {
            return .giveUpWithdrawal(hook: handOver.hook)
        }
        calls.count(handOver.hook, at: age, times, jitter)
        return .call(hook: handOver.hook, number: number)
    }
}

/// When this process called which hook, and when it calls again. A process that takes the incident over starts from
/// nothing.
struct CallSchedule: Sendable {
    struct Effort: Sendable {
        var number: Int
        var begunAt: IncidentAge
        var attempts = 0
        var nextAt: IncidentAge
    }

    private var efforts: [String: Effort] = [:]

    /// The attempts to deliver this message; starts them anew for another message than before.
    fileprivate mutating func effort(_ hook: String, _ number: Int, at age: IncidentAge) -> Effort? {
        if efforts[hook]?.number != number { efforts[hook] = Effort(number: number, begunAt: age, nextAt: age) }
        return efforts[hook]
    }

    fileprivate mutating func count(
        _ hook: String, at age: IncidentAge, _ times: HandOverTimes, _ jitter: () -> Double
    ) {
        guard var effort = efforts[hook] else { return }
        effort.attempts += 1
        effort.nextAt =
            effort.attempts < times.attempts.count
            ? effort.begunAt + times.attempts[effort.attempts] : age + times.attemptInterval * jitter()
        efforts[hook] = effort
    }

    fileprivate func nextAt(_ hook: String, _ number: Int?) -> IncidentAge? {
        efforts[hook].flatMap { $0.number == number ? $0.nextAt : nil }
    }
}
