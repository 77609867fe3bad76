import Primitives

/// Decisions of ambulance services (SOS-07, SOS-13), for `apply` alone.
extension Incident {
    /// Applies a decision unless the service has sent a newer one: networks and outboxes deliver late, and twice.
    mutating func decide(
        _ event: IncidentEvent, _ hook: String, _ call: CallBack?, at age: IncidentAge, toldAt time: IncidentAge,
        _ body: (inout Incident) -> IncidentVerdict
    ) -> IncidentVerdict {
        if let newest = handOver(to: hook)?.decidedAt, let call, call.sentAt < newest { return .outdated }
        let verdict = body(&self)
        guard let index = index(of: hook) else { return verdict }
        if acceptedBy == hook, event.isAnyAcceptance { handOvers[index].affirm(at: time) }
        if let call { handOvers[index].note(event, call, verdict, at: age) }
        return verdict
    }

    /// A hook accepts that has a message of the incident, whether or not the call could be written at the time. The
    /// first hook that accepts has the incident; the others that were called are told (SOS-07, SOS-13).
    mutating func accept(_ hook: String, at age: IncidentAge, _ result: inout Transition) -> IncidentVerdict {
        let wasWithdrawn = handOver(to: hook)?.isWithdrawn ?? false
        if stage != .accepted || acceptedBy != hook { begin(hook, at: age, &result) }
        if let winner = acceptedBy {
            guard winner == hook else { return .acceptedByAnother }
            return outcome == .falseAlarm || outcome == .expired ? .closed : .repeated
        }
        guard stage == .unaccepted || outcome == .exercised, let index = index(of: hook) else { return .closed }
        guard !handOvers[index].hasHandedBack else { return .handedBack }
        (acceptedBy, acceptedAt) = (hook, age)
        handOvers[index].stand()
        handOvers[index].isWithdrawn = false
        // Who was told that it need not come, or has rejected it before, may not know better, and gets a newer message.
        handOvers[index].answer(at: age, isFirst: !wasWithdrawn && handOvers[index].rejections.isEmpty)
        result.add(.accepted, hook: hook)
        guard !isExercise else {
            if stage != .closed { close(.exercised, at: age, &result) }
            return .done
        }
        handOvers[index].dueNumber = reportNumber
        stage = .accepted
        withdraw(.acceptedByAnother, from: { $0 != hook }, at: age)
        result.notices.append(.accepted(by: hook))
        return .done
    }

    /// Settles an acceptance that was answered apart from what is known here: of two the earlier stands, at the same time that
    /// of the first name, and the other service gets a cancellation, also when it has had one before.
    mutating func acceptApart(
        _ hook: String, _ call: CallBack?, acceptedAt time: IncidentAge, at age: IncidentAge, _ result: inout Transition
    ) -> IncidentVerdict {
        let (other, refusal) = (acceptedBy, handOver(to: hook)?.refusal(of: call, acceptedAt: time, after: acceptedAt))
        // It knows that it does not have it, and is called anew; or it may know, and is told so (`toldNotToCome`).
        if stage == .unaccepted, !isExercise, handOver(to: hook)?.isOver(since: time) ?? false {
            if let index = index(of: hook) {
                if let call { handOvers[index].refuse(call, at: age) }
                // It has accepted since.
                handOvers[index].rejectedAt = handOvers[index].rejectedAt.flatMap { $0 < time ? nil : $0 }
            }
            result.add(.accepted, hook: hook, detail: "apart")
            return .acceptedByAnother
        }
        if refusal == .told, stage == .unaccepted { return .acceptedByAnother }
        if let index = index(of: hook) { handOvers[index].reconsider(at: time) }
        guard stage != .unaccepted, other != hook || isBeyondEnd(time), !isExercise else {
            let verdict = accept(hook, at: age, &result)
            if acceptedBy == hook { acceptedAt = min(acceptedAt ?? age, time) }
            return verdict
        }
        begin(hook, at: age, &result)
        guard let index = index(of: hook) else { return .closed }
        guard !handOvers[index].hasHandedBack else { return .handedBack }
        handOvers[index].answer(at: age, isFirst: true)
        let isOver = refusal == .told || handOvers[index].isOver(since: time)
        let isEarlier = refusal == nil && !isOver && acceptedAt.map { (time, hook) < ($0, other ?? "") } ?? false
        guard stage == .accepted, isEarlier, let other else {
            cancelAnew(hook, at: age, gaveWayAt: isOver ? nil : time)
            handOvers[index].gaveWayCall = call?.id
            result.add(.accepted, hook: hook, detail: "apart")
            return stage == .closed ? .closed : .acceptedByAnother
        }
        let acceptedBefore = acceptedAt
        stand(index, acceptedAt: time, at: age)
        cancelAnew(other, at: age, gaveWayAt: acceptedBefore)
        alarmed = []
        result.accepted(by: hook, "earlier")
        return .done
    }

    /// The service is the one that comes, whatever it was told before.
    private mutating func stand(_ index: Int, acceptedAt time: IncidentAge?, at age: IncidentAge) {
        (stage, acceptedBy, acceptedAt) = (.accepted, handOvers[index].hook, time)
        // Its cancellation must not be the last that it hears.
        if handOvers[index].isWithdrawn { makeReport(at: age) }
        handOvers[index].stand()
        (handOvers[index].isWithdrawn, handOvers[index].dueNumber) = (false, reportNumber)
    }

    /// A cancellation for a service that believes that it comes.
    mutating func cancelAnew(
        _ hook: String, for reason: Message.Reason? = nil, at age: IncidentAge, gaveWayAt: IncidentAge? = nil
    ) {
        guard let index = index(of: hook) else { return }
        if outcome == .suppressed { outcome = .falseAlarm }
        handOvers[index].cancel(
            by: makeMessage(.cancel, reason ?? reasonNotToCome, at: age), gaveWayAt: gaveWayAt)
    }

