/// The incident as one process knows it: what is on disk, and the events that have happened here and are not written yet.
/// There is no third truth: how things are is the one with the other applied.
struct IncidentJournal: Sendable {
    struct Entry: Sendable, Equatable {
        let event: IncidentEvent
        let age: IncidentAge
    }

    /// Beyond so many, failed calls are no longer kept; of all else there is only so much per hook.
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

    /// The first ones are on disk; `adopt` what is there before or after.
    mutating func markWritten(_ count: Int) { unwritten.removeFirst(min(count, unwritten.count)) }

    /// Takes over what is on disk. False when something newer was known. All events can be applied twice.
    mutating func adopt(_ record: IncidentRecord) -> Bool {
        guard record.revision >= written.revision else { return false }
        written = record
        incident = record.incident
        for entry in unwritten { _ = incident.apply(entry.event, at: entry.age) }
        return true
    }
}
