import Contracts
import Domain
import Postgres
import Primitives

/// The statements on `watch`: the people whose samples or arrivals are published live, and for which service.
enum WatchStore {
    /// An erased person is not watched any more, whatever comes late. Older versions have no effect, except those of a
    /// snapshot (`replaces`).
    static func set(source: String, _ change: Change, replaces: Bool) -> SQL {
        let (watch, entity, version) = (change.watch, change.entity, change.version)
        return """
            insert into watch as w
              (source, entity, account_id, is_watched, types, measured_from, measured_to, until, tells, version)
            select \(source), \(entity), \(watch.accountID), \(watch.isWatched), \(watch.mask),
              \(watch.measuredFrom), \(watch.measuredTo), \(watch.until), \(watch.tells.rawValue), \(version)
            where not exists (select from person where account_id = \(watch.accountID) and erased_at is not null)
            on conflict (source, entity) do update
            set account_id = excluded.account_id, is_watched = excluded.is_watched,
              since = case when w.is_watched and w.account_id = excluded.account_id then w.since else now() end,
              types = excluded.types, measured_from = excluded.measured_from, measured_to = excluded.measured_to,
              until = excluded.until, tells = excluded.tells, version = excluded.version, is_mentioned = true
            where \(replaces) or excluded.version >= w.version
            """
    }

    /// The columns of `Watches`: one element for each watch.
    static let columns: SQL = """
        array_agg(source) as watchers, array_agg(types) as watched_types, array_agg(measured_from) as froms,
        array_agg(measured_to) as tos, array_agg(tells) as tells
        """

    /// A watch that is to be applied.
    struct Change: Sendable {
        let entity: UUID
        let watch: Ingestion.Watch
        let version: Int64
    }

    /// Of changes those that begin or alter a watch on somebody who is not erased: account, and a mask of those of the watched types
    /// of which anything is stored.
    static func news(
        of changes: [Change], source: String, replaces: Bool
    ) -> SQL {
        let (accounts, untils) = (changes.map(\.watch.accountID), changes.map(\.watch.until))
        return """
            select c.account_id, bit_or(c.types & coalesce(p.types, 0)) as types
            from unnest(\(changes.map(\.entity)), \(accounts), \(changes.map(\.watch.mask)), \(untils),
              \(changes.map(\.version))) as c (entity, account_id, types, until, version)
            left join lateral (
              select types, erased_at from person where account_id = c.account_id limit 1) p on true
            left join lateral (
              select * from watch where source = \(source) and entity = c.entity limit 1) w on true
            where p.erased_at is null and (w.entity is null or (\(replaces) or c.version >= w.version)
              and (w.is_watched, w.account_id, w.types, w.until)
                is distinct from (true, c.account_id, c.types, c.until))
            group by c.account_id order by c.account_id
            """
    }

    static func beginSnapshot(source: String) -> SQL {
        "update watch set is_mentioned = false where source = \(source) and is_mentioned"
    }

    static func endSnapshot(source: String) -> SQL {
        "delete from watch where source = \(source) and not is_mentioned"
    }

    /// Deletes watches that ended long ago; a day covers feeds that were behind.
    static func deleteEnded(before time: Timestamp) -> SQL { "delete from watch where until < \(time)" }
}

extension Ingestion.Watch {
    /// Of the data types.
    fileprivate var mask: Int64 { types.map(DataType.mask) ?? .max }
}
