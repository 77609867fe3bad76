import Domain
import Postgres
import Primitives

/// The statements on `person` and `device` for events of `accounts.changes`. An erased person stays erased. Older
/// versions have no effect, except those of a snapshot (`replaces`).
enum PersonStore {
    /// `details` is sealed; `nil` leaves what is known of them, and of pauses.
    static func set(
        _ account: UUID, subject: Int32?, paused: [String]?, details: [UInt8]?, version: Int64, replaces: Bool,
        at now: Timestamp
    ) -> [SQL] {
        [
            add(account),
            """
            with changed as (
              update person set subject = \(subject), paused = coalesce(\(paused), paused), version = \(version),
                details = coalesce(\(details), details),
                pauses_ended_at = case when paused <@ \(paused) is false
                  then greatest(pauses_ended_at, \(now)) else pauses_ended_at end
              where account_id = \(account) and (\(replaces) or version < \(version)) and erased_at is null
              returning number),
            ended as (
              update pause set until = \(now) from changed
              where pause.person = changed.number and pause.until is null and kind <> all(\(paused)))
            insert into pause (person, kind, since)
            select number, k, \(now) from changed, unnest(\(paused)) as k
            where not exists (select from pause where person = number and kind = k and until is null)
            on conflict (person, kind, since) do update set until = null
            """,
        ]
    }

    /// An insert that finds a row would use up a person's number.
    private static func add(_ account: UUID) -> SQL {
        """
        insert into person (account_id, version) select \(account), -1
        where not exists (select from person where account_id = \(account))
          and not exists (select from directory where account_id = \(account) and shard <> 0)
        on conflict (account_id) do nothing
        """
    }

    /// Deletes everything but a tombstone. The person must be locked (`BlockStore.lock`, `ArrivalStore.lock`), so that later
    /// writers see it.
    static func erase(_ account: UUID, at now: Timestamp) -> [SQL] {
        [
            CountingStore.awaitKeeping,
            add(account),
            """
            update person set subject = null, paused = '{}', pauses_ended_at = null, details = null, types = 0, provided_types = 0,
              sample_bytes = 0, summary_bytes = 0, sealed_through = 0, deletions = 0, reported_on = null,
              erased_at = coalesce(erased_at, \(now))
            where account_id = \(account)
            """,
        ] + deleteSamples(of: account) + ["upload", "source", "pause"].map { delete($0, of: account) } + [
            "delete from device where account_id = \(account)",
            "delete from watch where account_id = \(account)",
            "delete from notice where account_id = \(account)",
        ]
    }

    /// Deletes what was collected of a person who stays, locked as above. Arrivals are numbered on, since readers go on from
    /// numbers; what devices have sent is still known by the numbers of their uploads, so that nothing of it comes again.
    static func eraseCollected(_ account: UUID) -> [SQL] {
        [
            CountingStore.awaitKeeping,
            """
            update person set types = 0, sample_bytes = 0, summary_bytes = 0, deletions = deletions + 1, reported_on = null,
              sealed_through = greatest(
                sealed_through, (select max(arrival) from arrival where person = number),
                (select max(arrival) from arrival_set_aside where person = number))
            where account_id = \(account)
            """,
        ] + deleteSamples(of: account)
    }

    private static func deleteSamples(of account: UUID) -> [SQL] {
        ["block", "arrival", "arrival_set_aside", "import_part", "day_value"].map { delete($0, of: account) } + [
            "delete from import_job where account_id = \(account)",
            "delete from deletion where account_id = \(account)",
            "delete from deleted_span where account_id = \(account)",
        ]
    }

    private static func delete(_ table: SQL, of account: UUID) -> SQL {
        "delete from \(sql: table) where person = (select number from person where account_id = \(account))"
    }

    /// `types` is a mask of the data types that the person lets the device provide (ACC-14).
    static func setDevice(
        _ device: UUID, of account: UUID, types: Int64, isRemoved: Bool, version: Int64, replaces: Bool
    ) -> [SQL] {
        [
            """
            update person set devices_version = \(Int32.random(in: .min ... .max))
            where account_id = any(array[\(account), (select account_id from device where device_id = \(device))])
            """,
            // Also what it has provided until now, as far as that is known.
            """
            update person set provided_types = provided_types | \(types) | coalesce(
              (select types from device where device_id = \(device) and account_id = \(account)), 0)
            where account_id = \(account)
            """,
            set(device, of: account, types: types, isRemoved: isRemoved, version: version, replaces: replaces),
        ]
    }

    private static func set(
        _ device: UUID, of account: UUID, types: Int64, isRemoved: Bool, version: Int64, replaces: Bool
    ) -> SQL {
        """
        insert into device as d (device_id, account_id, types, is_removed, version, snapshot)
        select \(device), \(account), \(types), \(isRemoved), \(version), \(sql: DeviceSnapshot.last)
        where not exists (select from person where account_id = \(account) and erased_at is not null)
        on conflict (device_id) do update
        set account_id = excluded.account_id, types = excluded.types, is_removed = excluded.is_removed,
          version = excluded.version, snapshot = excluded.snapshot
        where \(replaces) or excluded.version > d.version
        """
    }
}
