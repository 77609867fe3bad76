import HTTP
import Postgres
import Primitives
import Reactor
import Security
import Service

/// Takes the bytes of files, a piece at a time: each is sealed and on disk before the next is read, so that an upload that breaks
/// off goes on where it was, at any replica.
struct ImportReceiver: Sendable {
    /// Bytes of a file.
    static let fileBytesMax: Int64 = 4 << 30
    /// Bytes of a piece.
    static let pieceBytes = 512 * 1024

    let database: Database
    let keys: SubjectKeys

    /// Adds what a request brings, after `beginning`, to a job that is being received. Returns how many bytes there are then. A
    /// request that breaks off leaves what had come. Errors: `Problem` when another request is quicker; what the body throws.
    func receive(
        _ chunks: inout HTTPBodyChunks.AsyncIterator, for job: ImportJob, beginning: [UInt8] = []
    ) async throws -> Int64 {
        let key = try await keys.key(forRequestOf: job.account)
        var (received, number) = (job.received, job.pieces)
        var piece = beginning
        var failure: (any Error)?
        do {
            while let chunk = try await chunks.next() {
                piece += chunk
                guard piece.count >= Self.pieceBytes else { continue }
                try await append(&piece, to: job, &received, &number, key)
            }
        } catch let problem as Problem {
            // What has come stays, unless it is the storing that failed.
            let isOurs = [Self.notNext, Self.tooLong, Self.tooMuch].contains { $0.code == problem.code }
            guard !isOurs else { throw problem }
            failure = problem
        }
        if !piece.isEmpty { try await append(&piece, to: job, &received, &number, key) }
        if let failure { throw failure }
        return received
    }

    private func append(
        _ piece: inout [UInt8], to job: ImportJob, _ received: inout Int64, _ number: inout Int32, _ key: SubjectKey
    ) async throws {
        guard received + Int64(piece.count) <= Self.fileBytesMax else { throw Self.tooLong }
        let sealed = key.seal(piece, at: ImportJob.location(of: number, in: job.id))
        let bytes = Int64(piece.count)
        let rows = try await database.run(
            ImportJobStore.append(sealed, bytes: bytes, at: received, piece: number, of: job.id, of: job.account))
        guard !rows.rows.isEmpty else {
            let unfinished = try await database.queryOne(
                ImportJobStore.unfinished(of: job.account), as: ImportJobStore.Unfinished.self)
            let isFull = unfinished.map { $0.bytes + bytes > ImportJobStore.unfinishedBytesMax } ?? false
            throw isFull ? Self.tooMuch : Self.notNext
        }
        received += Int64(piece.count)
        number += 1
        piece.removeAll(keepingCapacity: true)
    }

    static let notNext = Problem(
        .conflict, code: "mismatching-upload-offset",
        detail: "another request has added to this file, or it was deleted: ask where to go on")
    /// Nothing of what has come is lost.
    static let tooMuch = Problem(
        .tooManyRequests, code: "too-much-to-import",
        detail:
            "your imports that are not done would have more than \(ImportJobStore.unfinishedBytesMax) bytes together: "
            + "wait until some are read, or delete one",
        retryAfter: .seconds(60))
    static let tooLong = Problem(
        .contentTooLarge, code: "file-too-large", detail: "a file has at most \(fileBytesMax) bytes")
}
