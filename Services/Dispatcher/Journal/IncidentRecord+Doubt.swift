import Primitives

/// Who has accepted, and was told apart from the database that it need not come (SOS-07c, SOS-08c).
extension IncidentRecord {
    /// Call after each event that comes from elsewhere, with those that follow it. Where it says that the emergency is over, and ends
    /// nothing, since somebody was found in need of help after that, the service that had accepted before may have heard of it, or may
    /// come; and whose acceptance was refused there may have accepted here before. It is told so once more, and called anew
    /// (`IncidentEvent.toldNotToCome`), unless it has said since that it comes.
    mutating func doubt(
        after event: JournalledIncident.Event, _ verdict: IncidentVerdict,
        then rest: ArraySlice<JournalledIncident.Event>
    ) {
        guard incident.stage == .accepted, let hook = incident.acceptedBy, let known = incident.handOver(to: hook),
            let since = [incident.acceptedAt, known.affirmedAt].compactMap(\.self).max(), time(at: since) <= event.at,
            let reason = reasonToDoubt(known, event, verdict), !rest.contains(where: { $0.event.isSaid(by: hook) })
        else { return }
        apply(.toldNotToCome(hook, reason))
    }

    private func reasonToDoubt(
        _ known: Incident.HandOver, _ event: JournalledIncident.Event, _ verdict: IncidentVerdict
    ) -> Incident.Message.Reason? {
        if case .refused(known.hook, let call) = event.event {
            return call.id == known.acceptance ? .acceptedByAnother : nil
        }
        guard verdict == .outdated, event.event.saysOver else { return nil }
        // A courier that took it up later, from the disk, has told it to everybody.
        let isTold = event.basis.map { $0.told?[known.hook] != nil } ?? true
        return isTold || event.event.isSaid(by: known.hook) ? .falseAlarm : nil
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
