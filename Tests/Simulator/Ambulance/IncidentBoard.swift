import JSON
import Primitives
import Reactor
import SuiteClient
import Synchronization

/// Incidents as a person at an ambulance service sees them: what has come, and what was answered, made of the lines that the receiver
/// shows.
final class IncidentBoard: Sendable {
    /// Shown at once; of the rest the number is told.
    static let shownMax = 200
    fileprivate static let keptMax = 2000

    enum State: String, Sendable {
        /// Nobody has answered.
        case waiting
        case accepted, rejected
        /// It was accepted here, and another service had it, or it was over.
        case refused
        /// The dispatcher says that nobody needs to come.
        case cancelled
        case over

        var isOpen: Bool { self == .waiting || self == .accepted }
    }

    struct Entry: Sendable {
        let id: String
        var state = State.waiting
        var isExercise: Bool
        let receivedAt: String
        var changedAt: String
        /// The newest message, as it came.
        var message: JSONValue = .null
        /// What this service has told of its work, by the word, with the time.
        var told: [(word: String, at: String)] = []
        /// What was decided here and is not answered yet.
        var pending: String?
        /// When an ambulance is expected, as it was told.
        var arrival: String?
        /// The status of a call back that was refused last.
        var refusedWith: JSONValue?

        var value: JSONValue {
            var value: JSONObject = [
                "id": .string(id), "state": .string(state.rawValue), "is_exercise": .bool(isExercise),
                "received_at": .string(receivedAt), "changed_at": .string(changedAt), "message": message,
                "told": .array(told.map { ["word": .string($0.word), "at": .string($0.at)] }),
            ]
            if let pending { value["pending"] = .string(pending) }
            if let arrival { value["arrival"] = .string(arrival) }
            if let refusedWith { value["refused_with"] = refusedWith }
            return .object(value)
        }
    }

    fileprivate struct Known {
        var entries: [String: Entry] = [:]
        /// Those of before first.
        var order: [String] = []
    }

    /// Raised with each change.
    let news = EventCounter()
    private let known = Mutex(Known())

    /// Takes up a line of the receiver.
    func take(_ line: JSONObject) {
        guard let event = line["event"]?.text, let id = line["incident"]?.text, let at = line["at"]?.text else {
            return
        }
        let isChanged = known.withLock { known in
            if let message = line["message"] {
                known.come(event, message, id, isExercise: line["mode"]?.text == "exercise", at)
                return true
            }
            guard line["answer"] != nil, known.entries[id] != nil else { return false }
            known.entries[id]?.answer(event, line["answer"], at)
            return true
        }
        if isChanged { news.raise() }
    }

    /// Something was decided here and is being sent; `nil`: it is not.
    func note(_ word: String?, of incident: UUID) {
        known.withLock { $0.entries[incident.description]?.pending = word }
        news.raise()
    }

    /// When an ambulance is expected, as it is being told.
    func note(arrival: Timestamp, of incident: UUID) {
        known.withLock { $0.entries[incident.description]?.arrival = arrival.description }
        news.raise()
    }

    /// Open ones first, the newest before the others.
    var value: JSONValue {
        let entries = known.withLock { known in known.order.reversed().compactMap { known.entries[$0] } }
        let sorted = entries.filter(\.state.isOpen) + entries.filter { !$0.state.isOpen }
        return [
            "incidents": .array(sorted.prefix(Self.shownMax).map(\.value)),
            "more": .integer(Int64(max(0, sorted.count - Self.shownMax))),
        ]
    }
}

extension IncidentBoard.Known {
    /// A message has come.
    mutating func come(_ kind: String, _ message: JSONValue, _ id: String, isExercise: Bool, _ at: String) {
        var entry = entries[id] ?? .init(id: id, isExercise: isExercise, receivedAt: at, changedAt: at)
        if entries[id] == nil { order.append(id) }
        entry.message = message
        entry.changedAt = at
        switch kind {
        case "cancel": entry.state = .cancelled
        case "resolved": entry.state = .over
        // Cancelled before, and needed again.
        case "alert", "exercise":
            if !entry.state.isOpen { entry.state = .waiting }
        default: break
        }
        entries[id] = entry
        if order.count > IncidentBoard.keptMax { entries[order.removeFirst()] = nil }
    }
}

extension IncidentBoard.Entry {
    /// A call back was answered.
    mutating func answer(_ event: String, _ status: JSONValue?, _ at: String) {
        pending = nil
        refusedWith = event.hasSuffix("-refused") ? status : nil
        switch event {
        case "accepted": state = .accepted
        case "accepted-refused": state = .refused
        case "rejected": state = .rejected
        case "resolved": state = .over
        case "received", "dispatched", "on-scene", "arrival-expected": told.append((event, at))
        default: break
        }
        changedAt = at
    }
}
