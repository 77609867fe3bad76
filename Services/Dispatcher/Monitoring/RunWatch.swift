import Contracts
import Feed
import JSON
import Postgres
import Primitives

/// Follows `track4run.watch`: who takes part in a run, and when. Limits are other ones during exercise, whatever the person's
/// device says of movement (SOS-03).
struct RunWatch: FeedHandler {
    let roster: Roster

    func apply(_ records: [FeedRecord]) throws -> FeedEffect {
        .statements(try records.flatMap { try set($0.entity, $0.version, $0.decode(), isSnapshot: false) })
    }

    func committed(_ records: [FeedRecord]) async {
        for record in records {
            if let watch: Ingestion.Watch = try? record.decode() { roster.expire(watch.accountID) }
        }
    }

    func beginSnapshot() -> FeedEffect {
        .statements(["update run_watch set is_mentioned = false where is_mentioned"])
    }

    func apply(snapshot entities: [FeedEntity]) throws -> FeedEffect {
        .statements(try entities.flatMap { try set($0.entity, $0.version, $0.decode(), isSnapshot: true) })
    }

    func endSnapshot() -> FeedEffect { .statements([WatchChange.endingRuns]) }

    /// A run that was cancelled or left, or is over, counts as exercise until then; a watch without times does not
    /// count.
    private func set(_ entity: UUID, _ version: Int64, _ watch: Ingestion.Watch, isSnapshot: Bool) -> [SQL] {
        let from = watch.isWatched && watch.measuredTo != nil ? watch.measuredFrom : nil
        let to = from == nil ? nil : watch.measuredTo
        return [
            """
            insert into run_watch as w (entity, account, begins_at, ends_at, version)
            values (\(entity), \(watch.accountID), \(from), \(to), \(version))
            on conflict on constraint run_watch_key do update
            set account = excluded.account, version = excluded.version, is_mentioned = true,
              changed_at = clock_timestamp(),
              begins_at = case when \(watch.isWatched) then excluded.begins_at else w.begins_at end,
              ends_at = case when \(watch.isWatched) then excluded.ends_at
                when w.ends_at is not null then least(w.ends_at, clock_timestamp()) end
            where \(isSnapshot) or excluded.version >= w.version
            """, WatchChange.note(of: watch.accountID),
        ]
    }

    /// Deletes runs that ended more than a day ago; within a day samples may be read late.
    static let tidy: SQL = """
        delete from run_watch where coalesce(ends_at, changed_at) < clock_timestamp() - interval '1 day'
        """
}
