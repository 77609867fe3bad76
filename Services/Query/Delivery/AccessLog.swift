import Domain
import Postgres
import Primitives

/// Who received which of a person's data and when (REQ-11).
enum AccessLog {
    struct Entry: Encodable, Sendable {
        let id: UUID
        let requestID: UUID
        let requesterID: UUID
        let requesterName: String
        let way: String
        let types: [DataType]
        let samples: Int64
        let began: Timestamp
        let last: Timestamp

        enum CodingKeys: String, CodingKey {
            case id, way, samples, requestID, requesterID, requesterName
            case types = "data_types"
            case began = "began_at"
            case last = "last_at"
        }
    }

    /// The latest first, from before `cursor`.
    static func entries(
        of individual: UUID, before cursor: UUID?, limit: Int, store: RequestStore, in database: Database
    ) async throws -> [Entry] {
        let rows = try await database.query(
            """
            select id, request_id, requester_id, way, types, samples, began_at, last_at from access
            where individual_id = \(individual) and (\(cursor)::uuid is null or id < \(cursor)) order by id desc
            limit \(limit)
            """, as: UUID.self, UUID.self, UUID.self, String.self, [Int16].self, Int64.self, Timestamp.self,
            Timestamp.self)
        let names = try await store.requesterNames(of: Array(Set(rows.map(\.1))), in: database)
        return rows.map { row in
            Entry(
                id: row.0, requestID: row.1, requesterID: row.2, requesterName: names[row.1] ?? "", way: row.3,
                types: row.4.dataTypes, samples: row.5, began: row.6, last: row.7)
        }
    }

    /// When each of the requests last gave something out.
    static func lastReads(of requests: [UUID], in database: Database) async throws -> [UUID: Timestamp] {
        let rows = try await database.query(
            """
            select id, (select max(last_at) from access where access.request_id = request.id)
            from unnest(\(requests)) as request (id)
            """, as: UUID.self, Timestamp?.self)
        return Dictionary(rows.compactMap { row in row.1.map { (row.0, $0) } }, uniquingKeysWith: max)
    }
}
