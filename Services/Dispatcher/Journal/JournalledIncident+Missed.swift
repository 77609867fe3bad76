import Domain
import Primitives

/// What was found, or pressed, apart from the database beyond the end of its incident, where that end was not known: an emergency of
/// its own, of which somebody has to be told (SOS-07, SOS-12a).
extension JournalledIncident {
    /// So much may what two sides take for the time be apart: a press at the moment of a false alarm on the other side is heard. Shorter
    /// than somebody takes who has pressed by mistake and says so.
    static let clocksApartMax = Duration.seconds(1)

    /// What became of it.
    enum Missed: Sendable {
        /// There was nothing, or who has the person's open incident is told.
        case told
        /// It was longer ago than an incident is remembered: the operator has to hear of it.
        case tooLate
        /// An incident was opened for it, and the ended one written with that.
        case opened
    }

    /// Tells what was missed to the person's open incident, or opens one for it, with the lease on nobody: the next round of any process
    /// takes it. Errors: why nothing can be told of it now.
    func openAnew(
        _ missed: [Event], after ended: inout IncidentRecord, seen: IncidentDetails?, _ fault: (any Error)?,
        in rows: some SettlingRows, _ times: HandOverTimes
    ) async throws -> Missed {
        guard !missed.isEmpty, !ended.incident.isExercise else { return .told }
        try await rows.lockMonitor(of: ended.account)
        let saidHere = events.filter(\.event.saysOver).map(\.at).max() ?? .distantPast
        let saidOfThis = ended.incident.saidOverAt.map(ended.time)
        let saidElsewhere = [try await rows.lastSaidOver(of: ended.account), saidOfThis].compactMap(\.self).max()
        let isNews = { (event: Event) in
            event.at > saidHere && saidElsewhere.map { event.at - $0 > .zero - Self.clocksApartMax } ?? true
        }
        // Who said later that all is well has said so of it: found again, it is over as well.
        for event in missed where !isNews(event) {
            ended.know(event.event.emergencyIDs)
            if event.event == .calledByHand { ended.change { $0.notePress(at: event.at) } }
        }
        let now = ended.time(at: ended.clock.age)
        let all = missed.filter(isNews)
        let news = all.filter { now - $0.at < times.forgottenMax }
        guard let first = news.map(\.at).min() else { return all.isEmpty ? .told : .tooLate }
        guard let details = ended.details ?? seen else {
            // What was found is found when its samples are read; a press is known to nobody else.
            guard !news.contains(where: { $0.event == .calledByHand }) else { throw fault ?? IncidentFault.unreadable }
            return .told
        }
        let past = try await rows.past(of: ended.account)
        guard let opened = record(of: news, after: ended, details, past, at: now), let told = opened.details else {
            return .told
        }
        let found = try await rows.locked(openOf: ended.account, isExercise: false)
        var others = found.records.filter { $0.id != ended.id }
        let standing = others.firstIndex { other in
            other.id == opened.id || !other.givesWay(to: told.findings.first, times, at: first)
        }
        if let standing {
            others[standing].hear(told, foundAt: news.map(\.at).max() ?? now)
            _ = try rows.save(others[standing])
            return .told
        }
        for index in others.indices {
            others[index].apply(.superseded(by: opened.id, isTold: others[index].details != nil))
        }
        try await rows.open(
            opened, isHeld: false, [ended] + others, unreadable: found.unreadable.filter { $0.id != ended.id })
        // Somebody may have opened another one at this moment: tried again, that one is told.
        guard try await rows.isKnown(opened.id) else {
            throw JournalFault.entry("another incident of the person was opened meanwhile")
        }
        return .opened
    }

    /// The incident of what was missed, opened now; `nil` when all of it is `past`, or not in `details`: then it is found when its
    /// samples are read, while they are new enough.
    private func record(
        of missed: [Event], after ended: IncidentRecord, _ details: IncidentDetails, _ past: Set<UUID>,
        at now: Timestamp
    ) -> IncidentRecord? {
        var details = details
        let account = ended.account
        let ids = Set(missed.flatMap(\.event.emergencyIDs)).subtracting(past)
        details.findings = details.findings.compactMap { finding in
            finding.parts.first { ids.contains(IncidentID.of(account, $0.origin)) }
        }
        let press = missed.last { $0.event == .calledByHand && !past.contains($0.id) }
        details.manual = press.map { ManualCall(at: $0.at, by: details.manual?.by ?? .person) }
        details.supersedes = ended.id
        // The same for whoever reads its samples; and for whoever has the same entry.
        let found = details.findings.first.map { IncidentID.of(account, $0.origin) }
        guard let id = found ?? press?.id else { return nil }
        // What is left of the time in which the wearer may call it off, unless somebody comes already.
        let passed = max(.zero, now - (missed.map(\.at).min() ?? now))
        let isWaiting = press == nil && acceptance == nil
        let window = isWaiting ? Duration.seconds(details.enrolment.abortWindowSeconds) - passed : .zero
        var record = IncidentRecord(
            id: id, account: account, openedAt: now, incident: Incident(abortWindow: max(.zero, window)),
            details: details)
        record.know(details.emergencies(of: account, but: id))
        let foundAt = missed.filter { $0.event != .calledByHand }.map(\.at).max()
        record.openedBy(foundAt: details.findings.isEmpty ? nil : foundAt, pressedAt: press?.at)
        if let finding = details.findings.first {
            record.add(IncidentStep.opening(finding, at: now))
            if finding.isProvisional { record.add([.provisional(finding, at: now)]) }
        } else if let press = details.manual {
            record.add(IncidentStep.opening(press, at: now))
        }
        if details.person != nil { record.apply(.identified(isNews: false), at: .zero) }
        // Who has accepted on that side, and is told that it need not come for what has ended, is the first that is called.
        if let hook = acceptance?.hook { record.apply(.handOverBegun(hook), at: .zero) }
        return record
    }
}
