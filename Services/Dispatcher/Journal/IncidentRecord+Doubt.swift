import Primitives

/// Who has accepted, and was told apart from the database that it need not come (SOS-07c, SOS-08c).
extension IncidentRecord {
    typealias Event = JournalledIncident.Event

    /// Applies what happened elsewhere, each by `body`. Where it was said there that the emergency is over, which ends nothing, since
    /// somebody was found in need of help after that, whoever was told may have heard it, or not; and whose acceptance was refused there
    /// may have accepted here before. What such a service had said before does not count as coming: it is told so once more, and called
    /// anew (`IncidentEvent.toldNotToCome`).
    mutating func apply(apart events: [Event], by body: (inout IncidentRecord, Event) -> Void) {
        let ends = voidEnds(of: events)
        let before = incident
        func noteEnds() {
            for index in ends { note(end: events[index], then: events[(index + 1)...], before) }
        }
        var void: Set<String> = []
        for (index, event) in events.enumerated() {
            // Before an acceptance takes anything from anybody, and after whoever accepts was called.
            if case .acceptedApart(let hook, _, _) = event.event {
                noteEnds()
                affirm(hook, by: events[(index + 1)...])
            }
            if let hook = voidAcceptance(event) { void.insert(hook) }
            body(&self, event)
        }
        noteEnds()
        for hook in incident.handOvers.map(\.hook) {
            let reason = incident.acceptedBy == hook ? reasonToDoubt(events, hasEnds: !ends.isEmpty) : nil
            let isVoid =
                incident.stage == .unaccepted && void.contains(hook) && incident.handOver(to: hook)?.rejectedAt == nil
            if let reason = reason ?? (isVoid ? .falseAlarm : nil) { apply(.toldNotToCome(hook, reason)) }
        }
    }

    /// Why the service that counts as coming may not.
    private func reasonToDoubt(_ events: [Event], hasEnds: Bool) -> Incident.Message.Reason? {
        guard incident.stage == .accepted, let known = incident.acceptedBy.flatMap(incident.handOver),
            let since = [incident.acceptedAt, known.affirmedAt].compactMap(\.self).max()
        else { return nil }
        if hasEnds, known.isOver(since: since) { return .falseAlarm }
        return events.contains { known.isRefused(by: $0, since: time(at: since)) } ? .acceptedByAnother : nil
    }

    /// Whose acceptance it is, from before they were told that it is over, where that is not known yet.
    private func voidAcceptance(_ event: Event) -> String? {
        guard case .acceptedApart(let hook, let call, _) = event.event, let known = incident.handOver(to: hook),
            known.isOver(since: IncidentAge(at: event.at, since: openedAt))
        else { return nil }
        return known.refusals?.contains { $0.id == call?.id } == true ? nil : hook
    }

    /// Those that say that it is over, and end nothing here.
    private func voidEnds(of events: [Event]) -> [Int] {
        guard events.contains(where: \.event.saysOver) else { return [] }
        var incident = incident
        return events.indices.filter { index in
            let event = events[index]
            let age = IncidentAge(at: event.at, since: openedAt)
            let isVoid = event.event.saysOver && incident.verdictBefore(event.event, at: age) == .outdated
            _ = incident.apply(event.event.counted(from: openedAt, at: event.at), at: age)
            return isVoid
        }
    }

    /// Who was told of an end that ends nothing, and has said nothing since: when it was said, or, where they had received nothing newer
    /// before, when they received it.
    private mutating func note(end: Event, then rest: ArraySlice<Event>, _ before: Incident) {
        var told = end.basis?.ended ?? [:]
        if case .resolved(let hook, _) = end.event {
            told = [hook: told[hook] ?? .max]
        } else if end.basis == nil {
            // Without a courier it was told to everybody by the one that took it up later.
            for known in incident.handOvers { told[known.hook] = .max }
        }
        for (hook, number) in told.sorted(by: { $0.key < $1.key })
        where !rest.contains(where: { $0.event.isSaid(by: hook) }) {
            let receipt = rest.first {
                if case .received(hook, let known) = $0.event { known >= number } else { false }
            }
            let counted = receipt.map { isHeard($0, number, by: before.handOver(to: hook)) } ?? false
            let heardAt = counted ? receipt?.at ?? end.at : end.at
            apply(.toldOver(hook), at: IncidentAge(at: max(end.at, heardAt), since: openedAt))
        }
    }

    /// Whether what has arrived counted where it did: nothing newer was there before.
    private func isHeard(_ receipt: Event, _ number: Int, by known: Incident.HandOver?) -> Bool {
        guard let known, known.receivedNumber > number else { return true }
        return known.receivedMadeAt.map { time(at: $0) > receipt.at } ?? false
    }

    /// Where this service has gone on with what it accepted, after it was told elsewhere that it is over, it comes.
    private mutating func affirm(_ hook: String, by rest: ArraySlice<Event>) {
        guard let overAt = incident.handOver(to: hook)?.overAt,
            let said = rest.last(where: { $0.event.isSaid(by: hook) && !$0.event.isRejection }),
            said.at > time(at: overAt + JournalledIncident.clocksApartMax)
        else { return }
        apply(.affirmed(hook), at: IncidentAge(at: said.at, since: openedAt))
    }
}

extension Incident.HandOver {
    /// Whether the acceptance by which it counts was refused there, after it was answered last, as far as clocks agree.
    fileprivate func isRefused(by event: JournalledIncident.Event, since time: Timestamp) -> Bool {
        guard case .refused(hook, let call) = event.event, call.id == acceptance else { return false }
        return time <= event.at + JournalledIncident.clocksApartMax
    }
}

extension IncidentEvent {
    /// Whether the service says by it that it comes, or does not any more.
    fileprivate func isSaid(by hook: String) -> Bool {
        switch self {
        case .accepted(hook, _), .acceptedApart(hook, _, _), .rejected(hook, _, _), .resolved(hook, _): true
        case .progress(hook, let progress, _): progress != .received
        default: false
        }
    }
}
