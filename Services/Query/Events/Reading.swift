import Contracts
import Domain
import JSON
import Postgres
import Primitives
import Service

/// An accepted request whose data becomes events, and how far it has.
struct Reading: Sendable {
    let request: UUID
    let requester: UUID
    let individual: UUID
    /// Those that were accepted.
    let types: [DataType]
    let from: Timestamp
    let to: Timestamp
    let granularity: ConsentRequest.Granularity
    let frequency: UpdateFrequency
    let acceptedAt: Timestamp
    /// How far it has come, as the table has it …
    var saved: ReadingPlace
    /// … and where it goes on: further than that when nothing was found up to there.
    var place: ReadingPlace
    /// Not before then; `nil`: as soon as something arrives.
    var nextAt: Timestamp?
    /// Whether more is stored, as far as it is known.
    var hasMore = false

    /// A clock that was ahead when the time was set holds nothing up for longer than it would have been.
    func isTime(at now: Timestamp) -> Bool {
        nextAt.map { $0 <= now || $0 > now + (frequency.interval ?? Self.sumsPause) } ?? true
    }

    /// Whether sums wait for the end of their time.
    var waits: Bool { !place.touched.isEmpty }

    /// Sums are looked at so often: each is given soon after its end, and again when it changes.
    static let sumsPause = Duration.seconds(60)

    /// When it goes on after everything was read.
    func next(after now: Timestamp) -> Timestamp? {
        guard let interval = frequency.interval else { return granularity == .raw ? nil : now + Self.sumsPause }
        // Counted from the acceptance, so that what is late once does not make everything later.
        let (passed, length) = ((now - acceptedAt).milliseconds, interval.milliseconds)
        return acceptedAt + .milliseconds((max(0, passed) / length + 1) * length)
    }

    func item(limit: Int) -> Ingestion.ReadMany.Item {
        Ingestion.ReadMany.Item(
            accountID: individual, types: types, from: from, to: to, after: place.position, limit: limit,
            reason: reason)
    }

    /// For ingestion's audit trail.
    var reason: Ingestion.ReadReason { .init(purpose: "request \(request)", onBehalfOf: requester) }
}

/// How far a reading has come.
struct ReadingPlace: Sendable, Equatable {
    /// Ingestion's: what arrived before it is in events, but for what is touched.
    var position = Ingestion.ReadCursor.beginning
    /// Of which sums are to be given still, or again: they were touched by what arrived before the position.
    var touched: [TouchedSpan] = []

    static let beginning = ReadingPlace()

    /// What is touched as the table has it; empty for nothing.
    var text: String {
        get throws(JSONError) {
            touched.isEmpty ? "" : String(decoding: try JSONEncoder().encode(touched), as: UTF8.self)
        }
    }
}

/// A span of time in which sums of a data type are to be given.
struct TouchedSpan: Codable, Sendable, Equatable {
    var type: DataType
    var start: Timestamp
    var end: Timestamp
}

extension UpdateFrequency {
    /// `nil` for as soon as data is produced.
    var interval: Duration? {
        switch self {
        case .live: nil
        case .daily: .seconds(86_400)
        case .weekly: .seconds(7 * 86_400)
        case .every(let minutes): .seconds(60 * minutes)
        }
    }
}

/// The table of readings.
enum ReadingStore {
    /// Which readings.
    enum Part: Sendable {
        /// Of what a third party listens to.
        case of(UUID, ReadingAgenda.Scope)
        /// Of these requests, whoever made them.
        case only([UUID])

        fileprivate var condition: SQL {
            switch self {
            case .of(let requester, .all): "g.requester_id = \(requester)"
            case .of(let requester, .request(let request)):
                "g.requester_id = \(requester) and g.request_id = \(request)"
            case .only(let requests): "g.request_id = any (\(requests))"
            }
        }
    }

    /// Those whose data may be read: `isPaid` is a condition on the request. Those that cannot be made out are left out, and
    /// reported.
    static func readings(
        _ part: Part, at now: Timestamp, if isPaid: SQL, reporting unreadable: UnreadableRows,
        in session: some SQLSession
    ) async throws -> [Reading] {
        let rows = try await session.rows(
            """
            select g.request_id, g.requester_id, individual_id, accepted_types, data_from, data_to, granularity, frequency, every_minutes,
              decided_at, g.position, g.touched, g.next_at
            from reading g join request on request.id = g.request_id
            where \(sql: part.condition)
              and state = 'accepted' and access_until > \(now) and \(sql: isPaid)
            """)
        return try rows.compactMap { row in
            let request: UUID = try row["request_id"]
            return unreadable.read("query.reading", request) { try reading(row, of: request) }
        }
    }

    private static func reading(_ row: PostgresRow, of request: UUID) throws -> Reading {
        guard let position = Ingestion.ReadCursor(bytes: try row["position"]),
            let granularity = ConsentRequest.Granularity(rawValue: try row["granularity"])
        else {
            throw PostgresError.usage("a reading has a position or granularity that this program does not know")
        }
        let touched = try row.decode("touched", as: String?.self).map {
            try JSONDecoder().decode([TouchedSpan].self, from: Array($0.utf8))
        }
        let place = ReadingPlace(position: position, touched: touched ?? [])
        return Reading(
            request: request, requester: try row["requester_id"], individual: try row["individual_id"],
            types: try row.decode("accepted_types", as: [Int16]?.self)?.dataTypes ?? [],
            from: try row["data_from"], to: try row["data_to"], granularity: granularity,
            frequency: try frequency(row), acceptedAt: try row["decided_at"], saved: place, place: place,
            nextAt: try row["next_at"])
    }

    /// A request for the past has none: it is read at once.
    private static func frequency(_ row: PostgresRow) throws -> UpdateFrequency {
        let (word, minutes): (String?, Int16?) = (try row["frequency"], try row["every_minutes"])
        return word.flatMap(UpdateFrequency.Word.init(rawValue:))
            .flatMap { UpdateFrequency($0, everyMinutes: minutes.map(Int.init)) } ?? .live
    }

    /// Notes when readings go on, so that a restart gives nothing before its time.
    static func wait(_ times: [(UUID, Timestamp)], in session: some SQLSession) async throws(PostgresError) {
        try await session.execute(
            """
            update reading g set next_at = t.time from unnest(\(times.map(\.0)), \(times.map(\.1))) t (request_id, time)
            where g.request_id = t.request_id
            """)
    }
}
