import JSON
import Primitives

/// What the operator is told: all alarms that are open and not acknowledged, so that the newest message is all there is to know.
struct AlarmMessage: Sendable, Codable {
    struct Alarm: Sendable, Codable {
        let id: UUID?
        let kind: String
        let subject: String
        let incident: UUID?
        let detail: String
        let occurrences: Int64
        let firstAt: Timestamp?
        let lastAt: Timestamp?
        let isOver: Bool

        init(_ row: AlarmStore.Row) {
            id = row.id
            kind = row.kind
            subject = row.subject
            incident = row.incident
            detail = row.detail
            occurrences = row.occurrences
            firstAt = row.firstAt
            lastAt = row.lastAt
            isOver = row.overAt != nil
        }

        /// One that could not be written down yet.
        init(_ alarm: OperatorAlarm) {
            id = nil
            kind = alarm.key.kind.rawValue
            subject = alarm.key.subject
            incident = alarm.incident
            detail = alarm.detail
            occurrences = Int64(alarm.occurrences)
            firstAt = nil
            lastAt = nil
            isOver = false
        }

        var line: String {
            let times = occurrences > 1 ? " ×\(occurrences)" : ""
            let about = [subject, detail].filter { !$0.isEmpty }.joined(separator: ", ")
            let number = id.map { " [\($0)]" } ?? ""
            return "\(firstAt?.description ?? "now") \(kind)\(times)\(isOver ? " (over)" : ""): \(about)\(number)"
        }
    }

    let id: UUID
    let sent: Timestamp
    /// 1, or 2 when the second address is told, too.
    let level: Int
    /// How many are open and not acknowledged; `alarms` names the oldest of them, and those that are over since the last message.
    let open: Int
    let alarms: [Alarm]
    /// For a signed `POST`.
    let acknowledgementURL: String

    /// For mail.
    var list: String {
        let more = open - alarms.count { !$0.isOver }
        return (alarms.map(\.line) + (more > 0 ? ["… and \(more) more"] : [])).joined(separator: "\n")
    }
}
