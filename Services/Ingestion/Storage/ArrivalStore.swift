import Domain
import Postgres
import Primitives

/// The statements on `arrival` and what storing needs of its neighbours (`Migrations/0001-start.sql`).
enum ArrivalStore {
    /// Makes other writers of these people's arrivals wait until the end of the transaction.
    static func lock(_ accounts: [UUID]) -> SQL {
        // In the same order everywhere, so that two transactions do not deadlock.
        let keys = accounts.map { Int64(bitPattern: $0.high ^ $0.low) }.sorted()
        return "select count(pg_advisory_xact_lock(k)::text) from unnest(\(keys)) as k"
    }

    static func states(_ accounts: [UUID], at now: Timestamp) -> SQL {
        """
        select a.account_id, p.account_id is not null as is_known, p.erased_at is not null as is_erased,
          coalesce(p.paused, '{}') as paused, coalesce(p.types, 0) as types, w.is_always, w.froms, w.tos
        from unnest(\(accounts)) as a (account_id) left join person p on p.account_id = a.account_id
        cross join lateral (
          select \(sql: WatchStore.times) from watch where account_id = a.account_id and is_watched and (until is null or until > \(now))) w
        """
    }

    static func decodeStates(_ rows: ResultSet) throws(PostgresError) -> [UUID: PersonState] {
        var states: [UUID: PersonState] = [:]
        for row in rows.rows {
            states[try row["account_id"]] = PersonState(
                isKnown: try row["is_known"], isErased: try row["is_erased"], paused: groups(try row["paused"]),
                types: try row["types"], watched: try WatchedTimes(row: row))
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
        insert into person (account_id) select unnest(\(accounts.sorted())) on conflict (account_id) do nothing
        """
    }

    /// Adds data types (a mask) to those that are collected of a person.
    static func addTypes(_ types: Int64, of account: UUID) -> SQL {
        "update person set types = types | \(types) where account_id = \(account)"
    }

    /// Stores an arrival, or finds the one with its number or content; `decodeInserted` tells which. It is found by the
    /// index that makes them unique: a look-up of its own would depend on what the planner knows of the table.
    static func insert(_ new: NewArrival, sealed: [UInt8]) -> SQL {
        let (device, upload): (UUID?, Int64?) =
            switch new.source {
            case .device(let device, let upload): (device, upload)
            case .person: (nil, nil)
            }
        let unique: SQL =
            device == nil
            ? "(account_id, content) where device_id is null"
            : "(account_id, device_id, upload) where device_id is not null"
        let span = new.batch.span
        return """
            insert into arrival as a (id, account_id, device_id, upload, content, received_at, sent_at, earliest, latest,
              types, sample_count, sealed, paused, withheld, is_by_device_clock)
            values (\(new.id), \(new.account), \(device), \(upload), \(new.content), \(new.receivedAt), \(new.sentAt),
              \(span.map { Timestamp(milliseconds: $0.earliest) }), \(span.map { Timestamp(milliseconds: $0.latest) }),
              \(new.batch.types), \(Int32(clamping: new.batch.count)), \(sealed),
              \(new.dropped.paused.map(\.rawValue).sorted()), \(new.dropped.withheld), \(new.isByDeviceClock))
            on conflict \(sql: unique) do update set repeats = a.repeats + 1
            returning repeats, content, sample_count, received_at, sent_at, is_by_device_clock, paused, withheld
            """
    }

    /// `nil` for a new arrival; otherwise the one with its number or content, and whether it is the same.
    static func decodeInserted(
        _ rows: ResultSet, content: [UInt8]
    ) throws(PostgresError) -> (earlier: EarlierArrival, isSame: Bool)? {
        guard let row = try rows.onlyRow(), try row.decode("repeats", as: Int32.self) > 0 else { return nil }
        let earlier = EarlierArrival(
            samples: Int(try row.decode("sample_count", as: Int32.self)), receivedAt: try row["received_at"],
            sentAt: try row["sent_at"], isByDeviceClock: try row["is_by_device_clock"],
            dropped: DroppedTypes(paused: groups(try row["paused"]), withheld: try row["withheld"]))
        return (earlier, try row.decode("content", as: [UInt8].self) == content)
    }

    /// A mask of the data types that are collected of a person.
    static func types(of account: UUID) -> SQL { "select types from person where account_id = \(account)" }

    static func isKnown(_ account: UUID) -> SQL {
        "select exists (select from person where account_id = \(account) and erased_at is null)"
    }
}
