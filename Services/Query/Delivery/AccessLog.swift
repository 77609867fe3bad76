import Domain
import HTTP
import Postgres
import Primitives
import Security
import Service

/// The log of who received which of a person's data and when, and who looked the person up (REQ-11).
enum AccessLog {
    struct Entry: Encodable, Sendable {
        let id: UUID
        /// Absent for a look-up.
        let requestID: UUID?
        let requesterID: UUID
        let requesterName: String
        let way: String
        let dataTypes: [DataType]
        /// Samples of each type, of what left, …
        let counts: TypeCounts
        let samples: Int64
        /// … and when the first of them was measured and the last.
        let measuredFrom: Timestamp?
        let measuredTo: Timestamp?
        let beganAt: Timestamp
        let lastAt: Timestamp
    }

    private static let lookUp = "look-up"

    /// Adds a look-up: a third party has found the individual and learns which of `types` are collected.
    static func addLookUp(
        of individual: UUID, by requester: UUID, named name: String, types: [DataType], at now: Timestamp,
        store: RequestStore, audit: AuditTrail, in database: Database
    ) async throws {
        let id = UUID.timeOrdered(at: now)
        guard let key = try await store.keys.key(of: individual) else { throw RequestStore.noSuchIndividual }
        let sealed = key.seal(name, at: location(id))
        let noted = audit.noting(
            "query.\(lookUp)", by: AuditActor.thirdParty, purpose: "access \(id)", of: "audit_pseudonym(\(individual))",
            onBehalfOf: "audit_pseudonym(\(requester))")
        try await database.execute(
            """
            with noted as (\(sql: noted))
            insert into access (id, individual_id, requester_id, requester_name, way, types, began_at, last_at)
            values (\(id), \(individual), \(requester), \(sealed), \(lookUp), \(types.numbers), \(now), \(now))
            """)
    }

    static func location(_ id: UUID) -> FieldLocation { FieldLocation("query.access.requester_name", row: id) }

    /// The latest first, from after `position`.
    static func entries(
        of individual: UUID, after position: ListPosition?, limit: Int, store: RequestStore,
        reporting unreadable: UnreadableRows, in database: Database
    ) async throws -> [ListRow<Entry>] {
        let rest: SQL = position.map { "and (began_at, id) < (\($0.time), \($0.id))" } ?? ""
        let rows = try await database.rows(
            """
            select id, request_id, requester_id, requester_name, way, types, counts, measured_from, measured_to, began_at, last_at
            from access
            where individual_id = \(individual) \(sql: rest) order by began_at desc, id desc limit \(limit)
            """)
        let requests = Set(try rows.compactMap { row in try row.decode("request_id", as: UUID?.self) })
        guard !rows.isEmpty else { return [] }
        let key = try await store.keys.keySet(of: [individual]).key(of: individual)
        let names = try await store.requesterNames(
            of: Array(requests), with: key, reporting: unreadable, in: database)
        return try rows.map { row in
            let position = ListPosition(try row["began_at"], try row["id"])
            return ListRow(
                position,
                unreadable.read("query.access", position.id) { try entry(row, position, names, key) })
        }
    }

    private static func entry(
        _ row: PostgresRow, _ position: ListPosition, _ names: [UUID: String], _ key: SubjectKey
    ) throws -> Entry {
        let request: UUID? = try row["request_id"]
        let own = try row.decode("requester_name", as: [UInt8]?.self).map {
            try key.openText($0, at: location(position.id))
        }
        let types = try row.decode("types", as: [Int16].self)
        let counts = try row.decode("counts", as: [Int64].self)
        let named = zip(types, counts).compactMap { type, count in [type].dataTypes.first.map { ($0, count) } }
        return Entry(
            id: position.id, requestID: request, requesterID: try row["requester_id"],
            requesterName: own ?? request.flatMap { names[$0] } ?? "", way: try row["way"],
            dataTypes: types.dataTypes, counts: TypeCounts(counts: named), samples: counts.reduce(0, +),
            measuredFrom: try row["measured_from"], measuredTo: try row["measured_to"],
            beganAt: position.time, lastAt: try row["last_at"])
    }

    /// When each of the requests last delivered something.
    static func lastReads(of requests: [UUID], in database: Database) async throws -> [UUID: Timestamp] {
        let rows = try await database.query(
            """
            select id, (select max(last_at) from access where access.request_id = request.id)
            from unnest(\(requests)) as request (id)
            """, as: UUID.self, Timestamp?.self)
        return Dictionary(rows.compactMap { row in row.1.map { (row.0, $0) } }, uniquingKeysWith: max)
    }
}

/// Who reads here, as the audit trail has it.
enum AuditActor {
    static let thirdParty = "third-party"
}

/// Samples of each data type, as an object whose members are the types' names, in the order of their numbers.
struct TypeCounts: Encodable, Sendable {
    let counts: [(type: DataType, count: Int64)]

    init(counts: [(DataType, Int64)]) {
        self.counts = counts.sorted { $0.0.rawValue < $1.0.rawValue }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (type, count) in counts { try container.encode(count, forKey: Name(stringValue: type.name)) }
    }
}
