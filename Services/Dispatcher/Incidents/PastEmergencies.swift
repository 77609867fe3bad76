import Postgres
import Primitives

/// People's emergencies of the last days whose incidents are over, those that were news of another one's incident among them: what was
/// judged without the database is read again from the feed, up to days later, and is found again. By the ids of their incidents, or of
/// those that they would have had alone.
enum PastEmergencies {
    /// Statement for those of these people; for `decode`. An incident stays open for days at most, but for one that nobody receives.
    static func select(_ accounts: [UUID]) -> SQL {
        """
        select account, id, array(select jsonb_array_elements_text(
          case jsonb_typeof(machine->'emergencies') when 'array' then machine->'emergencies' else '[]' end)) as news
        from incident
        where account = any(\(accounts)) and state = 'closed' and not is_exercise
          and opened_at > now() - interval '60 days' and closed_at > now() - interval '7 days'
        """
    }

    /// Statement for when somebody last said that an emergency of the person is over; for `decodeOne`. In incidents from before it was
    /// kept that is when it was written.
    static func lastSaidOver(_ account: UUID) -> SQL {
        """
        select max(coalesce(opened_at + (machine->>'ended_at')::bigint * interval '1 millisecond', closed_at))
        from incident
        where account = \(account) and not is_exercise and opened_at > now() - interval '60 days'
          and outcome = any(\(IncidentOutcome.allCases.filter(\.isSaid).map(\.rawValue)))
        """
    }

    static func decode(_ rows: ResultSet) throws(PostgresError) -> [UUID: Set<UUID>] {
        var past: [UUID: Set<UUID>] = [:]
        for (account, id, news) in try rows.decode(as: UUID.self, UUID.self, [String].self) {
            past[account, default: []].formUnion([id] + news.compactMap { UUID($0) })
        }
        return past
    }
}
