import Contracts
import Postgres
import Primitives

/// The statements on `watch`: the people whose samples are published live, and for which service.
enum WatchStore {
    /// An erased person is not watched any more, whatever comes late. Older versions have no effect, except those of a
    /// snapshot (`replaces`).
    static func set(
        source: String, entity: UUID, _ watch: Ingestion.Watch, version: Int64, replaces: Bool
    ) -> SQL {
        """
        insert into watch as w (source, entity, account_id, is_watched, measured_from, measured_to, until, version)
        select \(source), \(entity), \(watch.accountID), \(watch.isWatched), \(watch.measuredFrom), \(watch.measuredTo),
          \(watch.until), \(version)
        where not exists (select from person where account_id = \(watch.accountID) and erased_at is not null)
        on conflict (source, entity) do update
        set account_id = excluded.account_id, is_watched = excluded.is_watched,
          since = case when w.is_watched and w.account_id = excluded.account_id then w.since else now() end, measured_from = excluded.measured_from,
          measured_to = excluded.measured_to, until = excluded.until, version = excluded.version, is_mentioned = true
        where \(replaces) or excluded.version >= w.version
        """
    }

    /// The columns with the times of which a set of watches passes samples on (`WatchedTimes`).
    static let times: SQL = """
        coalesce(bool_or(measured_from is null), false) as is_always,
        coalesce(array_agg(measured_from) filter (where measured_from is not null), '{}') as froms,
        coalesce(array_agg(measured_to) filter (where measured_from is not null), '{}') as tos
        """

    static func beginSnapshot(source: String) -> SQL {
        "update watch set is_mentioned = false where source = \(source) and is_mentioned"
    }

    static func endSnapshot(source: String) -> SQL {
        "delete from watch where source = \(source) and not is_mentioned"
    }

    /// Deletes watches that ended long ago; a day covers feeds that were behind.
    static func deleteEnded(before time: Timestamp) -> SQL { "delete from watch where until < \(time)" }
}
