import Primitives

/// One emergency, from its confirmation to its end: a state machine without I/O (`States.md` draws it). Events in, history
/// and messages out. Nothing personal is in it: that stands in `IncidentDetails`.
struct Incident: Sendable, Equatable, Codable {
    /// A test call (SOS-12).
    let isExercise: Bool
    /// No hook is called before this age: the wearer may still call it off (SOS-08).
    private(set) var callsFrom: IncidentAge
    var stage = Stage.unaccepted
    /// How it ended.
    var outcome: IncidentOutcome?
    /// When what ended it was told, the last time, also where that was written later; `nil` while it is open, and in incidents from before it was kept.
    private(set) var endedAt: IncidentAge?
    private(set) var identity = Identity.sought
    var acceptedBy: String?
    var acceptedAt: IncidentAge?
    /// When the last critical run was seen, and the message that tells of it.
    private(set) var emergencyAt = IncidentAge.zero
    private(set) var emergencyNumber = 1
    /// When the last of them was found, also where that was written later; `nil` while there is only the first.
    private(set) var foundAt: IncidentAge?
    /// The same of the SOS button.
    private(set) var pressedAt: IncidentAge?
    /// The emergencies that are part of it, and their severe parts that had lasted (`Finding.severe`), by the ids that incidents of their
    /// own would have, without its own; `nil`: none.
    private(set) var emergencies: [UUID]?
    /// Age at the last event.
    private(set) var changedAt = IncidentAge.zero
    /// The longest time without an event, from `Silence.lengthMin` on.
    private(set) var silence: Silence?
    /// The messages that are due to hooks, and the newest one, which is last.
    private(set) var messages: [Message]
    /// The newest message of kind `report`.
    private(set) var reportNumber = 1
    /// The ambulance services that were called, in the order in which they were.
    var handOvers: [HandOver] = []
    /// Milliseconds since 1970 at age zero, by the database's clock; `nil` in incidents from before it was kept.
    private(set) var numbersFrom: Int?
    /// Numbers up to this one may have been given to other messages, apart from here; `nil`: none.
    private(set) var numbersUsed: Int?
    /// Hooks, or "" for none, for which the operator was alarmed.
    var alarmed: Set<String> = []
    /// Of the service that has accepted.
    var help: Help?

    init(isExercise: Bool = false, abortWindow: Duration = .zero, isPressed: Bool = false) {
        self.isExercise = isExercise
        pressedAt = isPressed ? .zero : nil
        callsFrom = .zero + abortWindow
        messages = [Message(number: 1, kind: .report, madeAt: .zero)]
    }

    /// The same, with messages that are numbered by the time at which they are made.
    func numbered(from openedAt: Timestamp) -> Incident {
        var incident = self
        incident.numbersFrom = Int(openedAt.milliseconds)
        return incident
    }

    // MARK: Events

    /// Applies an event. The result holds the verdict, and the history entries and notices to be written.
    mutating func apply(_ event: IncidentEvent, at time: IncidentAge) -> Transition {
        // A clock that was set back between two readings does not change the order of events.
        let age = max(time, changedAt)
        var transition = Transition()
        let wasOpen = stage != .closed
        transition.verdict = verdictBefore(event, at: time) ?? handle(event, at: age, toldAt: time, &transition)
        (foundAt, pressedAt) = found(after: event, transition.verdict, at: time)
        if stage == .closed, wasOpen || event.isCallOff && transition.verdict == .repeated {
            endedAt = endedAt.map { max($0, time) } ?? time
        }
        silence = [Silence(from: changedAt, to: age), silence].compactMap(\.self).max { $0.length < $1.length }
        changedAt = age
        forgetMessages()
        return transition
    }

    /// Takes these for emergencies that are part of it: found again they are nothing new.
    mutating func know(_ ids: [UUID]) {
        let new = ids.filter { !knows(emergency: $0) }
        if !new.isEmpty { emergencies = ((emergencies ?? []) + new).suffix(Self.emergenciesMax) }
    }

    /// What it was opened with was found, or pressed, then.
    mutating func openedBy(foundAt: IncidentAge?, pressedAt: IncidentAge?) {
        (self.foundAt, self.pressedAt) = (foundAt ?? self.foundAt, pressedAt.map(\.notZero) ?? self.pressedAt)
    }

