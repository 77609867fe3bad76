/// An incident as one process knows it: the stored record, the events of this process that are not written yet, and the
/// state that follows when they are applied to the record.
struct IncidentJournal: Sendable {
    struct Entry: Sendable, Equatable {
        let event: IncidentEvent
        let age: IncidentAge
    }

    /// With this many events unwritten, further failed calls are dropped. All other events are few per hook.
    static let failuresMax = 200

    private(set) var written: IncidentRecord
    private(set) var unwritten: [Entry] = []
    private(set) var incident: Incident

    init(_ record: IncidentRecord) {
        written = record
        incident = record.incident
    }

    mutating func add(_ event: IncidentEvent, at age: IncidentAge) {
        if case .attemptFailed = event, unwritten.count >= Self.failuresMax { return }
        unwritten.append(Entry(event: event, age: age))
        _ = incident.apply(event, at: age)
    }

    /// Removes the first events, which are stored now. Call `adopt` with the stored record before or after.
    mutating func markWritten(_ count: Int) { unwritten.removeFirst(min(count, unwritten.count)) }

    /// Replaces the record by the stored one; false when a newer one was known. Every event may be applied twice.
    mutating func adopt(_ record: IncidentRecord) -> Bool {
        guard record.revision >= written.revision else { return false }
        written = record
        incident = record.incident
        for entry in unwritten { _ = incident.apply(entry.event, at: entry.age) }
        return true
    }
}
