import Domain
import Postgres
import Primitives

/// The statements on `arrival` and what storing needs of its neighbours (`Migrations/0001-start.sql`).
enum ArrivalStore {
    /// Makes other writers of these people wait until the end of the transaction.
    static func lock(_ accounts: [UUID]) -> SQL {
        // In the same order everywhere, so that two transactions cannot wait for each other.
        let keys = accounts.map { Int64(bitPattern: $0.high ^ $0.low) }.sorted()
        return "select count(pg_advisory_xact_lock(k)::text) from unnest(\(keys)) as k"
    }

    static func states(_ accounts: [UUID], at now: Timestamp) -> SQL {
        """
        select a.account_id, p.account_id is not null, p.erased_at is not null, coalesce(p.paused, '{}'),
          w.is_always, w.froms, w.tos
        from unnest(\(accounts)) as a (account_id) left join person p on p.account_id = a.account_id
        cross join lateral (
          select coalesce(bool_or(measured_from is null), false) as is_always,
            coalesce(array_agg(measured_from) filter (where measured_from is not null), '{}') as froms,
            coalesce(array_agg(measured_to) filter (where measured_from is not null), '{}') as tos
          from watch where account_id = a.account_id and is_watched and (until is null or until > \(now))) w
        """
    }

    static func decodeStates(_ rows: ResultSet) throws(PostgresError) -> [UUID: PersonState] {
        var states: [UUID: PersonState] = [:]
        for (account, isKnown, isErased, paused, isAlways, froms, tos) in try rows.decode(
            as: UUID.self, Bool.self, Bool.self, [String].self, Bool.self, [Timestamp].self, [Timestamp].self)
        {
            states[account] = PersonState(
                isKnown: isKnown, isErased: isErased, paused: groups(paused),
                watched: WatchedTimes(isAlways: isAlways, spans: Array(zip(froms, tos))))
        }
        return states
    }

    private static func groups(_ names: [String]) -> Set<DataType.Group> {
        Set(names.compactMap(DataType.Group.init(rawValue:)))
    }

    static func devices(_ devices: [UUID]) -> SQL {
        "select device_id, account_id, is_removed, types from device where device_id = any(\(devices))"
    }

    static func decodeDevices(_ rows: ResultSet) throws(PostgresError) -> [UUID: DeviceState] {
        var states: [UUID: DeviceState] = [:]
        for (device, owner, isRemoved, types) in try rows.decode(as: UUID.self, UUID.self, Bool.self, Int64?.self) {
            states[device] = DeviceState(owner: owner, isRemoved: isRemoved, types: types)
        }
        return states
    }

    static func addPeople(_ accounts: [UUID]) -> SQL {
        """
        insert into person (account_id) select unnest(\(accounts.sorted()))
        on conflict on constraint person_key do nothing
        """
    }

    /// Gives no row when it was stored before.
    static func insert(_ new: NewArrival, sealed: [UInt8], span: (earliest: Int64, latest: Int64)) -> SQL {
        let (device, upload, content): (UUID?, Int64?, [UInt8]?) =
            switch new.source {
            case .device(let device, let upload): (device, upload, nil)
            case .content(let content): (nil, nil, content)
            }
        return """
            insert into arrival (id, account_id, device_id, upload, content, received_at, sent_at, earliest, latest, types,
              sample_count, sealed, paused, withheld, is_by_device_clock)
            values (\(new.id), \(new.account), \(device), \(upload), \(content), \(new.receivedAt), \(new.sentAt),
              \(Timestamp(milliseconds: span.earliest)), \(Timestamp(milliseconds: span.latest)), \(new.batch.types),
              \(Int32(clamping: new.batch.count)), \(sealed), \(new.dropped.paused.map(\.rawValue).sorted()),
              \(new.dropped.withheld), \(new.isByDeviceClock))
            on conflict do nothing returning arrival
            """
    }

    /// An arrival that was stored before.
    static func earlier(_ source: NewArrival.Source, of account: UUID) -> SQL {
        let found: SQL =
            switch source {
            case .device(let device, let upload): "device_id = \(device) and upload = \(upload)"
            case .content(let content): "content = \(content)"
            }
        return """
            select sample_count, received_at, sent_at, is_by_device_clock, paused, withheld from arrival
            where account_id = \(account) and \(sql: found)
            """
    }

    static func decodeEarlier(_ rows: ResultSet) throws(PostgresError) -> EarlierArrival? {
        let row = try rows.decodeOne(
            as: Int32.self, Timestamp.self, Timestamp.self, Bool.self, [String].self, Int64.self)
        return row.map { samples, receivedAt, sentAt, isByDeviceClock, paused, withheld in
            EarlierArrival(
                samples: Int(samples), receivedAt: receivedAt, sentAt: sentAt, isByDeviceClock: isByDeviceClock,
                dropped: DroppedTypes(paused: groups(paused), withheld: withheld))
        }
    }

    /// The sets of data types that were stored together, with the span of each.
    static func spans(of account: UUID) -> SQL {
        """
        select types, min(earliest), max(latest) from arrival where account_id = \(account) group by types
        """
    }

    static func isKnown(_ account: UUID) -> SQL {
        "select exists (select from person where account_id = \(account) and erased_at is null)"
    }
}
