import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import RPC
import Security
import Service

/// The table of requests. Texts are sealed to their row and column with the individual's key (NFR-05): they are the individual's
/// history, also what the one who asks is called.
struct RequestStore: Sendable {
    /// In place of a name.
    static let nobody = "–"

    /// Of somebody who is erased, whatever others still say.
    static let noSuchIndividual = RPCError(.notFound, "there is no such individual", domain: "no-such-individual")

    let keys: SubjectKeys

    /// The constraint that allows one open request per third party and individual (REQ-09).
    static let openConstraint = "request_open"
    private static let table = "query.request"

    /// `false` when a request of this id exists.
    func insert(_ request: ConsentRequest, in transaction: Transaction) async throws -> Bool {
        let individual = request.individualID
        let held = try await keys.madeKeySet(of: [individual], in: transaction)
        guard held.contains(individual) else { throw Self.noSuchIndividual }
        let key = try held.key(of: individual)
        func seal(_ text: String, _ column: String) -> [UInt8] {
            key.seal(text, at: Self.location(column, request.id))
        }
        return try await transaction.execute(
            """
            insert into request (id, requester_id, individual_id, run_id, mode, granularity, frequency, every_minutes, types,
              data_from, data_to, reason, requester_name, requester_email, requester_vat_number, named, created_at, lapses_at)
            values (\(request.id), \(request.requesterID), \(request.individualID), \(request.runID),
              \(request.mode.rawValue), \(request.granularity.rawValue), \(request.frequency?.word.rawValue),
              \(request.frequency?.everyMinutes.map { Int16($0) }), \(request.types.numbers), \(request.from), \(request.to),
              \(seal(request.reason, "reason")), \(seal(request.requesterName, "requester_name")),
              \(request.requesterEmail.map { seal($0, "requester_email") }),
              \(request.requesterVATNumber.map { seal($0, "requester_vat_number") }),
              \(seal(request.named, "named")), \(request.createdAt), \(request.lapsesAt))
            on conflict (id) do nothing
            """) == 1
    }

    /// Writes the state that a step has led to.
    func update(_ request: ConsentRequest, in transaction: Transaction) async throws(PostgresError) {
        try await transaction.execute(
            """
            update request set state = \(request.state.rawValue), version = \(request.version),
              decided_at = \(request.decidedAt), accepted_types = \(request.acceptedTypes?.numbers),
              access_until = \(request.accessUntil), closed_at = \(request.closedAt)
            where id = \(request.id)
            """)
    }

    /// Locks the request until the end of the transaction.
    func lock(_ id: UUID, in transaction: Transaction) async throws -> ConsentRequest? {
        try await read("where id = \(id) for update", in: transaction).first
    }

    func find(_ id: UUID, in session: some SQLSession) async throws -> ConsentRequest? {
        try await read("where id = \(id)", in: session).first
    }

    /// Names of the requesters, by request to the individual with this key; those that cannot be read are missing.
    func requesterNames(
        of ids: [UUID], with key: SubjectKey, reporting unreadable: UnreadableRows, in session: some SQLSession
    ) async throws -> [UUID: String] {
        let rows = try await session.query(
            "select id, requester_name from request where id = any (\(ids))", as: UUID.self, [UInt8]?.self)
        let names = rows.compactMap { id, name in
            unreadable.read(Self.table, id) { (id, try requesterName(name, of: id, with: key)) }
        }
        return Dictionary(names, uniquingKeysWith: { first, _ in first })
    }

    /// A third party's requests, the latest first, from after `position`.
    func requests(
        by requester: UUID, after position: ListPosition?, limit: Int, reporting unreadable: UnreadableRows,
        in session: some SQLSession
    ) async throws -> [ListRow<ConsentRequest>] {
        try await list(
            "where requester_id = \(requester) \(sql: Self.page(after: position, limit))", unreadable, in: session)
    }

    /// The requests to an individual, the latest first, from after `position`.
    func requests(
        to individual: UUID, after position: ListPosition?, limit: Int, reporting unreadable: UnreadableRows,
        in session: some SQLSession
    ) async throws -> [ListRow<ConsentRequest>] {
        try await list(
            "where individual_id = \(individual) \(sql: Self.page(after: position, limit))", unreadable, in: session)
    }

    private func list(
        _ condition: SQL, _ unreadable: UnreadableRows, in session: some SQLSession
    ) async throws -> [ListRow<ConsentRequest>] {
        let rows = try await rows(condition, in: session)
        let held = try await keys(of: rows)
        return try rows.map { row in
            let position = ListPosition(try row["created_at"], try row["id"])
            return ListRow(position, unreadable.read(Self.table, position.id) { try request(row, held) })
        }
    }

    private static func page(after position: ListPosition?, _ limit: Int) -> SQL {
        let rest: SQL = position.map { "and (created_at, id) < (\($0.time), \($0.id))" } ?? ""
        return "\(sql: rest) order by created_at desc, id desc limit \(limit)"
    }

    /// Check-ins of runs that end after `end`, in the order of their ids.
    func checkIns(
        endingAfter end: Timestamp, after cursor: UUID?, limit: Int, in session: some SQLSession
    ) async throws -> [ConsentRequest] {
        try await read(
            """
            where run_id is not null and data_to > \(end) and (\(cursor)::uuid is null or id > \(cursor)) order by id
            limit \(limit)
            """, in: session)
    }

