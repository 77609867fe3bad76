import Primitives

/// What changes of a hand-over, for `Incident.apply` alone.
extension Incident.HandOver {
    /// It has answered, and has the message that it was called with (`isFirst`), whatever answer our call got.
    mutating func answer(at age: IncidentAge, isFirst: Bool) {
        receivedAt = receivedAt ?? age
        if isFirst { receive(firstNumber, madeAt: firstMadeAt) }
    }

    /// That it need not come, which it is told anew.
    mutating func cancel(by number: Int, gaveWayAt: IncidentAge?) {
        (dueNumber, givenUpNumber, isWithdrawn) = (number, nil, true)
        (self.gaveWayAt, gaveWayCall) = (gaveWayAt, gaveWayAt == nil ? nil : gaveWayCall)
    }

    /// It is the one that comes, whatever it was told before.
    mutating func stand() {
        acceptance = gaveWayAt == nil ? acceptance : gaveWayCall ?? acceptance
        (rejectedAt, gaveWayAt, gaveWayCall, isInDoubt) = (nil, nil, nil, nil)
    }

    mutating func hearOver(at age: IncidentAge) {
        overAt = max(overAt ?? age, age)
        if let gaveWayAt, isOver(since: max(gaveWayAt, affirmedAt ?? gaveWayAt)) {
            (self.gaveWayAt, gaveWayCall) = (nil, nil)
        }
    }

    /// It has said since that it comes.
    mutating func hearNothingOver(before age: IncidentAge) {
        if !isOver(since: age) { overAt = nil }
        affirm(at: age)
    }

    /// Whether what it said then came before it was told that it is over, as far as clocks agree.
    func isOver(since age: IncidentAge) -> Bool {
        overAt.map { age <= $0 + JournalledIncident.clocksApartMax } ?? false
    }

    mutating func affirm(at age: IncidentAge) { affirmedAt = affirmedAt.map { max($0, age) } ?? age }

    /// What it has accepted by does not count, wherever it is known.
    mutating func refuseAcceptance(at age: IncidentAge) {
        if let acceptance { refuse(.init(id: acceptance, sentAt: decidedAt ?? .distantPast), at: age) }
    }

    /// False when there were so many that no more are noted.
    mutating func countFailure() -> Bool {
        guard failures < Incident.failuresRecordedMax else { return false }
        failures += 1
        return true
    }

    /// It is asked anew from then on.
    mutating func isAsked(at age: IncidentAge) { (begunAt, receivedAt) = (age, nil) }

    /// Once it has received a message of this call it is not called in vain.
    mutating func noteReceipt(of number: Int, at age: IncidentAge) {
        if receivedAt == nil, number >= firstNumber { receivedAt = age }
    }

    /// Somebody there has it before them; false when that was known.
    mutating func isSeen(at age: IncidentAge) -> Bool {
        guard seenAt == nil else { return false }
        seenAt = age
        return true
    }

    /// It has received that message.
    mutating func receive(_ number: Int, madeAt age: IncidentAge?) {
        guard number > receivedNumber else { return }
        (receivedNumber, receivedMadeAt) = (number, age)
    }

    /// It was answered then that its acceptance counts: decided after it had handed the incident back, it is no old one that comes
    /// late.
    mutating func reconsider(at time: IncidentAge) {
        if let rejectedAt, rejectedAt < time { hasHandedBack = false }
    }

    /// What it was answered to a decision.
    mutating func note(
        _ event: IncidentEvent, _ call: Incident.CallBack, _ verdict: IncidentVerdict, at age: IncidentAge
    ) {
        let counts = verdict == .done || verdict == .repeated
        // Who says that it does not come does not, also where it is not known that it has accepted before.
        if counts || event.isRejection && verdict != .outdated { decidedAt = call.sentAt }
        switch event {
        case .rejected where counts: rejections = (rejections + [call.id]).suffix(Incident.rejectionsMax)
        case .accepted where counts, .acceptedApart where counts: acceptance = call.id
        case .accepted where verdict == .acceptedByAnother:
            gaveWayAt = nil
            refuse(call, at: age)
        default: break
        }
    }
}
