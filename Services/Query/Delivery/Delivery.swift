import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Reactor
import Service

/// One answer, download or stream of a person's data to a third party: one row of the person's access log (REQ-11).
struct Delivery: Sendable {
    enum Way: String, Sendable {
        case page, download, stream
    }

    let id: UUID
    let way: Way
    let began: Timestamp
    let requester: UUID
    /// Throws when the requester's token is no longer good.
    let authorize: @Sendable () async throws -> Void

    /// What the audit trails call it, here and in ingestion.
    func purpose(of request: ConsentRequest) -> String { "request \(request.id), access \(id)" }

    init(
        _ way: Way, to requester: UUID, at now: Timestamp, authorize: @escaping @Sendable () async throws -> Void
    ) {
        id = .timeOrdered(at: now)
        self.way = way
        self.requester = requester
        self.authorize = authorize
        began = now
    }
}

/// Delivers a person's data (REQ-08, SUB-01): reads from ingestion, then checks the consent before each write.
struct Deliveries: Sendable {
    let database: Database
    let store: RequestStore
    let audit: AuditTrail
    let watch: ConsentWatch
    let ingestion: any RPCCaller
    let clock: any WallClock

    /// The request, if its data may be delivered now. Errors: 404 when it is not this requester's; 403 with
    /// `consent-pending`, `-refused`, `-lapsed`, `-withdrawn` or `-ended`.
    func open(_ id: UUID, for requester: UUID) async throws -> ConsentRequest {
        guard let request = try await store.find(id, in: database), request.requesterID == requester,
            request.runID == nil
        else { throw Problem.notFound }
        guard request.state == .accepted, let until = request.accessUntil, until > clock.now() else {
            throw Self.closed(request.state == .accepted ? .ended : request.state)
        }
        return request
    }

    /// Checks token and consent now and writes the delivery into the access log and, once, into the audit trail: call after
    /// fetching and before each write. The returned deadline ends the permission: what is written must be written before it (`write`). Errors:
    /// as `open`, and those of a token that was revoked or has expired.
    func permit(
        _ delivery: Delivery, of series: [SampleSeries], request: ConsentRequest
    ) async throws -> Deadline {
        try await delivery.authorize()
        let lease = Deadline.after(Lease.time)
        let now = clock.now()
        let types = Set(series.map(\.type)).sorted { $0.rawValue < $1.rawValue }
        let samples = Int64(series.reduce(0) { $0 + $1.count })
        let count = try await database.execute(
            """
            with consent as (
              select id, individual_id, requester_id from request
              where id = \(request.id) and requester_id = \(request.requesterID) and state = 'accepted'
                and access_until > \(now) and \(types.numbers) <@ accepted_types
              for share),
            noted as (\(sql: noting(delivery, of: request)))
            insert into access (id, request_id, individual_id, requester_id, way, types, samples, began_at, last_at,
              permitted_at)
            select \(delivery.id), id, individual_id, requester_id, \(delivery.way.rawValue), \(types.numbers), \(samples),
              \(delivery.began), \(now), clock_timestamp()
            from consent
            on conflict (id) do update set last_at = excluded.last_at,
              permitted_at = excluded.permitted_at, samples = access.samples + excluded.samples,
              types = array(select distinct unnest(access.types || excluded.types) order by 1)
            """)
        guard count == 1 else {
            _ = try await open(request.id, for: request.requesterID)
            throw Self.closed(.withdrawn)
        }
        return lease
    }

    /// Writes the entry in the statement that finds `consent`, when the delivery begins.
    private func noting(_ delivery: Delivery, of request: ConsentRequest) -> SQL {
        audit.noting(
            "query.\(delivery.way.rawValue)", by: AuditActor.thirdParty, purpose: delivery.purpose(of: request),
            of: "audit_pseudonym((select individual_id from consent))",
            onBehalfOf: "audit_pseudonym((select requester_id from consent))",
            when: "exists (select from consent) and not exists (select from access where id = \(delivery.id))")
    }

    /// Writes what was permitted. The permission is renewed while a slow client reads; a withdrawal or a revoked token
    /// breaks the connection off. What the operating system has taken over counts as delivered.
    func write(
        _ bytes: [UInt8], to writer: HTTPBodyWriter, of delivery: Delivery, request: ConsentRequest,
        until lease: Deadline,
        watching signal: EventCounter, seen: UInt64
    ) async throws {
        // Used by the one task that writes, on the connection's loop; the caller waits for that task.
        nonisolated(unsafe) let writer = writer
        try await Lease.hold(until: lease, watching: signal, seen: seen) {
            try await permit(delivery, of: [], request: request)
        } _: {
            try await writer.write(bytes)
            try await writer.flush()
        }
    }

    /// The next samples for a delivery, measured within `span` or else within the whole period. With `wait`, an empty answer waits for more,
    /// until then or until the request's state changes.
    func read(
        _ request: ConsentRequest, for delivery: Delivery, in span: Range<Timestamp>? = nil,
        after: Ingestion.ReadCursor, limit: Int, wait: Duration,
        watching signal: EventCounter, seen: UInt64
    ) async throws -> Ingestion.Read.Result {
        let params = Ingestion.Read.Params(
            accountID: request.individualID, types: request.acceptedTypes ?? [], from: span?.lowerBound ?? request.from,
            to: span?.upperBound ?? request.to, after: after, limit: limit,
            waitMilliseconds: Int(wait / .milliseconds(1)), purpose: delivery.purpose(of: request),
            onBehalfOf: request.requesterID)
        let nothing = Ingestion.Read.Result(series: [], next: after, hasMore: false)
        guard wait > .zero else { return try await fetch(params, nothing) }
        return try await withThrowingTaskGroup(of: Ingestion.Read.Result?.self) { group in
            group.addTask { try await fetch(params, nothing) }
            group.addTask {
                _ = await signal.wait(after: seen)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next().flatMap { $0 } ?? nothing
        }
    }

    /// The samples of a person whose data is deleted are none.
    private func fetch(
        _ params: Ingestion.Read.Params, _ nothing: Ingestion.Read.Result
    ) async throws(RPCError) -> Ingestion.Read.Result {
        do throws(RPCError) {
            var result = try await ingestion.call(
                Ingestion.Read.self, params, deadline: .after(.milliseconds(params.waitMilliseconds) + .seconds(10)))
            result.series.removeAll { $0.count == 0 || !params.types.contains($0.type) }
            result.series = result.series.map(\.tellingContact)
            return result
        } catch {
            guard error.code == .notFound else { throw error }
            return nothing
        }
    }

    private static func closed(_ state: ConsentRequest.State) -> Problem {
        Problem(.forbidden, code: "consent-\(state.rawValue)", detail: "the request is \(state.rawValue)")
    }
}

extension ConsentRequest {
    /// The part of the period from `from` to before `to`. Errors: 422 when nothing of it is left.
    func span(from: Timestamp?, to: Timestamp?) throws(Problem) -> Range<Timestamp> {
        let (first, end) = (max(from ?? self.from, self.from), min(to ?? self.to, self.to))
        guard first < end else {
            throw Problem(
                parameter: from.map { $0 >= self.to } == true ? "from" : "to",
                "the request's period is from \(self.from) to \(self.to)")
        }
        return first..<end
    }
}
