import Domain
import Reactor

/// Reads the pieces of one file, beside the loop and in short steps: what is read and how it is cut depends on the pieces only.
///
/// Sendable without the compiler's proof: `add`, `end` and `read` are called one after the other, each after the one before has
/// returned.
final class ImportReading: @unchecked Sendable {
    /// Raise it with each change by which files are read or cut into parts otherwise: a job that the version before has begun
    /// is then begun anew, since its count of parts says nothing any more.
    static let version = 3

    /// Bytes that importers get at a time.
    private static let sliceBytes = 16 * 1024
    /// The same of an archive, which may expand them to a thousand times as many, and what is compressed in it once more.
    private static let archiveSliceBytes = 1024
    /// A step ends after this also when no part is complete: others take their turns on the thread, and all keep their leases.
    private static let stepTime = Duration.milliseconds(200)

    private let clock: SampleClock
    private let pool: BlockingPool
    /// What was added; until the format is known, all of it.
    private var bytes: [UInt8] = []
    /// How much of it was read.
    private var position = 0
    private var importer: (any FileImporter)?
    private var sliceBytes = ImportReading.sliceBytes
    private var parts = ImportParts()
    private var isEnded = false
    private var isFinished = false

    init(clock: SampleClock, pool: BlockingPool) {
        self.clock = clock
        self.pool = pool
    }

    /// What is known of the file so far.
    struct Outcome: Sendable {
        /// Those that this step has completed.
        let parts: [ImportParts.Part]
        let report: ImportReport
        let doubledInParts: [DataType: Int]
        /// Not all that was added is read: another step follows.
        let hasMore: Bool
        /// The file cannot be read further.
        var isOver: Bool { report.failure != nil }
    }

    /// Adds the next piece of the file. What was added before must have been read.
    func add(_ piece: [UInt8]) {
        bytes = importer == nil ? bytes + piece : piece
        position = 0
    }

    /// Nothing more is added.
    func end() { isEnded = true }

    /// Reads on in what was added, until parts are complete.
    func read() async throws(IOError) -> Outcome {
        try await pool.run { [self] in
            if importer == nil, isEnded || bytes.count >= ImportFormat.detectionBytesMax { detect() }
            let complete = step()
            return Outcome(
                parts: complete, report: report, doubledInParts: parts.doubled,
                hasMore: importer != nil && (position < bytes.count || isEnded && !isFinished))
        }
    }

    private func detect() {
        guard let format = ImportFormat.detect(bytes) else { return }
        importer = format.importer(clock: clock)
        sliceBytes = format == .zip || format == .gzip ? Self.archiveSliceBytes : Self.sliceBytes
    }

    private func step() -> [ImportParts.Part] {
        guard let importer else { return [] }
        let end = Deadline.after(Self.stepTime)
        var complete: [ImportParts.Part] = []
        while position < bytes.count, complete.isEmpty, !end.hasPassed {
            let slice = position..<min(position + sliceBytes, bytes.count)
            bytes.withUnsafeBytes { bytes in
                importer.consume(UnsafeRawBufferPointer(rebasing: bytes[slice])) { complete += parts.add($0) }
            }
            position = slice.upperBound
        }
        if isEnded, position == bytes.count, !isFinished {
            isFinished = true
            importer.finish { complete += parts.add($0) }
            complete += parts.finish()
        }
        return complete
    }

    private var report: ImportReport {
        var report = importer?.report ?? ImportReport()
        if importer == nil, isEnded || bytes.count >= ImportFormat.detectionBytesMax {
            report.fail(at: .byte(0), .unknownFormat, ImportFormat.unsupported)
        }
        return report
    }
}
