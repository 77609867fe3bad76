import Primitives

/// An import as its owner sees it.
struct ImportStatus: Encodable, Sendable {
    let id: UUID
    let state: String
    let createdAt: Timestamp
    let receivedBytes: Int64
    let lengthBytes: Int64?
    let readBytes: Int64
    /// So far; final when the state is `done`.
    let report: ImportAnswer

    init(_ job: ImportJob, _ progress: ImportProgress) {
        id = job.id
        state = job.state.rawValue
        createdAt = job.createdAt
        receivedBytes = job.received
        lengthBytes = job.length
        readBytes = progress.readBytes
        report = progress.answer
    }
}

struct ImportList: Encodable, Sendable {
    let imports: [ImportStatus]
}
