import Postgres
import Primitives
import Security

/// A file that a person imports (table `import_job`): received in pieces, then read by a worker of any replica.
struct ImportJob: Sendable, PostgresRowDecodable {
    enum State: String, Sendable, PostgresDecodable {
        /// The sender has more of it.
        case receiving
        /// It is complete, and no worker has begun.
        case waiting
        case reading
        case done
    }

    let id: UUID
    let account: UUID
    let createdAt: Timestamp
    let state: State
    /// Bytes.
    let received: Int64
    /// Bytes of the whole file, if the sender told it.
    let length: Int64?
    let pieces: Int32
    /// How often a worker began without getting further than the one before.
    let tries: Int32
    /// `ImportProgress`, sealed.
    let progress: [UInt8]?

    static let columns: SQL = "job, account_id, created_at, state, received, length, pieces, tries, progress"

    init(row: PostgresRow) throws(PostgresError) {
        id = try row["job"]
        account = try row["account_id"]
        createdAt = try row["created_at"]
        state = try row["state"]
        received = try row["received"]
        length = try row["length"]
        pieces = try row["pieces"]
        tries = try row["tries"]
        progress = try row["progress"]
    }

    var progressLocation: FieldLocation { FieldLocation("ingestion.import_job.progress", row: id) }

    /// The place of a piece of the file.
    static func location(of piece: Int32, in job: UUID) -> FieldLocation {
        FieldLocation(
            "ingestion.import_data.sealed", row: job.bytes + withUnsafeBytes(of: piece.bigEndian) { Array($0) })
    }
}
