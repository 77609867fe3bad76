import Contracts
import Domain
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
        insert into watch as w (source, entity, account_id, is_watched, types, measured_from, measured_to, until, version)
        select \(source), \(entity), \(watch.accountID), \(watch.isWatched), \(watch.types.map(DataType.mask) ?? .max),
          \(watch.measuredFrom), \(watch.measuredTo), \(watch.until), \(version)
        where not exists (select from person where account_id = \(watch.accountID) and erased_at is not null)
        on conflict (source, entity) do update
        set account_id = excluded.account_id, is_watched = excluded.is_watched,
          since = case when w.is_watched and w.account_id = excluded.account_id then w.since else now() end,
          types = excluded.types, measured_from = excluded.measured_from, measured_to = excluded.measured_to, until = excluded.until, version = excluded.version, is_mentioned = true
        where \(replaces) or excluded.version >= w.version
        """
    }

    /// The columns of `Watches`: one element for each watch.
    static let columns: SQL = """
        array_agg(source) as watchers, array_agg(types) as watched_types, array_agg(measured_from) as froms,
        array_agg(measured_to) as tos
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