    /// Who has given way to an acceptance that was handed back, and has not heard of it yet, comes.
    private mutating func comeAfterAll(at age: IncidentAge, _ result: inout Transition) {
        guard let index = handOvers.firstIndex(where: \.mayStillCome) else { return }
        let hook = handOvers[index].hook
        stand(index, acceptedAt: handOvers[index].gaveWayAt, at: age)
        withdraw(.acceptedByAnother, from: { $0 != hook }, at: age)
        result.accepted(by: hook, "apart")
    }

    /// The service cannot come, also when it had accepted: the next one is called at once.
    mutating func reject(
        _ hook: String, _ reason: RejectionReason?, at age: IncidentAge, toldAt time: IncidentAge,
        _ result: inout Transition
    ) -> IncidentVerdict {
        let isKnown = !begin(hook, at: age, &result)
        guard let index = index(of: hook) else { return .closed }
        if handOvers[index].rejectedAt != nil { return .repeated }
        if let winner = acceptedBy, winner != hook {
            handOvers[index].gaveWayAt = nil
            return .acceptedByAnother
        }
        guard stage != .closed else { return .closed }
        // Written late it may be of an older call.
        if isKnown, time >= handOvers[index].begunAt {
            handOvers[index].receive(handOvers[index].firstNumber, madeAt: handOvers[index].firstMadeAt)
        }
        (handOvers[index].rejectedAt, handOvers[index].dueNumber, handOvers[index].isInDoubt) = (age, nil, nil)
        let wasAccepted = stage == .accepted
        if wasAccepted {
            handOvers[index].hasHandedBack = true
            lose(index, at: age, &result)
        }
        result.rejected(by: hook, reason, afterAcceptance: wasAccepted)
        if wasAccepted { comeAfterAll(at: age, &result) }
        return .done
    }

    /// The service that had accepted does not come, or may not.
    private mutating func lose(_ index: Int, at age: IncidentAge, _ result: inout Transition) {
        result.notices.append(.handedBack(by: handOvers[index].hook))
        handOvers[index].gaveWayAt = nil
        handOvers.append(handOvers.remove(at: index))
        (stage, acceptedBy, acceptedAt, help) = (.unaccepted, nil, nil, nil)
        alarmed = []
        // Hooks that got a cancellation are called anew, with a newer message.
        makeReport(at: age)
    }

    /// What the service was told apart from here after its acceptance it may have heard, or not: it gets a cancellation, and is called anew
    /// only once it has that, or cannot be told: at once, where it was asked last. Its acceptance, known from elsewhere, does not count
    /// again.
    mutating func doubt(_ hook: String, _ reason: Message.Reason, at age: IncidentAge, _ result: inout Transition) {
        guard stage != .closed, acceptedBy ?? hook == hook, let index = index(of: hook) else { return }
        if acceptedBy == hook {
            handOvers[index].refuseAcceptance(at: age)
            lose(index, at: age, &result)
            comeAfterAll(at: age, &result)
        }
        guard stage == .unaccepted else { return }
        if handOvers.last?.hook == hook { handOvers[handOvers.count - 1].isAsked(at: age) }
        cancelAnew(hook, for: reason, at: age)
        if let index = self.index(of: hook) { handOvers[index].isInDoubt = true }
    }

    /// The service knows that this acceptance does not count.
    mutating func hearRefusal(
        of call: CallBack, by hook: String, at age: IncidentAge, toldAt time: IncidentAge, _ result: inout Transition
    ) {
        // It was called, whether or not that could be written at the time.
        if handOver(to: hook) == nil { begin(hook, at: age, &result) }
        guard let index = index(of: hook) else { return }
        handOvers[index].refuse(call, at: time)
        if let since = handOvers[index].gaveWayAt, since <= time + JournalledIncident.clocksApartMax {
            handOvers[index].gaveWayAt = nil
        }
    }

    /// A report about the service's work. It changes neither the stage nor what is due, nor the order of decisions.
    mutating func report(
        _ progress: Progress, by hook: String, _ call: CallBack?, at age: IncidentAge, toldAt time: IncidentAge,
        _ result: inout Transition
    ) -> IncidentVerdict {
        if progress == .received {
            // The service has the token, so it was called, whether or not that could be written at the time.
            if handOver(to: hook) == nil { begin(hook, at: age, &result) }
            guard let index = index(of: hook), handOvers[index].isSeen(at: age) else { return .repeated }
            result.add(.seenByService, hook: hook)
            return .done
        }
        if let verdict = verdict(onWorkOf: hook) { return verdict }
        var next = help ?? Help()
        let verdict = next.take(progress, by: hook, call, at: age, &result)
        if verdict == .done { help = next }
        if verdict != .outdated, let index = index(of: hook) {
            // Not later than it was said, by the service's clock: what waits for its network may be from before it was told something else.
            let said = call.flatMap { call in numbersFrom.map { Int(call.sentAt.milliseconds) - $0 } }
            handOvers[index].affirm(at: min(time, said.map { IncidentAge(milliseconds: Int64($0)) } ?? time))
        }
        return verdict
    }

    /// The service that came says that the emergency is over.
    mutating func resolve(_ hook: String, at age: IncidentAge, _ result: inout Transition) -> IncidentVerdict {
        if let verdict = verdict(onResolutionBy: hook) { return verdict }
        result.add(.resolved, hook: hook)
        finish(.resolved, .byService, at: age, &result)
        result.notices.append(.resolved(by: hook))
        return .done
    }
}
