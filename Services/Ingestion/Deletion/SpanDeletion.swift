import Domain
import JSON
import Postgres
import Primitives
import Security

/// A span of samples that a person deletes, or that came between a pause and the news of it (table `deletion`).
struct SpanDeletion: Sendable {
    /// What the row keeps sealed.
    struct Content: Codable, Sendable {
        /// A mask.
        let types: Int64
        let from: Timestamp
        let to: Timestamp
        /// Collection was paused from `from` on (ING-14): nobody has asked for it, and nobody is shown it.
        var isPause: Bool?
        /// Days of one data type that were deleted or have become less.
        var days = 0

        func sealed(with key: SubjectKey, at location: FieldLocation) throws(JSONError) -> [UInt8] {
            key.seal(try JSONEncoder().encode(self), at: location)
        }
    }

    let account: UUID
    let id: UUID
    let createdAt: Timestamp
    /// The number of the last arrival that is concerned.
    let through: Int64
    var content: Content
    let isDone: Bool

    var cut: SpanCut {
        SpanCut(
            types: content.types, from: content.from.millisecondsUp, to: content.to.millisecondsUp, through: through,
            touching: content.isPause == true)
    }

    static func location(_ id: UUID, of account: UUID) -> FieldLocation {
        FieldLocation("ingestion.deletion.content", row: account.bytes + id.bytes)
    }

    /// Its row.
    struct Row: Sendable, PostgresRowDecodable {
        let account: UUID
        let id: UUID
        let createdAt: Timestamp
        let through: Int64
        let content: [UInt8]
        let isDone: Bool

        init(row: PostgresRow) throws(PostgresError) {
            account = try row["account_id"]
            id = try row["deletion"]
            createdAt = try row["created_at"]
            through = try row["through"]
            content = try row["content"]
            isDone = try row["is_done"]
        }

        /// Errors: `SecurityError`, `JSONError`.
        func opened(_ key: SubjectKey) throws -> SpanDeletion {
            let opened = try key.open(content, at: SpanDeletion.location(id, of: account))
            return SpanDeletion(
                account: account, id: id, createdAt: createdAt, through: through,
                content: try JSONDecoder().decode(Content.self, from: opened), isDone: isDone)
        }
    }
}
