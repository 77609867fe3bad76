import Domain
import Postgres
import Primitives

/// The statements on `person` and `device` for events of `accounts.changes`. An erased person stays erased. Older
/// versions have no effect, except those of a snapshot (`replaces`).
enum PersonStore {
    static func set(
        _ account: UUID, subject: Int32?, paused: [String], version: Int64, replaces: Bool
    ) -> SQL {
        """
        insert into person as p (account_id, subject, paused, version)
        values (\(account), \(subject), \(paused), \(version))
        on conflict (account_id) do update
        set subject = excluded.subject, paused = excluded.paused, version = excluded.version
        where (\(replaces) or excluded.version > p.version) and p.erased_at is null
        """
    }

    /// Deletes everything but a tombstone. The person must be locked (`ArrivalStore.lock`), so that later writers see
    /// it.
    static func erase(_ account: UUID, version: Int64, at now: Timestamp) -> [SQL] {
        [
            """
            insert into person as p (account_id, version, erased_at) values (\(account), \(version), \(now))
            on conflict (account_id) do update
            set subject = null, paused = '{}', types = 0, version = greatest(p.version, excluded.version),
              erased_at = coalesce(p.erased_at, excluded.erased_at)
            """,
            "delete from arrival where account_id = \(account)",
            "delete from device where account_id = \(account)",
            "delete from watch where account_id = \(account)",
        ]
    }

    static func erased(among accounts: [UUID]) -> SQL {
        "select account_id from person where account_id = any(\(accounts)) and erased_at is not null"
    }

    /// `types` is a mask of the data types that the person lets the device provide (ACC-14).
    static func setDevice(
        _ device: UUID, of account: UUID, types: Int64, isRemoved: Bool, version: Int64, replaces: Bool
    ) -> SQL {
        """
        insert into device as d (device_id, account_id, types, is_removed, version)
        select \(device), \(account), \(types), \(isRemoved), \(version)
        where not exists (select from person where account_id = \(account) and erased_at is not null)
        on conflict (device_id) do update
        set account_id = excluded.account_id, types = excluded.types, is_removed = excluded.is_removed,
          version = excluded.version
        where \(replaces) or excluded.version > d.version
        """
    }
}
