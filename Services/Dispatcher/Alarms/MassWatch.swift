import Domain
import JSON
import Postgres
import Primitives
import Reactor
import Service
import Synchronization

/// Looks for many incidents in one area within a minute. All of them are handed over as ever; the operator is told of them as of one,
/// and of what goes wrong with them in the same alarm.
final class MassWatch: Sendable {
    /// Incidents of one minute that are looked at, the newest.
    static let incidentsMax = 5000
    /// After so many that are opened, others on the same loop come first.
    private static let together = 25
    /// Held by who writes a mass event.
    private static let lock: Int64 = 0x534F_5300

    private let incidents: IncidentStore
    private let times: AlarmTimes
    private let log: Log
    /// Positions of incidents of the last minute; `nil` of those without one.
    private let known = Mutex<[UUID: Coordinate?]>([:])

    init(incidents: IncidentStore, times: AlarmTimes, log: Log) {
        self.incidents = incidents
        self.times = times
        self.log = log
    }

    private var database: Database { incidents.database }

    /// One look; returns how many mass events there are among the incidents of the last minute.
    @discardableResult
    func look() async throws -> Int {
        let recent = try await database.query(
            """
            select i.id, m.incident is not null from incident i left join mass_event_incident m on m.incident = i.id
            where not i.is_exercise and i.opened_at > clock_timestamp() - make_interval(secs => \(times.massWindow.seconds))
            order by i.opened_at desc, i.id limit \(Int64(Self.incidentsMax))
            """, as: UUID.self, Bool.self)
        guard recent.count >= times.massMin, recent.contains(where: { !$0.1 }) else {
            known.withLock { $0 = [:] }
            return 0
        }
        let placed = try await places(of: recent.map(\.0).reversed())
        let groups = MassEvents.groups(placed, radius: times.massRadius, min: times.massMin)
        for group in groups { try await write(group) }
        return groups.count
    }

    private func places(of ids: [UUID]) async throws -> [(id: UUID, coordinate: Coordinate)] {
        let wanted = Set(ids)
        var places = known.withLock { known in
            known = known.filter { wanted.contains($0.key) }
            return known
        }
        let new = ids.filter { places[$0] == nil }
        for start in stride(from: 0, to: new.count, by: Self.together) {
            let some = Array(new[start..<min(start + Self.together, new.count)])
            for record in try await incidents.records("i.id = any(\(some))").records {
                places[record.id] = .some(record.details?.fixes.first?.coordinate)
            }
        }
        let found = places
        known.withLock { $0 = found }
        return ids.compactMap { id in (found[id] ?? nil).map { (id, $0) } }
    }

    /// Adds to the mass event that some of them belong to already, or makes one.
    private func write(_ group: MassEvents.Group) async throws {
        let (ids, times) = (group.incidents, times)
        let about = "within \(Int(times.massRadius / 1000)) km of \(Self.near(group.coordinate))"
        let kind = OperatorAlarm.Kind.massEvent.rawValue
        let count = try await database.transaction { transaction in
            try await transaction.execute("select pg_advisory_xact_lock(\(Self.lock))")
            let known = try await transaction.queryOne(
                """
                select a.id, a.occurrences from mass_event_incident m join operator_alarm a on a.id = m.alarm
                where m.incident = any(\(ids)) and a.over_at is null order by a.first_at limit 1
                """, as: UUID.self, Int64.self)
            let alarm = known?.0 ?? UUID.random()
            if known == nil {
                try await transaction.execute(
                    """
                    insert into operator_alarm (id, kind, subject, detail, occurrences, first_at, last_at, next_at)
                    values (\(alarm), \(kind), \(alarm.description), '', \(Int64(ids.count)), clock_timestamp(),
                      clock_timestamp(), clock_timestamp())
                    """)
            }
            try await transaction.execute(
                """
                insert into mass_event_incident (incident, alarm) select i.id, \(alarm) from unnest(\(ids)) as i (id)
                on conflict on constraint mass_event_incident_key do nothing
                """)
            let count =
                try await transaction.queryOne(
                    "select count(*) from mass_event_incident where alarm = \(alarm)", as: Int.self) ?? 0
            let isNews = known.map { MassEvents.isNews(count, told: Int($0.1)) } ?? false
            try await transaction.batch([
                """
                update operator_alarm set detail = \("\(count) incidents \(about)"), last_at = clock_timestamp(),
                  occurrences = case when \(isNews) then \(Int64(count)) else occurrences end,
                  next_at = case when \(isNews) then clock_timestamp() else next_at end,
                  acknowledged_at = case when \(isNews) then null else acknowledged_at end,
                  acknowledged_by = case when \(isNews) then null else acknowledged_by end
                where id = \(alarm)
                """,
                """
                update operator_alarm set member_of = \(alarm), next_at = null
                where incident = any(\(ids)) and over_at is null and member_of is null
                """,
            ])
            return known == nil || isNews ? count : nil
        }
        guard let count else { return }
        log.error("many emergencies in one area within a minute", ["incidents": .integer(Int64(count))])
    }

    /// To a tenth of a degree: of so many nobody is meant.
    private static func near(_ coordinate: Coordinate) -> String {
        let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
        return "\((latitude * 10).rounded() / 10) \((longitude * 10).rounded() / 10)"
    }
}
