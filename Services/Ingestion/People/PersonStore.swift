import Domain
import Postgres
import Primitives

/// The statements on `person` and `device` that the feed `accounts.changes` leads to. Older versions change nothing, and an
/// erased person stays erased.
enum PersonStore {
    static func set(_ account: UUID, subject: Int32?, paused: [String], version: Int64) -> SQL {
        """
        insert into person as p (account_id, subject, paused, version)
        values (\(account), \(subject), \(paused), \(version))
        on conflict on constraint person_key do update
        set subject = excluded.subject, paused = excluded.paused, version = excluded.version
        where excluded.version > p.version and p.erased_at is null
        """
    }

    /// Leaves a tombstone and nothing else. The person's writers are waited for, and those that come later see it.
    static func erase(_ account: UUID, version: Int64, at now: Timestamp) -> [SQL] {
        [
            ArrivalStore.lock([account]),
            """
            insert into person as p (account_id, version, erased_at) values (\(account), \(version), \(now))
            on conflict on constraint person_key do update
            set subject = null, paused = '{}', version = greatest(p.version, excluded.version),
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

    static func setDevice(_ device: UUID, of account: UUID, isRemoved: Bool, version: Int64) -> SQL {
        """
        insert into device as d (device_id, account_id, is_removed, version)
        select \(device), \(account), \(isRemoved), \(version)
        where not exists (select from person where account_id = \(account) and erased_at is not null)
        on conflict on constraint device_key do update
        set account_id = excluded.account_id, is_removed = excluded.is_removed, version = excluded.version
        where excluded.version > d.version
        """
    }
}
