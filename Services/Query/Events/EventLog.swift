import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// The table of events. Data is sealed to its event with the key of the person whom it is about (NFR-05).
struct EventLog: Sendable {
    let keys: SubjectKeys

    /// Data of a request that becomes an event, if the reading still stands where it did.
    struct Draft: Sendable {
        let request: UUID
        let individual: UUID
        let kind: Event.Kind
        let data: Event.Content
        /// Where the reading stood before it, and where it stands then.
        let expected: ReadingPlace
        let place: ReadingPlace
    }

    /// The event that a draft has become.
    struct Added: Sendable {
        let requester: UUID
        let request: UUID
        let number: Int64
    }

    // MARK: Outcomes

    /// Adds the outcome that a request has come to, in the transaction that brings it there. With an acceptance the reading of
    /// its data begins; with an end it is over, and data that has not left goes soon (`deleteLeftovers`).
    func add(outcomeOf request: ConsentRequest, in transaction: Transaction) async throws {
        guard request.runID == nil, let kind = Event.Kind(request.state), let at = request.closedAt ?? request.decidedAt
        else { return }
        switch request.state {
        case .accepted:
            try await transaction.execute(
                """
                insert into reading (request_id, requester_id, position)
                values (\(request.id), \(request.requesterID), \(Ingestion.ReadCursor.beginning.bytes))
                """)
            try await EventPacker.begin(request.id, at: at, in: transaction)
        case .withdrawn, .ended:
            try await transaction.execute("delete from reading where request_id = \(request.id)")
        case .pending, .refused, .lapsed: break
        }
        try await add(
            kind, of: request.id, to: request.requesterID,
            types: request.state == .accepted ? request.acceptedTypes ?? [] : [], at: at, in: transaction)
    }

    /// Adds an event without data.
    func add(
        _ kind: Event.Kind, of request: UUID, to requester: UUID, types: [DataType], at time: Timestamp,
        in transaction: Transaction
    ) async throws(PostgresError) {
        try await transaction.execute(
            """
            with counted as (
              insert into recipient as p (requester_id, last_number) values (\(requester), 1)
              on conflict (requester_id) do update set last_number = p.last_number + 1 returning last_number)
            insert into event (requester_id, number, id, request_id, kind, types, counts, created_at)
            select \(requester), last_number, \(UUID.timeOrdered(at: time)), \(request), \(kind.rawValue), \(types.numbers), '{}', \(time)
            from counted
            """)
    }

    /// Notes that events have left.
    func left(_ events: some Collection<Place>, in session: some SQLSession) async throws(PostgresError) {
        let places = events.sorted { ($0.requester, $0.number) < ($1.requester, $1.number) }
        try await session.execute(
            """
            with held as materialized (
              select e.requester_id, e.number
              from unnest(\(places.map(\.requester)), \(places.map(\.number))) l (requester_id, number)
                join event e on e.requester_id = l.requester_id and e.number = l.number and not e.has_left
              order by e.requester_id, e.number for update of e)
            update event e set has_left = true from held h
            where e.requester_id = h.requester_id and e.number = h.number
            """)
    }

    /// Deletes data of requests that are over which has not left: some seconds later, so that what was on its way is known.
    /// At most `countMax` events; their number.
    func deleteLeftovers(
        closedFrom: Timestamp, to: Timestamp, countMax: Int, in session: some SQLSession
    ) async throws(PostgresError) -> Int {
        try await session.execute(
            """
            delete from event where (requester_id, number) in (
              select e.requester_id, e.number from request r join event e on e.request_id = r.id
              where r.closed_at >= \(closedFrom) and r.closed_at < \(to) and r.state in ('withdrawn', 'ended')
                and e.content is not null and not e.has_left
              order by e.requester_id, e.number limit \(Int64(countMax)) for update of e)
            """)
    }

    /// Where an event stands.
    struct Place: Hashable, Sendable {
        let requester: UUID
        let number: Int64
    }

    // MARK: Data

    /// Adds what turns have found, as below.
    func add(
        _ turns: [ReadingTurn], at now: Timestamp, in session: some SQLSession
    ) async throws -> (added: [Added], keyless: Set<UUID>) {
        try await add(turns.compactMap(\.draft), at: now, in: session)
    }

