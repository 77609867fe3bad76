import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

extension EventLog {
    /// Which of a third party's events.
    enum Part: Sendable {
        /// All outcomes, and data of requests that are accepted.
        case all
        /// Data of one request while it is accepted.
        case data(of: UUID)
        /// Data of one request that has left, whatever has become of the request (REQ-10, REQ-12).
        case results(of: UUID)
        /// As `all`, of all requests to one individual, or of this request.
        case lane(UUID)

        /// Where they are, so that only one index fits.
        private func place(of requester: UUID) -> SQL {
            switch self {
            case .all: "requester_id = \(requester)"
            case .data(let request), .results(let request): "request_id = \(request)"
            case .lane(let id):
                """
                request_id = any (array(
                  select r.id from request r where r.requester_id = \(requester) and r.individual_id = \(id)) || \(id))
                """
            }
        }

        /// Of the table `event`.
        fileprivate func rows(of requester: UUID) -> SQL {
            switch self {
            case .all, .lane: place(of: requester)
            case .data: place(of: requester) + " and content is not null"
            case .results: place(of: requester) + " and content is not null and has_left"
            }
        }

        /// Of the table `event_pack`, where there is only data that has left.
        fileprivate func packs(of requester: UUID) -> SQL { place(of: requester) }

        fileprivate var isOpen: SQL {
            switch self {
            case .all, .data, .lane: "content is null or (state = 'accepted') is true"
            case .results: "true"
            }
        }
    }

    struct Page: Sendable {
        var events: [Event]
        /// The last number that was looked at.
        var last: Int64
        /// Whether something was stored behind it, when that is known.
        var hasMore: Bool?
        /// Whether it is known that nothing was behind it, in the log or on its way there.
        var isAll = false
    }

    /// A third party's events after a number, in order: at least one, and then as many as have about so many samples, at most
    /// `countMax`. Those that may not leave are left out, and so are those that cannot be read.
    func events(
        of requester: UUID, after number: Int64, _ part: Part = .all, measured span: Range<Timestamp>? = nil,
        samplesMax: Int, countMax: Int, reporting unreadable: UnreadableRows, in session: some SQLSession
    ) async throws -> Page {
        let isWithin: SQL =
            span.map { "and measured_to >= \($0.lowerBound) and measured_from < \($0.upperBound)" } ?? ""
        // Whoever follows has read beyond what is packed.
        let rows = try await session.rows(
            """
            select h.has_packs, e.number, id, request_id, individual_id, kind, types, counts, measured_from, measured_to, content,
              created_at, \(sql: part.isOpen) as is_open, null::integer[] as places, following
            from (select exists (
                select from event_pack where \(sql: part.packs(of: requester)) and number > \(number)) as has_packs) h
              left join (
                select *, lead(number) over (order by number) as following, row_number() over (order by number) as place,
                  coalesce(sum((select sum(n) from unnest(counts) n))
                    over (order by number rows between unbounded preceding and 1 preceding), 0) as before
                from (
                  select * from event where \(sql: part.rows(of: requester)) and number > \(number) \(sql: isWithin)
                  order by number limit \(countMax + 1)) s
                where requester_id = \(requester)) e
                on e.before < \(samplesMax) and e.place <= \(countMax)
              left join (select id as of_request, individual_id, state from request) r on of_request = request_id
            order by e.number
            """)
        guard let first = rows.first else { throw PostgresError.usage("events cannot be read") }
        if try first["has_packs"] {
            return try await packedEvents(
                of: requester, after: number, part, measured: span, isWithin, samplesMax: samplesMax,
                countMax: countMax,
                reporting: unreadable, in: session)
        }
        guard try first.decode("number", as: Int64?.self) != nil else {
            return Page(events: [], last: number, hasMore: false)
        }
        var page = try await page(rows, of: requester, after: number, measured: span, reporting: unreadable)
        page.hasMore = try rows.last?.decode("following", as: Int64?.self) != nil
        return page
    }