    private mutating func handle(
        _ event: IncidentEvent, at age: IncidentAge, toldAt time: IncidentAge, _ result: inout Transition
    ) -> IncidentVerdict {
        switch event {
        case .emergency(let cause, _, _):
            guard stage != .closed else { return .closed }
            addEmergency(cause, at: age, &result)
            know(event.emergencyIDs)
        case .calledByHand:
            guard stage != .closed else { return .closed }
            callsFrom = min(callsFrom, age)
            if isPressNews(at: age) { addEmergency("manual", at: age, &result) }
        case .callsPromised(let from): callsFrom = min(callsFrom, from)
        case .seen(let what):
            guard stage != .closed else { return .closed }
            makeReport(at: age)
            result.add(.updated, detail: what)
        case .identified(let isNews):
            guard identity != .known else { return .repeated }
            identity = .known
            if isNews, stage != .closed { makeReport(at: age) }
        case .unidentifiable: if identity == .sought { identity = .unknown }
        case .handOverBegun(let hook):
            return begin(hook, at: age, calledAt: time, &result) ? .done : .repeated
        case .received(let hook, let number): receive(number, by: hook, at: age, &result)
        case .attemptFailed(let hook, let reason):
            guard let index = index(of: hook), handOvers[index].countFailure() else { break }
            result.add(.attemptFailed, hook: hook, detail: reason)
        case .operatorAlarmed(let alarm, let hook):
            alarmed.insert(hook ?? "")
            result.add(.operatorAlarmed, hook: hook, detail: alarm.rawValue)
        case .withdrawalGivenUp(let hook):
            guard let index = index(of: hook) else { break }
            handOvers[index].givenUpNumber = handOvers[index].dueNumber
            result.add(.cancellationGivenUp, hook: hook)
            hearFirst(hook, hasHeard: false, at: age, &result)
        case .accepted(let hook, let call):
            return decide(event, hook, call, at: age, toldAt: time) { $0.accept(hook, at: age, &result) }
        case .acceptedApart(let hook, let call, let time):
            return decide(event, hook, call, at: age, toldAt: time) {
                $0.acceptApart(hook, call, acceptedAt: time, at: age, &result)
            }
        case .refused(let hook, let call): hearRefusal(of: call, by: hook, at: age, toldAt: time, &result)
        case .rejected(let hook, let call, let reason):
            return decide(event, hook, call, at: age, toldAt: time) {
                $0.reject(hook, reason, at: age, toldAt: time, &result)
            }
        case .progress(let hook, let progress, let call):
            return report(progress, by: hook, call, at: age, toldAt: time, &result)
        case .resolved(let hook, let call):
            return decide(event, hook, call, at: age, toldAt: time) { $0.resolve(hook, at: age, &result) }
        case .calledOff: return callOff(at: age, &result)
        case .calledOffByDevice: return callOff(on: "device", at: age, &result)
        case .toldOver(let hook): if let index = index(of: hook) { handOvers[index].hearOver(at: time) }
        case .affirmed(let hook): if let index = index(of: hook) { handOvers[index].hearNothingOver(before: time) }
        case .toldNotToCome(let hook, let reason): doubt(hook, reason, at: age, &result)
        case .superseded(let successor, let isTold): return giveWay(to: successor, isTold: isTold, at: age, &result)
        case .timeIsUp: return end(at: age, &result)
        case .rejoined(let numbers): rejoin(numbers, at: age)
        }
        return .done
    }

    private mutating func addEmergency(_ cause: String, at age: IncidentAge, _ result: inout Transition) {
        makeReport(at: age)
        (emergencyAt, emergencyNumber) = (age, reportNumber)
        alarmed = []
        result.add(.updated, detail: cause)
    }

    // MARK: Messages

    /// Makes a new report, due to every hook that the report before was due to.
    mutating func makeReport(at age: IncidentAge) {
        let old = reportNumber
        reportNumber = makeMessage(.report, at: age)
        for index in handOvers.indices where handOvers[index].dueNumber == old {
            handOvers[index].dueNumber = reportNumber
        }
    }

