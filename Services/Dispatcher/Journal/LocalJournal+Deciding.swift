import Primitives

extension LocalJournal {
    /// Applies a decision about an incident that this process does not deliver, by what is known of it here. Returns when it is on
    /// disk.
    func decide(
        _ event: IncidentEvent, of id: UUID, as entry: UUID = .random(), at now: Timestamp
    ) async throws(JournalFault) -> IncidentVerdict {
        let (verdict, entry) = begin(id) { known -> (IncidentVerdict?, JournalEntry?) in
            var incident = known.incident
            let age = IncidentAge.zero + max(.zero, now - (known.openedAt ?? known.events.first?.at ?? now))
            let verdict = incident.apply(event, at: age).verdict
            // It is not told so: only the database knows.
            if event.isAcceptance, verdict == .acceptedByAnother, known.opening == nil { return (verdict, nil) }
            // A repeat may be of what the disk has not taken: twice is once.
            guard event.countsApart(verdict) || verdict == .repeated else { return (verdict, nil) }
            let told = event.apart(verdict, at: age)
            guard !known.events.lazy.map(\.event).haveTooManyRefusals(with: told) else { return (nil, nil) }
            return (verdict, JournalEntry(told, as: told.isAnyRefusal ? .random() : entry, of: id, at: now))
        }
        guard let verdict else { throw .full }
        guard let entry else { return verdict }
        defer { end(entry) }
        try await add([entry])
        return verdict
    }
}
