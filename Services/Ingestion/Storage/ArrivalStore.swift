import Domain
import Postgres
import Primitives

/// The statements that store arrivals, and what storing needs to know first (`Migrations/0001-start.sql`).
///
/// Look-ups of single rows are each a subquery with a limit, so that every one of them is a walk down one index, whatever
/// the planner knows of the tables.
enum ArrivalStore {
    /// Before anything that was ever stored.
    static let beginning = Timestamp(microseconds: -62_135_596_800_000_000)

    /// Makes other writers of these people's arrivals wait until the end of the transaction.
    static func lock(_ accounts: [UUID]) -> SQL {
        // In the same order everywhere, so that two transactions do not deadlock.
        let keys = accounts.map { Int64(bitPattern: $0.high ^ $0.low) }.sorted()
        return "select count(pg_advisory_xact_lock(k)::text) from unnest(\(keys)) as k"
    }

    /// What is looked up of one arrival.
    struct Wanted {
        let account: UUID
        /// Of its source (`source.identity`); `nil` for manual entry.
        let identity: UUID?
        /// The number of a device's upload, or …
        let upload: Int64?
        /// … the content of an entry or a piece of an import.
        let content: UUID?
        /// What is remembered of its device.
        var known: KnownDevices.Device?
    }

    /// For each, in their order, what is known of the person (`PersonState`), of the source (`SourceState`) and of what
    /// was stored before (`Known`), and the database's time. The last arrival is looked for among those stored at `since`
    /// or later; the device and its source only when what is remembered of them does not hold any more.
    static func lookUp(_ wanted: [Wanted], since: Timestamp, watchedAt now: Timestamp) -> SQL {
        """
        select p.number, p.erased_at is not null as is_erased, nullif(p.paused, '{}') as paused, p.pauses_ended_at, p.types,
          p.sealed_through, p.devices_version, p.is_known, l.arrival as last_arrival, l.stored_at as last_stored_at, w.watchers,
          w.watched_types, w.froms, w.tos, w.tells,
          d.account_id as owner, d.is_removed, d.types as device_types, s.number as source,
          case when s.number is null and i.identity is not null
            then (select max(number) from source where person = p.number) end as last_source,
          u.received_at, u.content, u.samples, u.answer, u.first,
          m.received_at as part_received_at, m.answer as part_answer, clock_timestamp() as now
        from unnest(\(wanted.map(\.account)), \(wanted.map(\.identity)), \(wanted.map(\.upload)),
          \(wanted.map(\.content)), \(wanted.map(\.known?.version)), \(wanted.map(\.known?.number)))
          with ordinality as i (account_id, identity, upload, content, version, source, n)
        left join lateral (
          select *, devices_version is not distinct from i.version as is_known
          from person where account_id = i.account_id limit 1) p on true
        left join lateral (
          select arrival, stored_at from arrival where person = p.number and stored_at >= \(since)
          order by arrival desc limit 1) l on true
        left join lateral (
          select \(sql: WatchStore.columns) from watch
          where account_id = i.account_id and is_watched and (until is null or until > \(now))) w on true
        left join lateral (
          select * from device
          where device_id = i.identity and i.upload is not null and p.is_known is not true limit 1) d on true
        cross join lateral (
          select case when p.is_known then i.source
            else (select number from source where person = p.number and identity = i.identity limit 1) end as number) s
        left join lateral (
          select * from upload where person = p.number and source = s.number and upload >= i.upload
          order by upload limit 1) u on u.upload = i.upload or u.first <= i.upload
        left join lateral (
          select * from import_part
          where i.content is not null and person = p.number and content = i.content limit 1) m on true
        order by i.n
        """
    }

    /// The last arrivals of people, in all partitions.
    static func lastArrivals(of accounts: [UUID]) -> SQL {
        """
        select a.account_id, l.arrival, l.stored_at
        from unnest(\(accounts)) as a (account_id)
        join lateral (select number from person where account_id = a.account_id limit 1) p on true
        join lateral (
          select arrival, stored_at from arrival where person = p.number order by arrival desc limit 1) l on true
        """
    }

    /// Whether anybody gets the person's samples. Who is only told of arrivals changes nothing for a device.
    static func isWatched(_ account: UUID, at now: Timestamp) -> SQL {
        """
        select exists (
          select from watch
          where account_id = \(account) and is_watched and tells = 'samples' and (until is null or until > \(now)))
        """
    }

    /// Whether an upload of a device is in the ledger with its content.
    static func isStored(upload: Int64, of device: UUID, _ account: UUID) -> SQL {
        """
        select exists (
          select from upload where upload = \(upload) and first is null
            and person = (select number from person where account_id = \(account))
            and source = (
              select number from source
              where person = (select number from person where account_id = \(account)) and identity = \(device)))
        """
    }

    /// Adds people who are not known yet, and returns their numbers. They must be locked. Those who are there already
    /// use up no number. Nobody is added whom the directory has elsewhere: it has grown since this process was started.
    static func addPeople(_ accounts: [UUID]) -> SQL {
        """
        insert into person (account_id)
        select a from unnest(\(accounts.sorted())) as a where not exists (select from person where account_id = a)
          and not exists (select from directory where account_id = a and shard <> 0)
        on conflict (account_id) do nothing
        returning account_id, number
        """
    }

    /// Adds data types (a mask for each account) to those that are collected of people.
    static func addTypes(_ types: [UUID: Int64]) -> SQL {
        """
        update person p set types = p.types | t.types
        from unnest(\(Array(types.keys)), \(Array(types.values))) as t (account_id, types)
        where p.account_id = t.account_id
        """
    }

    /// A mask of the data types that are collected of a person.
    static func types(of account: UUID) -> SQL { "select types from person where account_id = \(account)" }

    static func isKnown(_ account: UUID) -> SQL {
        "select exists (select from person where account_id = \(account) and erased_at is null)"
    }
}