    /// Requests that lapse or end by time, at most `limit` of each kind: none of `resting`, and those of `failing` last.
    func due(
        at now: Timestamp, resting: [UUID], failing: [UUID], limit: Int, in session: some SQLSession
    ) async throws(PostgresError) -> [Due] {
        try await session.query(
            """
            (select id, true from request
              where state = 'pending' and lapses_at <= \(now) and id <> all (\(resting))
              order by id = any (\(failing)), lapses_at limit \(limit))
            union all
            (select id, false from request
              where state = 'accepted' and access_until <= \(now) and id <> all (\(resting))
              order by id = any (\(failing)), access_until limit \(limit))
            """, as: UUID.self, Bool.self
        ).map { Due(id: $0.0, step: $0.1 ? .lapse : .end) }
    }

    struct Due: Sendable {
        let id: UUID
        let step: RequestStep
    }

    private func read(_ condition: SQL, in session: some SQLSession) async throws -> [ConsentRequest] {
        let rows = try await rows(condition, in: session)
        let held = try await keys(of: rows)
        return try rows.map { try request($0, held) }
    }

    /// The keys of all individuals, by one question.
    private func keys(of rows: PostgresRows) async throws -> SubjectKeySet {
        var individuals: Set<UUID> = []
        for row in rows { individuals.insert(try row["individual_id"]) }
        return try await keys.keySet(of: individuals)
    }

    private func rows(_ condition: SQL, in session: some SQLSession) async throws(PostgresError) -> PostgresRows {
        try await session.rows(
            """
            select id, requester_id, individual_id, run_id, mode, granularity, frequency, every_minutes, types, data_from,
              data_to, reason, requester_name, requester_email, requester_vat_number, named, created_at, lapses_at, state, version, decided_at,
              accepted_types, access_until, closed_at
            from request \(sql: condition)
            """)
    }

    private func request(_ row: PostgresRow, _ held: SubjectKeySet) throws -> ConsentRequest {
        let (id, individual): (UUID, UUID) = (try row["id"], try row["individual_id"])
        let key = try held.key(of: individual)
        guard let mode = ConsentRequest.Mode(rawValue: try row["mode"]),
            let state = ConsentRequest.State(rawValue: try row["state"]),
            let granularity = ConsentRequest.Granularity(rawValue: try row["granularity"])
        else { throw PostgresError.usage("a request has a mode, state or granularity that this program does not know") }
        return ConsentRequest(
            id: id, requesterID: try row["requester_id"], individualID: individual,
            runID: try row["run_id"], mode: mode, granularity: granularity, frequency: try frequency(row),
            types: try row.decode("types", as: [Int16].self).dataTypes,
            from: try row["data_from"], to: try row["data_to"], reason: try open(row["reason"], "reason", id, key),
            requesterName: try requesterName(row["requester_name"], of: id, with: key),
            requesterEmail: try row.decode("requester_email", as: [UInt8]?.self).map {
                try open($0, "requester_email", id, key)
            },
            requesterVATNumber: try row.decode("requester_vat_number", as: [UInt8]?.self).map {
                try open($0, "requester_vat_number", id, key)
            },
            named: try open(row["named"], "named", id, key), createdAt: try row["created_at"],
            lapsesAt: try row["lapses_at"], state: state, version: try row["version"],
            decidedAt: try row["decided_at"],
            acceptedTypes: try row.decode("accepted_types", as: [Int16]?.self)?.dataTypes,
            accessUntil: try row["access_until"], closedAt: try row["closed_at"])
    }

    private func frequency(_ row: PostgresRow) throws -> UpdateFrequency? {
        guard let name = try row.decode("frequency", as: String?.self) else { return nil }
        let minutes = try row.decode("every_minutes", as: Int16?.self).map { Int($0) }
        guard let word = UpdateFrequency.Word(rawValue: name),
            let frequency = UpdateFrequency(word, everyMinutes: minutes)
        else { throw PostgresError.usage("a request has a frequency that this program does not know") }
        return frequency
    }

    /// The name of an organiser who has left is gone.
    private func requesterName(
        _ sealed: [UInt8]?, of id: UUID, with key: SubjectKey
    ) throws(SecurityError) -> String {
        guard let sealed else { return Self.nobody }
        return try open(sealed, "requester_name", id, key)
    }

    private func open(_ sealed: [UInt8], _ column: String, _ id: UUID, _ key: SubjectKey) throws(SecurityError)
        -> String
    {
        try key.openText(sealed, at: Self.location(column, id))
    }

    static func location(_ column: String, _ id: UUID) -> FieldLocation {
        FieldLocation("query.request.\(column)", row: id)
    }
}

extension [DataType] {
    /// As they are stored.
    var numbers: [Int16] { map { Int16($0.rawValue) } }
}

extension [Int16] {
    /// Types that this program does not know are left out.
    var dataTypes: [DataType] { compactMap { UInt8(exactly: $0).flatMap(DataType.init(rawValue:)) } }
}
