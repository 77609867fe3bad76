import Domain
import Postgres
import Primitives
import Service

/// Notes what third parties receive in the access logs of the people concerned (REQ-11), if it may leave now. What is asked for at
/// the same time is noted by one statement: a thousand streams that have something to write cost as much as a few.
struct AccessNotes: Sendable {
    /// What one delivery hands over of one request's data.
    struct Note: Sendable {
        /// The row of the access log.
        let access: UUID
        let request: UUID
        let requester: UUID
        let way: EventDelivery.Way
        let began: Timestamp
        /// None when the delivery goes on with what was noted before, or says only that there is something.
        var counts: [DataType: Int]
        var measured: ClosedRange<Timestamp>?

        var types: [DataType] { counts.keys.sorted { $0.rawValue < $1.rawValue } }
    }

    /// Deliveries of one statement, and those that may wait: one for each stream, and more.
    private static let (togetherMax, waitingMax) = (64, 20_000)

    private let groups: GroupCommit<[Note], Set<UUID>>

    /// `isPaid` is a condition on the request.
    init(database: Database, audit: AuditTrail, clock: any WallClock, isPaid: SQL) {
        groups = GroupCommit(itemsMax: Self.togetherMax, waitingMax: Self.waitingMax) { deliveries in
            let noted = try await Self.add(deliveries.flatMap(\.self), isPaid, audit, at: clock.now(), in: database)
            return deliveries.map { notes in
                Set(notes.lazy.filter { noted.contains($0.access) }.map(\.request))
            }
        }
    }

    /// The notes of one delivery. Returns the requests of those that were made: the others' consent is over, or they are not paid.
    func add(_ notes: [Note]) async throws -> Set<UUID> { try await groups.submit(notes) }

    /// Returns the rows that were written.
    private static func add(
        _ offered: [Note], _ isPaid: SQL, _ audit: AuditTrail, at now: Timestamp, in database: Database
    ) async throws -> Set<UUID> {
        let notes = Array(Dictionary(offered.map { ($0.access, $0) }, uniquingKeysWith: joined).values)
        let noted = audit.noting(
            each: "begun", action: "'query.' || way", by: AuditActor.thirdParty,
            purpose: "format('request %s, access %s', request_id, access_id)", of: "audit_pseudonym(individual_id)",
            onBehalfOf: "audit_pseudonym(requester_id)")
        let rows = try await database.query(
            """
            with offered as (
              select * from unnest(\(notes.map(\.access)), \(notes.map(\.request)), \(notes.map(\.requester)),
                \(notes.map(\.way.rawValue)), \(notes.map(\.began)), \(notes.map { EventLog.text($0.types.numbers) }),
                \(notes.map { note in EventLog.text(note.types.map { note.counts[$0] ?? 0 }) }),
                \(notes.map { $0.measured?.lowerBound ?? now }), \(notes.map { $0.measured?.upperBound ?? now })) o
                (access_id, request_id, requester_id, way, began_at, types, counts, measured_from, measured_to)),
            consent as materialized (
              select id, individual_id, requester_id,
                state = 'accepted' and access_until > \(now) and \(sql: isPaid) as is_open
              from request where id = any (\(notes.map(\.request))) order by id for share),
            permitted as (
              select o.access_id, o.request_id, o.requester_id, o.way, o.began_at, c.individual_id, o.types::smallint[],
                o.counts::bigint[], case when o.types <> '{}' then o.measured_from end as measured_from,
                case when o.types <> '{}' then o.measured_to end as measured_to
              from offered o join consent c on c.id = o.request_id and c.requester_id = o.requester_id
              where c.is_open or o.way = \(EventDelivery.Way.result.rawValue)),
            begun as (select * from permitted p where not exists (select from access where access.id = p.access_id)),
            noted as (\(sql: noted))
            insert into access (id, request_id, individual_id, requester_id, way, types, counts, measured_from, measured_to,
              began_at, last_at, permitted_at)
            select access_id, request_id, individual_id, requester_id, way, types, counts, measured_from, measured_to, began_at,
              \(now), clock_timestamp()
            from permitted order by access_id
            on conflict (id) do update set last_at = excluded.last_at, permitted_at = excluded.permitted_at,
              measured_from = least(access.measured_from, excluded.measured_from),
              measured_to = greatest(access.measured_to, excluded.measured_to),
              (types, counts) = (
                select coalesce(array_agg(type order by type), '{}'), coalesce(array_agg(count order by type), '{}')
                from (select type, sum(count)::bigint as count
                      from unnest(access.types || excluded.types, access.counts || excluded.counts) u (type, count)
                      group by type) u)
            returning id
            """, as: UUID.self)
        return Set(rows)
    }

    /// Of one row, which a statement may write once.
    private static func joined(_ first: Note, _ second: Note) -> Note {
        var joined = first
        joined.counts.merge(second.counts, uniquingKeysWith: +)
        joined.measured =
            switch (first.measured, second.measured) {
            case (let one?, let other?): one.extended(by: other)
            case (let one, let other): one ?? other
            }
        return joined
    }
}

extension ClosedRange<Timestamp> {
    /// The span of both and what is between them.
    func extended(by other: ClosedRange<Timestamp>) -> ClosedRange<Timestamp> {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