    /// The same where some of them are in packs.
    ///
    /// Packs of different requests go past each other. Taken by their last numbers, the first few have enough events between them
    /// (`ahead`); what comes before the last of these is in one of them, or in a pack that goes past it, and such a pack ends
    /// in the same window. By the numbers alone it is then known which packs have to be opened.
    private func packedEvents(
        of requester: UUID, after number: Int64, _ part: Part, measured span: Range<Timestamp>?, _ isWithin: SQL,
        samplesMax: Int, countMax: Int, reporting unreadable: UnreadableRows, in session: some SQLSession
    ) async throws -> Page {
        let rows = try await session.rows(
            """
            with single as materialized (
              select * from event where \(sql: part.rows(of: requester)) and number > \(number) \(sql: isWithin)
              order by number limit \(countMax)),
            ahead as materialized (
              select *, coalesce(sum(case when first_number > \(number) then cardinality(steps) else 1 end)
                over (order by number rows between unbounded preceding and 1 preceding), 0) as pieces
              from (
                select * from event_pack where \(sql: part.packs(of: requester)) and number > \(number) \(sql: isWithin)
                order by number limit \(countMax)) p),
            pack as materialized (
              select * from ahead where pieces < \(countMax)
              union all
              select p.*, 0 from (select max(number) as edge from ahead where pieces < \(countMax)) e cross join lateral (
                select * from event_pack
                where \(sql: part.packs(of: requester)) and number > edge and number <= edge | \(EventPack.windowMask)
                  and first_number <= edge \(sql: isWithin)) p),
            found as (
              select *, coalesce(sum(samples) over (order by number rows between unbounded preceding and 1 preceding), 0) as before
              from (
                select number, number as row, null::integer as place,
                  (select coalesce(sum(n), 0) from unnest(counts) n) as samples
                from single where requester_id = \(requester)
                union all
                select first_number + step, number, place::integer, ceil(samples::float8 / cardinality(steps))::bigint
                from pack cross join lateral unnest(steps) with ordinality s (step, place)
                where requester_id = \(requester) and first_number + step > \(number)
                order by 1 limit \(countMax)) f),
            chosen as (
              select row, place is null as is_single, array_agg(place order by place) as places
              from found where before < \(samplesMax) group by 1, 2)
            select e.number, id, request_id, individual_id, kind, types, counts, measured_from, measured_to, content,
              created_at, \(sql: part.isOpen) as is_open, null::bigint as first_number, null::integer[] as steps,
              null::uuid[] as ids, null::integer[] as places
            from chosen c join single e on e.number = c.row left join (select id as of_request, individual_id, state from request) r
              on of_request = request_id
            where is_single
            union all
            select e.number, null, request_id, individual_id, kind, '{}', '{}', measured_from, measured_to, content,
              created_at, \(sql: part.isOpen), first_number, steps, ids, places
            from chosen c join pack e on e.number = c.row left join (select id as of_request, individual_id, state from request) r
              on of_request = request_id
            where not is_single
            order by 1
            """)
        return try await page(rows, of: requester, after: number, measured: span, reporting: unreadable)
    }

    private func page(
        _ rows: PostgresRows, of requester: UUID, after number: Int64, measured span: Range<Timestamp>?,
        reporting unreadable: UnreadableRows
    ) async throws -> Page {
        var people: Set<UUID> = []
        for row in rows where try row.decode("content", as: [UInt8]?.self) != nil {
            if let individual: UUID = try row["individual_id"] { people.insert(individual) }
        }
        let held = try await keys.keySet(of: people)
        var page = Page(events: [], last: number)
        for row in rows {
            guard let wanted = try row.decode("places", as: [Int32]?.self) else {
                page.last = max(page.last, try row["number"])
                guard try row["is_open"] else { continue }
                if let event = unreadable.read("query.event", try row["id"], { try event(row, of: requester, held) }) {
                    page.events.append(event)
                }
                continue
            }
            let pack = try Pack(row, of: requester, wanted)
            page.last = max(page.last, pack.lastNumber)
            guard try row["is_open"] else { continue }
            let events = unreadable.read("query.event_pack", pack.id) { try pack.events(row, held, measured: span) }
            page.events += events ?? []
        }
        page.events.sort { $0.number < $1.number }
        return page
    }

    private func event(_ row: PostgresRow, of requester: UUID, _ held: SubjectKeySet) throws -> Event {
        let id: UUID = try row["id"]
        let types = try row.decode("types", as: [Int16].self).dataTypes
        return Event(
            requester: requester, number: try row["number"], id: id, request: try row["request_id"],
            kind: try Event.Kind(of: row), types: types, data: try content(row, of: id, types, held),
            createdAt: try row["created_at"])
    }

    private func content(
        _ row: PostgresRow, of id: UUID, _ types: [DataType], _ held: SubjectKeySet
    ) throws -> Event.Content? {
        guard let sealed: [UInt8] = try row["content"], let individual: UUID = try row["individual_id"] else {
            return nil
        }
        let series = JSONRaw(unchecked: try held.key(of: individual).open(sealed, at: Self.location(id)))
        return Event.Content(
            types, try row.decode("counts", as: [Int32].self), measured: try row["measured_from"]...row["measured_to"],
            series)
    }