    /// Adds drafts of any number of third parties, in one statement: of requests whose consent holds, and whose reading nobody has
    /// moved meanwhile. The others have no effect, and are missing in the answer. Of people whose key cannot be had nothing is
    /// added: they are `keyless`. The commit is not waited for: before anything of it leaves, that of the permit is, which takes
    /// it along; and what a crash takes is read again.
    func add(
        _ offered: [Draft], at now: Timestamp, in session: some SQLSession
    ) async throws -> (added: [Added], keyless: Set<UUID>) {
        guard !offered.isEmpty else { return ([], []) }
        // As their ids say it.
        let now = Timestamp(milliseconds: now.milliseconds)
        let held = try await keys.keySet(of: Set(offered.map(\.individual)))
        let sealed = offered.compactMap { draft -> Sealed? in
            let id = UUID.timeOrdered(at: now)
            guard let key = try? held.key(of: draft.individual) else { return nil }
            return Sealed(id: id, draft: draft, content: key.seal(draft.data.series.bytes, at: Self.location(id)))
        }
        let (ids, drafts, contents) = (sealed.map(\.id), sealed.map(\.draft), sealed.map(\.content))
        let keyless = Set(offered.map(\.individual)).subtracting(drafts.map(\.individual))
        guard !drafts.isEmpty else { return ([], keyless) }
        let rows = try await session.query(
            """
            with offered as (
              select * from unnest(\(drafts.map(\.request)), \(ids), \(drafts.map(\.expected.position.bytes)), \(drafts.map { try $0.expected.text }),
                \(drafts.map(\.place.position.bytes)), \(drafts.map { try $0.place.text }), \(drafts.map(\.kind.rawValue)), \(drafts.map { Self.text($0.data.types.numbers) }),
                \(drafts.map { draft in Self.text(draft.data.types.map { draft.data.counts[$0] ?? 0 }) }),
                \(drafts.map(\.data.measured.lowerBound)), \(drafts.map(\.data.measured.upperBound)), \(contents)) with ordinality
                o (request_id, id, expected, expected_touched, position, touched, kind, types, counts, measured_from, measured_to, content, place)),
            consent as materialized (
              select id, requester_id from request
              where id = any (\(drafts.map(\.request))) and state = 'accepted' and access_until > \(now)
              order by id for share),
            held as materialized (
              select request_id from reading where request_id in (select id from consent) order by request_id for update),
            moved as (
              update reading g set position = o.position, touched = nullif(o.touched, '')
              from offered o join held h on h.request_id = o.request_id
              where g.request_id = o.request_id and g.position = o.expected
                and coalesce(g.touched, '') = o.expected_touched
              returning g.request_id),
            fresh as (
              select o.*, c.requester_id, row_number() over (partition by c.requester_id order by o.place) as step
              from offered o join moved m on m.request_id = o.request_id join consent c on c.id = o.request_id),
            locked as materialized (
              select requester_id from recipient where requester_id in (select requester_id from fresh)
              order by requester_id for update),
            counted as (
              update recipient p set last_number = p.last_number + n.count
              from (select l.requester_id, count(*) from fresh f join locked l on l.requester_id = f.requester_id group by 1) n
              where p.requester_id = n.requester_id returning p.requester_id, p.last_number - n.count as before)
            insert into event (requester_id, number, id, request_id, kind, types, counts, measured_from, measured_to, content, created_at)
            select f.requester_id, c.before + f.step, f.id, f.request_id, f.kind, f.types::smallint[], f.counts::integer[],
              f.measured_from, f.measured_to, f.content, \(now)
            from fresh f join counted c on c.requester_id = f.requester_id
              cross join (\(sql: .commitWithoutWaiting)) as without_waiting
            returning requester_id, request_id, number
            """, as: UUID.self, UUID.self, Int64.self)
        return (rows.map { Added(requester: $0.0, request: $0.1, number: $0.2) }, keyless)
    }

    /// An array as PostgreSQL writes it: arrays of arrays all have one length there.
    static func text(_ numbers: [some FixedWidthInteger]) -> String {
        "{\(numbers.map { String($0) }.joined(separator: ","))}"
    }

    private struct Sealed {
        let id: UUID
        let draft: Draft
        let content: [UInt8]
    }

    // MARK: Last numbers

    /// The number of a third party's last event; 0 when there is none.
    func lastNumber(of requester: UUID, in session: some SQLSession) async throws(PostgresError) -> Int64 {
        try await session.queryOne(
            "select last_number from recipient where requester_id = \(requester)", as: Int64.self) ?? 0
    }

    struct Progress: Sendable {
        let requester: UUID
        let lastNumber: Int64
        /// Whether there are outcomes among the events after the number that was known: other readings, then.
        let hasOutcomes: Bool
        /// Those that they are of.
        let requests: [UUID]
    }

    /// Of third parties whose last number is no longer the known one.
    func progress(
        since known: [UUID: Int64], in session: some SQLSession
    ) async throws(PostgresError) -> [Progress] {
        guard !known.isEmpty else { return [] }
        let (requesters, numbers) = (Array(known.keys), Array(known.values))
        return try await session.query(
            """
            select p.requester_id, p.last_number, coalesce(e.has_outcomes, false), coalesce(e.requests, '{}')
            from unnest(\(requesters), \(numbers)) k (requester_id, number)
              join recipient p on p.requester_id = k.requester_id and p.last_number > k.number
              left join lateral (
                select bool_or(content is null) as has_outcomes, array_agg(distinct request_id) as requests
                from event where requester_id = k.requester_id and number > k.number) e on true
            """, as: UUID.self, Int64.self, Bool.self, [UUID].self
        ).map { Progress(requester: $0.0, lastNumber: $0.1, hasOutcomes: $0.2, requests: $0.3) }
    }

    /// The numbers of third parties' last events; 0 when there is none.
    func lastNumbers(
        of requesters: [UUID], in session: some SQLSession
    ) async throws(PostgresError) -> [UUID: Int64] {
        guard !requesters.isEmpty else { return [:] }
        let rows = try await session.query(
            """
            select r, coalesce((select last_number from recipient where requester_id = r), 0) from unnest(\(requesters)) r
            """, as: UUID.self, Int64.self)
        return Dictionary(rows, uniquingKeysWith: max)
    }

    static func location(_ id: UUID) -> FieldLocation { FieldLocation("query.event.content", row: id) }
}
