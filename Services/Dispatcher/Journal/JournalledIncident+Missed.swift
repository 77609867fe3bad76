import Domain
import Primitives

/// What was found, or pressed, apart from the database beyond the end of its incident, where that end was not known: an emergency of
/// its own, of which somebody has to be told (SOS-07, SOS-12a).
extension JournalledIncident {
    /// So much may what two sides take for the time be apart: a press at the moment of a false alarm on the other side is heard. Shorter
    /// than somebody takes who has pressed by mistake and says so.
    private static let clocksApartMax = Duration.seconds(1)

    /// Tells what was missed to the person's open incident, or opens one for it, with the lease on nobody: the next round of any process
    /// takes it. Returns whether the ended one was written with it. Errors: `fault`, why the ended one's details cannot be opened now.
    func openAnew(
        _ missed: [Event], after ended: inout IncidentRecord, seen: IncidentDetails?, _ fault: (any Error)?,
        in rows: some SettlingRows, _ times: HandOverTimes
    ) async throws -> Bool {
        guard !missed.isEmpty, !ended.incident.isExercise else { return false }
        // Who said on that side that it is over has known of it: read again, it is over as well.
        let saidHere = events.filter(\.event.saysOver).map(\.at).max() ?? .distantPast
        ended.know(missed.filter { $0.at <= saidHere }.flatMap(\.event.emergencyIDs))
        try await rows.lockMonitor(of: ended.account)
        let saidHereOf = ended.incident.saidOverAt.map(ended.time)
        let saidElsewhere = [try await rows.lastSaidOver(of: ended.account), saidHereOf].compactMap(\.self).max()
        let news = missed.filter { event in
            event.at > saidHere && saidElsewhere.map { event.at - $0 > .zero - Self.clocksApartMax } ?? true
        }
        guard !news.isEmpty else { return false }
        if let fault { throw fault }
        let past = try await rows.past(of: ended.account)
        guard let next = JournalledIncident(news, after: ended, seen: seen, past), let openedAt = next.openedAt,
            var opened = next.openedRecord(at: openedAt), let details = opened.details
        else { return false }
        let found = try await rows.locked(openOf: ended.account, isExercise: false)
        var others = found.records.filter { $0.id != ended.id }
        if let index = others.firstIndex(where: { $0.id == next.id || !next.givesWay($0, times) }) {
            others[index].hear(details)
            _ = try rows.save(others[index])
            return false
        }
        for index in others.indices {
            others[index].apply(.superseded(by: opened.id, isTold: others[index].details != nil))
        }
        if details.person != nil { opened.apply(.identified(isNews: false), at: .zero) }
        try await rows.open(
            opened, isHeld: false, [ended] + others, unreadable: found.unreadable.filter { $0.id != ended.id })
        // Somebody may have opened another one at this moment: tried again, that one is told.
        guard try await rows.isKnown(opened.id) else {
            throw JournalFault.entry("another incident of the person was opened meanwhile")
        }
        return true
    }

    /// The incident of what was missed, opened when that was; `nil` when all of it is `past`, or nothing can be told of it: then it is
    /// found when its samples are read, while they are new enough.
    private init?(_ missed: [Event], after ended: IncidentRecord, seen: IncidentDetails?, _ past: Set<UUID>) {
        guard var details = ended.details ?? seen, let first = missed.map(\.at).min() else { return nil }
        let ids = Set(missed.flatMap(\.event.emergencyIDs)).subtracting(past)
        details.findings = details.findings.filter { ids.contains(IncidentID.of(ended.account, $0.origin)) }
        let press = missed.last { $0.event == .calledByHand }
        details.manual = press.map { ManualCall(at: $0.at, by: details.manual?.by ?? .person) }
        details.supersedes = ended.id
        // The same for whoever reads its samples; and for whoever has the same entry.
        let found = details.findings.first.map { IncidentID.of(ended.account, $0.origin) }
        guard let id = found ?? press.map({ IncidentID.of(ended.account, call: $0.id) }) else { return nil }
        self.init(id)
        let steps =
            details.findings.first.map { IncidentStep.opening($0, at: first) }
            ?? details.manual.map { IncidentStep.opening($0, at: first) } ?? []
        let window = press == nil ? details.enrolment.abortWindowSeconds : 0
        (openingID, openedAt) = (.random(), first)
        opening = JournalEntry.Opening(
            account: ended.account, isExercise: false, abortWindow: .zero + .seconds(window), details: details,
            steps: steps.map { .init(kind: $0.kind, at: $0.at, detail: $0.detail) })
    }
}
