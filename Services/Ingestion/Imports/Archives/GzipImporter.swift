import Domain

/// What a small file may expand to, bytes for one: `ratioMax`; only beyond `free` bytes, since short files may be very repetitive.
struct ExpansionLimit {
    let ratioMax: Int
    let free: Int

    static let file = ExpansionLimit(ratioMax: 200, free: 256 << 20)
    /// Of a file in an archive, which has expanded by that already.
    static let inner = ExpansionLimit(ratioMax: 30, free: 16 << 20)

    func holds(_ expanded: Int, of compressed: Int) -> Bool {
        expanded <= free || expanded / ratioMax <= compressed
    }
}

/// A file compressed with gzip, as Garmin's and Strava's exports hold them.
final class GzipImporter: FileImporter {
    private let file: ArchivedFile
    private let limit: ExpansionLimit
    private var inflater = Inflater(.gzip)
    private var merged = ImportReport()
    private var used = 0
    private var isOver = false

    init(clock: SampleClock, limit: ExpansionLimit) {
        file = ArchivedFile(name: "", clock: clock, opensGzip: false)
        self.limit = limit
    }

    var report: ImportReport {
        var report = file.report
        if let failure = merged.failure { report.fail(at: failure.place, failure.explanation) }
        return report
    }

    func consume(_ chunk: UnsafeRawBufferPointer) -> ImportBatch {
        var batch = ImportBatch()
        guard !isOver, merged.failure == nil, let inflater else { return batch }
        let step = inflater.expand(chunk.bindMemory(to: UInt8.self)) { bytes in
            guard limit.holds(file.byteCount, of: used + chunk.count) else {
                merged.fail(at: .byte(used), "The file expands to more than is read.")
                return false
            }
            batch.append(file.consume(bytes))
            return true
        }
        used += step.used
        isOver = step.isAtEnd
        if step.isBroken { merged.fail(at: .byte(used), "The file is damaged: it cannot be expanded.") }
        return batch
    }

    func finish() -> ImportBatch {
        if !isOver { merged.fail(at: .byte(used), "The file ends in the middle.") }
        return file.finish()
    }
}
