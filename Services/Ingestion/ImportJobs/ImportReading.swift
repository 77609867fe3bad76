import Domain
import Reactor

/// Reads the pieces of one file, beside the loop: what is read and how it is cut depends on the file only.
///
/// Sendable without the compiler's proof: `read` and `finish` are called one after the other, each after the one before has
/// returned.
final class ImportReading: @unchecked Sendable {
    private let clock: SampleClock
    private let pool: BlockingPool
    /// Until the format is known.
    private var beginning: [UInt8] = []
    private var importer: (any FileImporter)?
    private var parts = ImportParts()

    init(clock: SampleClock, pool: BlockingPool) {
        self.clock = clock
        self.pool = pool
    }

    /// What is known of the file so far.
    struct Outcome: Sendable {
        let parts: [ImportParts.Part]
        let report: ImportReport
        let doubledInParts: Int
        /// The report and the parts are all that comes of the file.
        var isOver: Bool { report.failure != nil }
    }

    func read(_ bytes: [UInt8]) async throws(IOError) -> Outcome {
        try await pool.run { [self] in
            guard let importer else {
                beginning += bytes
                return beginning.count < ImportFormat.detectionBytesMax ? outcome([]) : detect()
            }
            return outcome(parts.add(importer.consume(bytes)))
        }
    }

    func finish() async throws(IOError) -> Outcome {
        try await pool.run { [self] in
            let first = importer == nil ? detect().parts : []
            let rest = importer.map { parts.add($0.finish()) } ?? []
            return outcome(first + rest + parts.finish(), isLast: true)
        }
    }

    private func detect() -> Outcome {
        importer = ImportFormat.detect(beginning)?.importer(clock: clock)
        let batch = importer?.consume(beginning) ?? ImportBatch()
        if importer != nil { beginning = [] }
        return outcome(parts.add(batch))
    }

    private func outcome(_ complete: [ImportParts.Part], isLast: Bool = false) -> Outcome {
        var report = importer?.report ?? ImportReport()
        if importer == nil, isLast || beginning.count >= ImportFormat.detectionBytesMax {
            report.fail(at: .byte(0), ImportFormat.unsupported)
        }
        return Outcome(parts: complete, report: report, doubledInParts: parts.doubled)
    }
}
