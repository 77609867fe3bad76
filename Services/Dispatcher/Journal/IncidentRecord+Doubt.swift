import Primitives

/// Who has accepted, and was told apart from the database that it need not come (SOS-07c, SOS-08c).
extension IncidentRecord {
    typealias Event = JournalledIncident.Event

    /// Applies what happened elsewhere, each by `body`. Where it was said there that the emergency is over, which ends nothing, since
    /// somebody was found in need of help after that, whoever was told may have heard it, or not; and whose acceptance was refused there
    /// may have accepted here before. When that is the service that now counts as coming, and it has not said since that it comes, it is
    /// told so once more, and called anew (`IncidentEvent.toldNotToCome`).
    mutating func apply(apart events: [Event], by body: (inout IncidentRecord, Event) -> Void) {
        var voidEnds: [Int] = []
        for (index, event) in events.enumerated() {
            let age = IncidentAge(at: event.at, since: openedAt)
            if event.event.saysOver, incident.verdictBefore(event.event, at: age) == .outdated {
                voidEnds.append(index)
            }
            body(&self, event)
        }
        for index in voidEnds { note(end: events[index], then: events[(index + 1)...]) }
        guard incident.stage == .accepted, let known = incident.acceptedBy.flatMap(incident.handOver),
            let since = [incident.acceptedAt, known.affirmedAt].compactMap(\.self).max()
        else { return }
        if known.isOver(since: since) {
            apply(.toldNotToCome(known.hook, .falseAlarm))
        } else if events.contains(where: { known.isRefused(by: $0, since: time(at: since)) }) {
            apply(.toldNotToCome(known.hook, .acceptedByAnother))
        }
    }

    /// Who was told of an end that ends nothing: when it was said, or when they received it.
    private mutating func note(end: Event, then rest: ArraySlice<Event>) {
        var hooks = Set((end.basis?.told ?? [:]).keys)
        if case .resolved(let hook, _) = end.event {
            hooks.insert(hook)
        } else if end.basis == nil {
            // Without a courier it was told to everybody by the one that took it up later.
            hooks = Set(incident.handOvers.map(\.hook))
        }
        for hook in hooks.sorted() {
            let told = end.basis?.told?[hook] ?? 1
            let receipt = rest.first {
                if case .received(hook, let number) = $0.event { number >= told } else { false }
            }
            apply(.toldOver(hook), at: IncidentAge(at: max(end.at, receipt?.at ?? end.at), since: openedAt))
        }
    }
}

extension Incident.HandOver {
    /// Whether the acceptance by which it counts was refused there, after it was answered last, as far as clocks agree.
    fileprivate func isRefused(by event: JournalledIncident.Event, since time: Timestamp) -> Bool {
        guard case .refused(hook, let call) = event.event, call.id == acceptance else { return false }
        return time <= event.at + JournalledIncident.clocksApartMax
    }
}
