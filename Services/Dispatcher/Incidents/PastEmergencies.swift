import Postgres
import Primitives

/// A person's emergencies of the last days whose incidents are over, those that were news of another one's incident among them: what was
/// judged without the database is read again from the feed, up to days later, and is found again.
struct PastEmergencies: Sendable, Equatable {
    /// By the ids of their incidents, or of those that they would have had alone; whether that incident gave way to another one.
    private var byID: [UUID: Bool] = [:]

    init() {}

    func contains(_ id: UUID) -> Bool { byID[id] != nil }

    /// Another incident took the place of its own: what is open may not know of it.
    func gaveWay(_ id: UUID) -> Bool { byID[id] ?? false }

    mutating func add(_ id: UUID, _ outcome: IncidentOutcome?, news: [UUID]) {
        byID[id] = outcome == .unanswered || outcome == .expired
        for other in news where byID[other] == nil { byID[other] = false }
    }

    // MARK: Reading

    /// Statement for those of these people; for `decode`. An incident stays open for days at most, but for one that nobody receives.
    static func select(_ accounts: [UUID]) -> SQL {
        """
        select account, id, outcome, array(select jsonb_array_elements_text(
          case jsonb_typeof(machine->'emergencies') when 'array' then machine->'emergencies' else '[]' end)) as news
        from incident
        where account = any(\(accounts)) and state = 'closed' and not is_exercise
          and opened_at > now() - interval '60 days' and closed_at > now() - interval '7 days'
        """
    }

    static func decode(_ rows: ResultSet) throws(PostgresError) -> [UUID: PastEmergencies] {
        var past: [UUID: PastEmergencies] = [:]
        for (account, id, outcome, news) in try rows.decode(as: UUID.self, UUID.self, String?.self, [String].self) {
            past[account, default: .init()].add(
                id, outcome.flatMap(IncidentOutcome.init), news: news.compactMap { UUID($0) })
        }
        return past
    }
}
