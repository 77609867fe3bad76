import Contracts
import Domain
import HTTP
import Postgres
import Primitives
import Security
import Service

/// The table of requests. Texts are sealed to their row and column (NFR-05).
struct RequestStore: Sendable {
    let cipher: FieldCipher

    /// The constraint that allows one open request per third party and individual (REQ-09).
    static let openConstraint = "request_open"
    private static let table = "query.request"

    /// `false` when a request of this id exists.
    func insert(_ request: ConsentRequest, in transaction: Transaction) async throws(PostgresError) -> Bool {
        try await transaction.execute(
            """
            insert into request (id, requester_id, individual_id, run_id, mode, types, data_from, data_to, reason,
              requester_name, requester_email, requester_vat_number, named, created_at, lapses_at)
            values (\(request.id), \(request.requesterID), \(request.individualID), \(request.runID),
              \(request.mode.rawValue), \(request.types.numbers), \(request.from), \(request.to),
              \(seal(request.reason, "reason", request.id)), \(seal(request.requesterName, "requester_name", request.id)),
              \(request.requesterEmail.map { seal($0, "requester_email", request.id) }),
              \(request.requesterVATNumber.map { seal($0, "requester_vat_number", request.id) }),
              \(seal(request.named, "named", request.id)), \(request.createdAt), \(request.lapsesAt))
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

    /// Names of the requesters, by request; those that cannot be read are missing.
    func requesterNames(
        of ids: [UUID], reporting unreadable: UnreadableRows, in session: some SQLSession
    ) async throws -> [UUID: String] {
        let rows = try await session.query(
            "select id, requester_name from request where id = any (\(ids))", as: UUID.self, [UInt8].self)
        let names = rows.compactMap { id, name in
            unreadable.read(Self.table, id) { (id, try open(name, "requester_name", id)) }
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
        try await rows(condition, in: session).map { row in
            let position = ListPosition(try row["created_at"], try row["id"])
            return ListRow(position, unreadable.read(Self.table, position.id) { try request(row) })
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
        try await rows(condition, in: session).map(request)
    }

    private func rows(_ condition: SQL, in session: some SQLSession) async throws(PostgresError) -> PostgresRows {
        try await session.rows(
            """
            select id, requester_id, individual_id, run_id, mode, types, data_from, data_to, reason, requester_name,
              requester_email, requester_vat_number, named, created_at, lapses_at, state, version, decided_at,
              accepted_types, access_until, closed_at
            from request \(sql: condition)
            """)
    }

    private func request(_ row: PostgresRow) throws -> ConsentRequest {
        let id: UUID = try row["id"]
        guard let mode = ConsentRequest.Mode(rawValue: try row["mode"]),
            let state = ConsentRequest.State(rawValue: try row["state"])
        else { throw PostgresError.usage("a request has a mode or state that this program does not know") }
        return ConsentRequest(
            id: id, requesterID: try row["requester_id"], individualID: try row["individual_id"],
            runID: try row["run_id"], mode: mode, types: try row.decode("types", as: [Int16].self).dataTypes,
            from: try row["data_from"], to: try row["data_to"], reason: try open(row["reason"], "reason", id),
            requesterName: try open(row["requester_name"], "requester_name", id),
            requesterEmail: try row.decode("requester_email", as: [UInt8]?.self).map {
                try open($0, "requester_email", id)
            },
            requesterVATNumber: try row.decode("requester_vat_number", as: [UInt8]?.self).map {
                try open($0, "requester_vat_number", id)
            },
            named: try open(row["named"], "named", id), createdAt: try row["created_at"],
            lapsesAt: try row["lapses_at"], state: state, version: try row["version"],
            decidedAt: try row["decided_at"],
            acceptedTypes: try row.decode("accepted_types", as: [Int16]?.self)?.dataTypes,
            accessUntil: try row["access_until"], closedAt: try row["closed_at"])
    }

    /// What stands in place of a requester's name.
    func sealedRequesterName(_ name: String, of id: UUID) -> [UInt8] { seal(name, "requester_name", id) }

    private func seal(_ text: String, _ column: String, _ id: UUID) -> [UInt8] {
        cipher.seal(text, at: FieldLocation("query.request.\(column)", row: id))
    }

    private func open(_ sealed: [UInt8], _ column: String, _ id: UUID) throws(SecurityError) -> String {
        try cipher.openText(sealed, at: FieldLocation("query.request.\(column)", row: id))
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
