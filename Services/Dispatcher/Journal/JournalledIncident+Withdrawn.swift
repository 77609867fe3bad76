import Primitives

/// Acceptances apart from the database that hold no more when they come to it (SOS-07c, SOS-08c).
extension JournalledIncident {
    /// Those of these events that are acceptances of services which have said here since that the emergency is over, or have received a
    /// message that says so, where that ends nothing in the database: somebody was found in need of help after it. Such a service does
    /// not come to what goes on, and is asked like any other.
    static func withdrawn(_ events: [Event], in record: IncidentRecord) -> [Event] {
        let ends = events.indices.filter { index in
            let event = events[index]
            let age = IncidentAge(at: event.at, since: record.openedAt)
            return event.event.saysOver && record.incident.verdictBefore(event.event, at: age) == .outdated
        }
        return events.indices.filter { index in
            guard let hook = events[index].event.acceptingHook else { return false }
            return ends.contains { $0 > index && events[$0...].hasHeard(hook, that: events[$0]) }
        }.map { events[$0] }
    }
}

extension ArraySlice<JournalledIncident.Event> {
    /// Whether the service knows of this end.
    fileprivate func hasHeard(_ hook: String, that end: JournalledIncident.Event) -> Bool {
        if case .resolved(hook, _) = end.event { return true }
        guard let told = end.basis?.told?[hook] else { return false }
        return contains { event in
            if case .received(hook, let number) = event.event { number >= told } else { false }
        }
    }
}

extension IncidentEvent {
    /// Who accepts by it, there or apart.
    var acceptingHook: String? {
        switch self {
        case .accepted(let hook, _), .acceptedApart(let hook, _, _): hook
        default: nil
        }
    }
}
