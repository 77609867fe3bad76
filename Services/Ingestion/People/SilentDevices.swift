import Contracts
import Domain
import Postgres
import Primitives
import Service

/// Tells the owner of a device that has sent nothing for a day, once until it sends again (ING-12).
struct SilentDevices: Sendable {
    static let silence = Duration.seconds(86_400)
    /// A device that was put away longer ago is not told of: its owner knows.
    static let silenceMax = Duration.seconds(7 * 86_400)
    static let pageMax = 1000
    /// After a start nobody is told for so long: where this service was away, devices have yet to send what they kept.
    static let settling = Duration.seconds(3600)

    /// When this service was started.
    let startedAt: Timestamp
    let database: Database
    let outbox: NoticeOutbox
    let clock: any WallClock

    private struct Device: PostgresRowDecodable {
        let account: UUID
        let person: Int32
        let source: Int16
        let device: UUID
        /// Not the person's any more, or collection is paused of all that it may provide and the person has of it.
        let isExcused: Bool
        let isTold: Bool
        let lastAt: Timestamp?

        init(row: PostgresRow) throws(PostgresError) {
            account = try row["account_id"]
            person = try row["person"]
            source = try row["number"]
            device = try row["identity"]
            isExcused = try row["is_excused"]
            isTold = try row["is_told"]
            lastAt = try row["last_at"]
        }
    }

    func run() async throws {
        let now = clock.now()
        let isSettled = now - startedAt >= Self.settling
        var last = (person: Int32.min, source: Int16.min)
        while true {
            let devices = try await database.query(
                Self.page(after: last.person, last.source), as: Device.self)
            guard let end = devices.last else { break }
            last = (end.person, end.source)
            if isSettled {
                let silent = devices.filter { isSilent($0, at: now) && !$0.isTold }
                try await tell(try await withoutRecent(silent), at: now)
            }
            let back = devices.filter { $0.isTold && !isSilent($0, at: now) }
            if !back.isEmpty {
                try await database.execute(Self.mark(back.map(\.person), back.map(\.source), toldAt: nil))
            }
            try Task.checkCancellation()
        }
        outbox.wake()
    }

    private func isSilent(_ device: Device, at now: Timestamp) -> Bool {
        guard let lastAt = device.lastAt, !device.isExcused else { return false }
        // One that was told of stays silent, however long it lasts.
        return now - lastAt >= Self.silence && (device.isTold || now - lastAt <= Self.silenceMax)
    }

    /// Without those whose last upload has not their greatest number, as after their clock or count was set back.
    private func withoutRecent(_ devices: [Device]) async throws -> [Device] {
        guard !devices.isEmpty else { return [] }
        let recent = try await database.query(
            Self.recent(devices.map(\.person), devices.map(\.source)), as: UUID.self)
        return devices.filter { !recent.contains($0.device) }
    }

    private func tell(_ devices: [Device], at now: Timestamp) async throws {
        guard !devices.isEmpty else { return }
        let notices = devices.map { device in
            Notice(
                to: device.account, template: "device-silent",
                values: [
                    Accounts.Notify.deviceValue: device.device.description,
                    "time": device.lastAt?.description ?? "",
                ])
        }
        try await database.transaction { transaction in
            try await transaction.execute(Self.mark(devices.map(\.person), devices.map(\.source), toldAt: now))
            try await outbox.add(notices, at: now, in: transaction)
        }
    }

    /// Devices that have sent something once, with their last upload.
    static func page(after person: Int32, _ source: Int16) -> SQL {
        let (positions, health) = (mask(of: .position), mask(of: .health))
        return """
            select p.account_id, s.person, s.number, s.identity, s.silence_told_at is not null as is_told,
              coalesce(d.is_removed, false) or cardinality(p.paused) > 0
                and coalesce(d.types, -1) & p.types
                  & (case when 'position' = any(p.paused) then 0::bigint else \(positions)::bigint end
                    | case when 'health' = any(p.paused) then 0::bigint else \(health)::bigint end) = 0 as is_excused,
              u.received_at as last_at
            from (
              select * from source where kind = 'device' and (person, number) > (\(person), \(source))
              order by person, number limit \(walk: pageMax)) s
            cross join lateral (select * from person where number = s.person limit 1) p
            left join lateral (select is_removed, types from device where device_id = s.identity limit 1) d on true
            left join lateral (
              select received_at from upload where person = s.person and source = s.number order by upload desc limit 1) u
              on true
            order by s.person, s.number
            """
    }

    private static func mask(of group: DataType.Group) -> Int64 {
        DataType.mask(DataType.allCases.filter { $0.group == group })
    }

    /// Those of some devices of which something was stored lately: arrivals are kept longer than a silence lasts.
    private static func recent(_ people: [Int32], _ sources: [Int16]) -> SQL {
        """
        select s.identity from unnest(\(people), \(sources)) as t (person, number)
        join source s on s.person = t.person and s.number = t.number
        where exists (
          select from arrival a where a.person = t.person and a.source = t.number
            and a.stored_at > clock_timestamp() - \(silence.milliseconds / 1000) * interval '1 second' offset 0)
        """
    }

    private static func mark(_ people: [Int32], _ sources: [Int16], toldAt: Timestamp?) -> SQL {
        """
        update source s set silence_told_at = \(toldAt) from unnest(\(people), \(sources)) as t (person, number)
        where s.person = t.person and s.number = t.number
        """
    }
}
