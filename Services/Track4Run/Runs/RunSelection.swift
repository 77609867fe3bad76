import Postgres
import Primitives

/// Which runs a list has, and in which order (RUN-05): what is under way or to come by start, so that what is under way
/// stands first; what is over or was cancelled latest first.
enum RunSelection: String, CaseIterable, Sendable {
    /// Under way or upcoming.
    case current
    case underWay = "under-way"
    case upcoming, past, cancelled

    /// The last run of a page.
    struct Key: Codable, Sendable {
        let start: Timestamp
        let id: UUID
    }

    private var isLatestFirst: Bool { self == .past || self == .cancelled }

    /// One index has each in its order: `run_open`, `run_by_start` or `run_cancelled`.
    private func condition(at now: Timestamp) -> SQL {
        switch self {
        case .current: "state = 'open' and ends_at > \(now)"
        case .underWay: "state = 'open' and starts_at <= \(now) and ends_at > \(now)"
        case .upcoming: "state = 'open' and starts_at > \(now)"
        case .past: "starts_at <= \(now) and (state = 'final' or state = 'open' and ends_at <= \(now))"
        case .cancelled: "state = 'cancelled'"
        }
    }

    /// What follows the other conditions of a list: the runs after `after`, one more than `limit`, which shows whether
    /// there are more. Without a selection all runs, by start.
    static func page(_ selection: RunSelection?, at now: Timestamp, after: Key?, limit: Int) -> SQL {
        var sql: SQL = ""
        if let selection { sql += "\n and \(sql: selection.condition(at: now))" }
        let isLatestFirst = selection?.isLatestFirst ?? false
        if let after {
            sql +=
                isLatestFirst
                ? "\n and (starts_at, id) < (\(after.start), \(after.id))"
                : "\n and (starts_at, id) > (\(after.start), \(after.id))"
        }
        let order: SQL = isLatestFirst ? "starts_at desc, id desc" : "starts_at, id"
        return sql + "\n order by \(sql: order) limit \(Int64(limit) + 1)"
    }
}
