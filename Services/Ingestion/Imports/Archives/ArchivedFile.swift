import Domain

/// One file of an archive: told by its first bytes what it is, and read by the importer of its format.
final class ArchivedFile {
    let name: String
    private let opensGzip: Bool
    private let clock: SampleClock
    /// Until the format is known.
    private var beginning: [UInt8] = []
    private var importer: (any FileImporter)?
    private var isUnknown = false
    private(set) var byteCount = 0

    /// `opensGzip`: it may be compressed once more.
    init(name: String, clock: SampleClock, opensGzip: Bool) {
        self.opensGzip = opensGzip
        self.name = name
        self.clock = clock
    }

    func consume(_ bytes: UnsafeRawBufferPointer) -> ImportBatch {
        byteCount += bytes.count
        if let importer { return importer.consume(bytes) }
        guard !isUnknown else { return ImportBatch() }
        beginning += bytes
        return beginning.count < ImportFormat.detectionBytesMax ? ImportBatch() : detect()
    }

    func finish() -> ImportBatch {
        var batch = importer == nil && !isUnknown ? detect() : ImportBatch()
        if let importer { batch.append(importer.finish()) }
        return batch
    }

    private func detect() -> ImportBatch {
        defer { beginning = [] }
        let importer: (any FileImporter)? =
            switch ImportFormat.detect(beginning) {
            case nil: nil
            case .gzip: opensGzip ? GzipImporter(clock: clock, limit: .inner) : nil
            case .zip: nil
            case let format?: format.importer(clock: clock)
            }
        guard let importer else {
            isUnknown = true
            return ImportBatch()
        }
        self.importer = importer
        return importer.consume(beginning)
    }

    /// What became of the file.
    var report: ImportReport {
        var report = importer?.report ?? ImportReport()
        if isUnknown {
            report.skip(
                nil, reason: "other-format",
                explanation: "A file of the archive has none of the formats that are read.",
                at: .byte(0))
        }
        return report
    }
}