    mutating func makeMessage(
        _ kind: Message.Kind, _ reason: Message.Reason? = nil, successor: UUID? = nil, at age: IncidentAge
    ) -> Int {
        let number = max(lastNumber + 1, (numbersFrom ?? 0) + Int(age.milliseconds))
        messages.append(Message(number: number, kind: kind, reason: reason, successor: successor, madeAt: age))
        return number
    }

    /// Makes what is due to hooks anew, with numbers that nobody has seen: one that stood for something else elsewhere is no receipt of it.
    private mutating func rejoin(_ numbers: Int, at age: IncidentAge) {
        numbersUsed = max(numbersUsed ?? 0, numbers)
        let due = Set(handOvers.compactMap(\.dueNumber)).sorted().compactMap(message)
        for known in due where known.kind != .report {
            let new = makeMessage(known.kind, known.reason, successor: known.successor, at: age)
            for index in handOvers.indices where handOvers[index].dueNumber == known.number {
                (handOvers[index].dueNumber, handOvers[index].givenUpNumber) = (new, nil)
            }
        }
        // Last: whoever has such a cancellation may be called anew.
        if due.contains(where: { $0.kind == .report || stage == .unaccepted }) { makeReport(at: age) }
    }

    /// Drops messages that are due to nobody. The newest stays: numbers go on from it.
    private mutating func forgetMessages() {
        let needed = Set(handOvers.compactMap(\.dueNumber) + [reportNumber] + messages.suffix(1).map(\.number))
        messages.removeAll { !needed.contains($0.number) }
    }

    // MARK: Hand-over

    /// The hook is called in any state: when another service has accepted it, or it is over, it gets a cancellation as well (SOS-07, SOS-08),
    /// also when it has had one before it was called (`calledAt`). So is who has rejected it without knowing of its last emergency. False when
    /// that is known already.
    @discardableResult
    mutating func begin(
        _ hook: String, at age: IncidentAge, calledAt time: IncidentAge? = nil, _ result: inout Transition
    ) -> Bool {
        var before: HandOver?
        if let index = index(of: hook) {
            // It was called before it was to be told that it need not come.
            if isInDoubt(hook), time != nil { return false }
            guard handOvers[index].isWithdrawn || time.map({ isAsked(hook, at: $0) }) ?? false else { return false }
            guard stage == .unaccepted else {
                guard let time, let cancelledAt = handOvers[index].dueNumber.flatMap(message)?.madeAt,
                    time > cancelledAt
                else { return false }
                cancelAnew(hook, at: age, gaveWayAt: handOvers[index].mayComeSince)
                result.add(.handOverBegun, hook: hook)
                return true
            }
            before = handOvers.remove(at: index)
        }
        if let before {
            // Whoever has that number is not called anew by it.
            if before.rejectedAt != nil || before.newestNumber > reportNumber { makeReport(at: age) }
            alarmed.remove(hook)
        }
        handOvers.append(HandOver(to: hook, with: report, at: age, after: before))
        result.add(.handOverBegun, hook: hook)
        guard stage != .unaccepted else { return true }
        if outcome == .suppressed { outcome = .falseAlarm }
        if outcome == .exercised {
            handOvers[handOvers.count - 1].dueNumber = nil
        } else {
            withdraw(reasonNotToCome, from: { $0 == hook }, at: age)
        }
        return true
    }

    /// Makes a cancellation for those hooks that have, or will have, a message and no cancellation.
    mutating func withdraw(
        _ reason: Message.Reason, successor: UUID? = nil, from isMeant: (String) -> Bool, at age: IncidentAge
    ) {
        let concerned = handOvers.indices.filter {
            isMeant(handOvers[$0].hook) && !handOvers[$0].isWithdrawn && handOvers[$0].dueNumber != nil
        }
        guard !concerned.isEmpty else { return }
        let number = makeMessage(.cancel, reason, successor: successor, at: age)
        for index in concerned { (handOvers[index].dueNumber, handOvers[index].isWithdrawn) = (number, true) }
    }

    /// What a service knows that was in doubt is known, or cannot be told to it: where it was asked last, it is called anew.
    private mutating func hearFirst(_ hook: String, hasHeard: Bool, at age: IncidentAge, _ result: inout Transition) {
        guard let index = index(of: hook), handOvers[index].isInDoubt == true else { return }
        handOvers[index].isInDoubt = nil
        // What it said before that counts for nothing; what it says at once does.
        if hasHeard { handOvers[index].hearOver(at: age + (.zero - JournalledIncident.clocksApartMax)) }
        if stage == .unaccepted, index == handOvers.count - 1 { begin(hook, at: age, &result) }
    }

