import Primitives

/// Who has accepted apart from the database, and was told there that it is over (SOS-07c, SOS-08c).
extension IncidentRecord {
    /// The service that comes, and since when.
    struct Acceptance: Sendable, Equatable {
        let hook: String
        let at: Timestamp
    }

    var acceptance: Acceptance? {
        guard incident.stage == .accepted, let hook = incident.acceptedBy, let at = incident.acceptedAt else {
            return nil
        }
        return Acceptance(hook: hook, at: time(at: at))
    }

    /// Call after each event that comes from elsewhere, with those that follow it. Where it says that the emergency is over, and ends
    /// nothing, since somebody was found in need of help after that: a service whose acceptance comes with it, from before, may have heard
    /// it, or may come. It is told so once more, and called anew (`IncidentEvent.toldOver`), unless it has said something since.
    ///
    /// - `before`: who came before any of these events was applied.
    mutating func doubt(
        _ before: Acceptance?, after event: JournalledIncident.Event, _ verdict: IncidentVerdict,
        then rest: [IncidentEvent]
    ) {
        guard verdict == .outdated, event.event.saysOver, let known = acceptance, known.hook != before?.hook,
            known.at <= event.at, !rest.contains(where: { $0.isSaid(by: known.hook) })
        else { return }
        let isTold = event.basis?.told?[known.hook] != nil
        if isTold || event.event.isSaid(by: known.hook) { apply(.toldOver(known.hook)) }
    }
}

extension IncidentEvent {
    /// Whether the service has said so itself.
    fileprivate func isSaid(by hook: String) -> Bool {
        switch self {
        case .accepted(hook, _), .acceptedApart(hook, _, _), .rejected(hook, _, _), .resolved(hook, _): true
        case .progress(hook, let progress, _): progress != .received
        default: false
        }
    }
}
