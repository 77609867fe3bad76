import Contracts
import Domain
import Postgres
import Primitives
import Reactor
import Service

/// Events on their way to a third party in one answer, stream, call or mail. Of each request whose data is in it there is one row in
/// the person's access log (REQ-11).
struct EventDelivery: Sendable {
    enum Way: String, Sendable {
        case page, download, stream, webhook, mail
        /// What has left before is fetched again.
        case result
    }

    let way: Way
    let requester: UUID
    let began: Timestamp
    /// Whether the data itself is handed over, not only that there is some.
    let carriesData: Bool
    /// Throws when the requester's token is no longer good.
    let authorize: @Sendable () async throws -> Void
    /// The rows of the access log, by request.
    fileprivate var accesses: [UUID: UUID] = [:]

    init(
        _ way: Way, to requester: UUID, at now: Timestamp, carriesData: Bool = true,
        authorize: @escaping @Sendable () async throws -> Void
    ) {
        self.carriesData = carriesData
        self.way = way
        self.requester = requester
        self.authorize = authorize
        began = now
    }
}

/// Permits that events leave (REQ-05, REQ-10): data only while the consent holds, and once it is paid (PAY-01).
struct EventPermits: Sendable {
    let database: Database
    let audit: AuditTrail
    let clock: any WallClock
    /// `nil` where nothing costs anything.
    var pricing: Pricing?

    /// The events of a page that may leave until the deadline: those without data, and of data those whose consent holds now. Writes
    /// them into the access logs of the people concerned and, at the beginning of a delivery, into the audit trail. What is
    /// written must be written before the deadline. Errors: those of a token that was revoked or has expired.
    func permit(
        _ events: [Event], on delivery: inout EventDelivery
    ) async throws -> (events: [Event], until: Deadline) {
        try await delivery.authorize()
        let lease = Deadline.after(Lease.time)
        let open = try await note(Self.parts(of: events, withCounts: delivery.carriesData), on: &delivery)
        return (events.filter { !$0.kind.isData || open.contains($0.request) }, lease)
    }

    /// Permits what was permitted for another while. Errors: `ConsentOver` when a consent is over, and as above.
    func renew(_ events: [Event], on delivery: EventDelivery) async throws -> Deadline {
        try await delivery.authorize()
        let lease = Deadline.after(Lease.time)
        var delivery = delivery
        let parts = Self.parts(of: events, withCounts: false)
        guard try await note(parts, on: &delivery).count == parts.count else { throw ConsentOver() }
        return lease
    }

    struct ConsentOver: Error {}

    private struct Part {
        let request: UUID
        var counts: [DataType: Int] = [:]
        var measured: ClosedRange<Timestamp>?

        var types: [DataType] { counts.keys.sorted { $0.rawValue < $1.rawValue } }
    }

    private static func parts(of events: [Event], withCounts: Bool) -> [Part] {
        var parts: [UUID: Part] = [:]
        for event in events {
            guard let data = event.data else { continue }
            var part = parts[event.request] ?? Part(request: event.request)
            defer { parts[event.request] = part }
            guard withCounts else { continue }
            part.counts.merge(data.counts, uniquingKeysWith: +)
            let known = part.measured ?? data.measured
            part.measured =
                min(known.lowerBound, data.measured.lowerBound)...max(known.upperBound, data.measured.upperBound)
        }
        return Array(parts.values)
    }

    /// The requests whose consent holds and whose invoice, if there is one, is paid. What has left before was.
    private func note(_ parts: [Part], on delivery: inout EventDelivery) async throws -> Set<UUID> {
        guard !parts.isEmpty else { return [] }
        let now = clock.now()
        for part in parts where delivery.accesses[part.request] == nil {
            delivery.accesses[part.request] = .timeOrdered(at: now)
        }
        let accesses = delivery.accesses
        let noted = audit.noting(
            "query.\(delivery.way.rawValue)", by: AuditActor.thirdParty, each: "begun",
            purpose: "format('request %s, access %s', request_id, access_id)", of: "audit_pseudonym(individual_id)",
            onBehalfOf: "audit_pseudonym(\(delivery.requester))")
        let rows = try await database.query(
            """
            with offered as (
              select * from unnest(\(parts.map(\.request)), \(parts.map { accesses[$0.request] ?? $0.request }),
                \(parts.map { EventLog.text($0.types.numbers) }),
                \(parts.map { part in EventLog.text(part.types.map { part.counts[$0] ?? 0 }) }),
                \(parts.map { $0.measured?.lowerBound ?? now }), \(parts.map { $0.measured?.upperBound ?? now })) o
                (request_id, access_id, types, counts, measured_from, measured_to)),
            consent as materialized (
              select id, individual_id from request
              where id = any (\(parts.map(\.request))) and requester_id = \(delivery.requester)
                and (\(delivery.way == .result) 
                  or state = 'accepted' and access_until > \(now) and \(sql: .isPaid(pricing)))
              order by id for share),
            permitted as (
              select o.request_id, o.access_id, c.individual_id, o.types::smallint[], o.counts::bigint[],
                case when o.types <> '{}' then o.measured_from end as measured_from,
                case when o.types <> '{}' then o.measured_to end as measured_to
              from offered o join consent c on c.id = o.request_id),
            begun as (select * from permitted p where not exists (select from access where access.id = p.access_id)),
            noted as (\(sql: noted))
            insert into access (id, request_id, individual_id, requester_id, way, types, counts, measured_from, measured_to,
              began_at, last_at, permitted_at)
            select access_id, request_id, individual_id, \(delivery.requester), \(delivery.way.rawValue), types, counts,
              measured_from, measured_to, \(delivery.began), \(now), clock_timestamp()
            from permitted order by access_id
            on conflict (id) do update set last_at = excluded.last_at, permitted_at = excluded.permitted_at,
              measured_from = least(access.measured_from, excluded.measured_from),
              measured_to = greatest(access.measured_to, excluded.measured_to),
              (types, counts) = (
                select coalesce(array_agg(type order by type), '{}'), coalesce(array_agg(count order by type), '{}')
                from (select type, sum(count)::bigint as count
                      from unnest(access.types || excluded.types, access.counts || excluded.counts) u (type, count)
                      group by type) u)
            returning request_id
            """, as: UUID.self)
        return Set(rows)
    }
}