    private mutating func receive(_ number: Int, by hook: String, at age: IncidentAge, _ result: inout Transition) {
        if handOver(to: hook) == nil { begin(hook, at: age, &result) }
        guard let index = index(of: hook) else { return }
        let (isWithdrawal, mayComeSince) = (message(number)?.kind == .cancel, handOvers[index].mayComeSince)
        handOvers[index].noteReceipt(of: number, at: age)
        // Told apart from here, by somebody who has given out more numbers.
        if number > lastNumber { numbersUsed = number }
        handOvers[index].receive(number, madeAt: message(number)?.madeAt)
        // It does not come any more, also when its cancellation is made anew.
        if isWithdrawal, number >= handOvers[index].dueNumber ?? 0 { handOvers[index].gaveWayAt = nil }
        result.add(isWithdrawal ? .cancellationReceived : .received, hook: hook, detail: String(number))
        if !handOvers[index].isOutstanding { hearFirst(hook, hasHeard: true, at: age, &result) }
        // Called by somebody who did not know that it need not come.
        if stage != .unaccepted, handOvers[index].isWithdrawn, message(number)?.kind == .report,
            number > handOvers[index].dueNumber ?? .max
        {
            cancelAnew(hook, at: age, gaveWayAt: mayComeSince)
        }
        // A test call is complete when it is received.
        if isExercise, stage == .unaccepted { close(.exercised, at: age, &result) }
    }

    // MARK: Ends

    /// The wearer is well: before the hand-over nobody is called, afterwards a cancellation goes out (SOS-08).
    private mutating func callOff(
        on device: String? = nil, at age: IncidentAge, _ result: inout Transition
    ) -> IncidentVerdict {
        guard stage != .closed else { return outcome == .falseAlarm || outcome == .suppressed ? .repeated : .closed }
        result.add(.falseAlarm, detail: device)
        withdraw(.falseAlarm, from: { _ in true }, at: age)
        close(handOvers.isEmpty ? .suppressed : .falseAlarm, at: age, &result)
        return .done
    }

    /// A new incident of the person takes its place. Whoever has this one is told, unless its details cannot be read (`isTold`).
    private mutating func giveWay(
        to successor: UUID, isTold: Bool, at age: IncidentAge, _ result: inout Transition
    ) -> IncidentVerdict {
        guard stage != .closed else { return .closed }
        if !isTold {
            for index in handOvers.indices { handOvers[index].dueNumber = nil }
            close(stage == .accepted ? .expired : .unanswered, at: age, &result)
        } else if stage == .accepted {
            finish(.expired, .superseded, successor: successor, at: age, &result)
        } else {
            withdraw(.superseded, successor: successor, from: { _ in true }, at: age)
            close(.unanswered, at: age, &result)
        }
        return .done
    }

    private mutating func end(at age: IncidentAge, _ result: inout Transition) -> IncidentVerdict {
        guard stage != .closed else { return .closed }
        guard stage == .unaccepted else {
            finish(.expired, .timeOver, at: age, &result)
            return .done
        }
        withdraw(.unanswered, from: { _ in true }, at: age)
        close(.unanswered, at: age, &result)
        return .done
    }

    /// Ends an accepted incident, with a message to the service that came.
    mutating func finish(
        _ outcome: IncidentOutcome, _ reason: Message.Reason, successor: UUID? = nil, at age: IncidentAge,
        _ result: inout Transition
    ) {
        if let index = acceptedBy.flatMap({ index(of: $0) }) {
            handOvers[index].dueNumber = makeMessage(.resolved, reason, successor: successor, at: age)
        }
        close(outcome, at: age, &result)
    }

    mutating func close(_ outcome: IncidentOutcome, at age: IncidentAge, _ result: inout Transition) {
        stage = .closed
        self.outcome = outcome
        // Reports that are not delivered yet are obsolete.
        for index in handOvers.indices where handOvers[index].dueNumber == reportNumber {
            handOvers[index].dueNumber = nil
        }
        result.add(.closed, detail: outcome.rawValue)
    }
}
