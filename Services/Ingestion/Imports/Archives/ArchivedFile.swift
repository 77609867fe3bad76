import Domain

/// One file of an archive: told by its first bytes what it is, and read by the importer of its format.
final class ArchivedFile {
    let name: String
    private let budget: ExpansionBudget?
    private let clock: SampleClock
    /// Until the format is known.
    private var beginning: [UInt8] = []
    private var importer: (any FileImporter)?
    private var isUnknown = false
    private(set) var byteCount = 0

    /// `budget`: for what it expands to if it is compressed once more; without it that is not read.
    init(name: String, clock: SampleClock, expanding budget: ExpansionBudget?) {
        self.budget = budget
        self.name = name
        self.clock = clock
    }

    func consume(_ bytes: UnsafeRawBufferPointer, _ give: (ImportBatch) -> Void) {
        byteCount += bytes.count
        if let importer { return importer.consume(bytes, give) }
        guard !isUnknown else { return }
        beginning += bytes
        if beginning.count >= ImportFormat.detectionBytesMax { detect(give) }
    }

    func finish(_ give: (ImportBatch) -> Void) {
        if importer == nil, !isUnknown { detect(give) }
        importer?.finish(give)
    }

    private func detect(_ give: (ImportBatch) -> Void) {
        defer { beginning = [] }
        let importer: (any FileImporter)? =
            switch ImportFormat.detect(beginning) {
            case nil: nil
            case .gzip: budget.map { GzipImporter(clock: clock, limit: .inner, within: $0) }
            case .zip: nil
            case let format?: format.importer(clock: clock)
            }
        guard let importer else {
            isUnknown = true
            return
        }
        self.importer = importer
        beginning.withUnsafeBytes { importer.consume($0, give) }
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