    /// Those events of a pack that are wanted.
    private struct Pack {
        let requester: UUID
        let id: UUID
        let firstNumber: Int64
        let steps: [Int32]
        let ids: [UUID]
        /// Places in these, in order.
        let wanted: [Int]

        init(_ row: PostgresRow, of requester: UUID, _ places: [Int32]) throws {
            self.requester = requester
            firstNumber = try row["first_number"]
            (steps, ids) = (try row["steps"], try row["ids"])
            wanted = places.map { Int($0) - 1 }.filter(ids.indices.contains)
            guard let id = ids.first, steps.count == ids.count else { throw PostgresError.usage("a pack of no events") }
            self.id = id
        }

        var lastNumber: Int64 { wanted.last.map(number) ?? firstNumber }

        private func number(_ place: Int) -> Int64 { firstNumber + Int64(steps[place]) }

        func events(_ row: PostgresRow, _ held: SubjectKeySet, measured span: Range<Timestamp>?) throws -> [Event] {
            guard let individual: UUID = try row["individual_id"] else { return [] }
            let (request, kind): (UUID, Event.Kind) = (try row["request_id"], try Event.Kind(of: row))
            let pieces = try EventPack.open(try row["content"], ids: ids, with: try held.key(of: individual))
            return wanted.compactMap { place in
                let piece = pieces[place]
                if let span, piece.to < span.lowerBound || piece.from >= span.upperBound { return nil }
                let types = piece.types.dataTypes
                return Event(
                    requester: requester, number: number(place), id: ids[place], request: request, kind: kind,
                    types: types,
                    data: Event.Content(types, piece.counts, measured: piece.measured, piece.series),
                    createdAt: ids[place].madeAt)
            }
        }
    }

    // MARK: By id and by time

    /// The number of an event; `nil` when the third party has none that is called so. A pack is found by the time that the id begins
    /// with: none lasts longer than `EventPack.span`.
    static func number(
        of id: UUID, to requester: UUID, in session: some SQLSession
    ) async throws(PostgresError) -> Int64? {
        try await session.queryOne(
            """
            select number from event where requester_id = \(requester) and id = \(id)
            union all
            select first_number + step from event_pack cross join lateral unnest(steps, ids) s (step, piece)
            where requester_id = \(requester) and created_at >= \(id.madeAt)
              and created_at < \(id.madeAt + EventPack.span) and first_at <= \(id.madeAt) and piece = \(id)
            limit 1
            """, as: Int64.self)
    }

    /// An event by its id; `nil` when the third party has none that is called so, and when it may not leave or cannot be read.
    func event(
        _ id: UUID, of requester: UUID, reporting unreadable: UnreadableRows, in session: some SQLSession
    ) async throws -> Event? {
        guard let number = try await Self.number(of: id, to: requester, in: session) else { return nil }
        let page = try await events(
            of: requester, after: number - 1, samplesMax: 1, countMax: 1, reporting: unreadable, in: session)
        return page.events.first { $0.id == id }
    }

    /// The number of the first event that was made at a time or later. Of packs it is in one of those of the day after the first.
    static func firstNumber(
        since time: Timestamp, to requester: UUID, in session: some SQLSession
    ) async throws(PostgresError) -> Int64? {
        // Ids tell milliseconds.
        let earliest = UUID.earliest(at: time + .microseconds(999))
        let first = try await session.queryOne(
            """
            select least(
              (select min(number) from event where requester_id = \(requester) and created_at >= \(time)),
              (select min(case when first_at >= \(time) then first_number else (
                 select min(first_number + step) from unnest(steps, ids) s (step, piece) where piece >= \(earliest)) end)
               from (select min(created_at) as soonest from event_pack
                     where requester_id = \(requester) and created_at >= \(time)) m
                 cross join event_pack
               where requester_id = \(requester) and created_at >= \(time) and created_at < soonest + interval '24 hours'))
            """, as: Int64?.self)
        return first ?? nil
    }
}

extension Event.Kind {
    fileprivate init(of row: PostgresRow) throws {
        guard let kind = Event.Kind(rawValue: try row["kind"]) else {
            throw PostgresError.usage("an event is of a kind that this program does not know")
        }
        self = kind
    }
}

extension Event.Content {
    /// With the samples of each type.
    fileprivate init(_ types: [DataType], _ counts: [Int32], measured: ClosedRange<Timestamp>, _ series: JSONRaw) {
        let counts = zip(types, counts).map { ($0, Int($1)) }
        self.init(counts: Dictionary(counts, uniquingKeysWith: +), measured: measured, series: series)
    }
}
