import CZlib
import Domain

/// The files of a ZIP archive (APPNOTE 6.3.10), as Apple Health and others hand out their data: stored and deflated ones, also larger
/// than 4 GiB (ZIP64), in the order of the archive and without its directory, which comes last. Archives in archives are not opened.
///
/// What an archive may expand to is limited, and a file that is broken costs only what is behind the broken place in it.
final class ZipImporter: FileImporter {
    static let filesMax = 50_000

    private enum State {
        case header
        case stored(left: Int)
        /// `left`: compressed bytes that follow, if the header says it.
        case deflated(Inflater, left: Int?)
        /// A file that is not read.
        case skipped(left: Int)
        case descriptor
        /// Something is broken: the next header is looked for.
        case searching
        case over
    }

    private let clock: SampleClock
    private let budget: ExpansionBudget
    private var state = State.header
    private let unread = UnreadBytes()
    private var file: ArchivedFile?
    private var entry: ZipEntry?
    private var entryPlace = 0
    private var checksum: UInt = 0
    private var files = 0
    private var merged = ImportReport()

    init(clock: SampleClock, limit: ExpansionLimit = .file) {
        self.clock = clock
        budget = ExpansionBudget(limit)
    }

    var report: ImportReport {
        var report = merged
        if let file { report.add(file.report, of: file.name) }
        return report
    }

    func consume(_ chunk: UnsafeRawBufferPointer, _ give: (ImportBatch) -> Void) {
        guard merged.failure == nil else { return }
        unread.read(chunk) { merged.failure == nil ? readNext($0, at: $1, give) : nil }
    }

    func finish(_ give: (ImportBatch) -> Void) {
        // Also after a failure: a file may hold samples that count as taken until its end.
        endFile(give)
        if case .over = state { return }
        merged.fail(at: .byte(unread.end), .truncated, "The archive ends in the middle.")
    }

    /// Reads the next piece. Returns its length; `nil` when more has to come first.
    private func readNext(
        _ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ give: (ImportBatch) -> Void
    ) -> Int? {
        switch state {
        case .header: return readHeader(bytes, at: place, give)
        case .stored(let left):
            let count = min(left, bytes.count)
            expand(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.prefix(count))), at: place, give)
            state = .stored(left: left - count)
            if left == count { endContent(give) }
            return count
        case .deflated(let inflater, let left): return inflate(bytes, inflater, left, at: place, give)
        case .skipped(let left):
            let count = min(left, bytes.count)
            state = left == count ? stateAfterContent : .skipped(left: left - count)
            return count
        case .descriptor:
            guard let descriptor = ZipEntry.descriptor(bytes) else { return nil }
            if file != nil, descriptor.crc != checksum { damaged() }
            endFile(give)
            state = .header
            return descriptor.length
        case .searching:
            guard let next = ZipEntry.nextHeader(bytes) else { return bytes.count > 3 ? bytes.count - 3 : nil }
            state = .header
            return next
        case .over: return bytes.count
        }
    }

    // MARK: Headers

    private func readHeader(
        _ bytes: UnsafeBufferPointer<UInt8>, at place: Int, _ give: (ImportBatch) -> Void
    ) -> Int? {
        guard bytes.count >= 4 else { return nil }
        switch ZipEntry.signature(bytes) {
        case ZipEntry.fileSignature: break
        case ZipEntry.directorySignature, ZipEntry.endSignature, ZipEntry.endSignature64:
            state = .over
            return bytes.count
        default:
            merged.skip(
                nil, reason: "malformed-archive", explanation: "Something in the archive is no header of a file.",
                at: .byte(place))
            state = .searching
            return 1
        }
        guard let entry = ZipEntry(bytes) else { return nil }
        files += 1
        guard files <= Self.filesMax else {
            merged.fail(at: .byte(place), .tooManyFiles, "The archive has more than \(Self.filesMax) files.")
            return 0
        }
        self.entry = entry
        entryPlace = place
        checksum = 0
        begin(entry, at: place, give)
        return entry.headerLength
    }

    private func begin(_ entry: ZipEntry, at place: Int, _ give: (ImportBatch) -> Void) {
        if entry.isReadable {
            file = entry.isOfInterest ? ArchivedFile(name: entry.name, clock: clock, expanding: budget) : nil
            if entry.compressed == 0 { return endContent(give) }
            if entry.isDeflated, let inflater = Inflater(.none) {
                state = .deflated(inflater, left: entry.compressed)
                return
            }
            if !entry.isDeflated, let size = entry.compressed {
                state = .stored(left: size)
                return
            }
        }
        file = nil
        let hasNoEnd = entry.isReadable && !entry.isDeflated
        merged.skip(
            nil, reason: hasNoEnd ? "no-length" : "unreadable-file",
            explanation: hasNoEnd
                ? "A file of the archive is not compressed, and its length stands only after it: it has no certain end."
                : "A file of the archive is encrypted or compressed by a method that is not read.",
            at: ImportReport.Place(file: entry.name, position: .byte(place)))
        state = entry.compressed.map { $0 == 0 ? stateAfterContent : .skipped(left: $0) } ?? .searching
    }

    // MARK: Contents

    private func inflate(
        _ bytes: UnsafeBufferPointer<UInt8>, _ inflater: Inflater, _ left: Int?, at place: Int,
        _ give: (ImportBatch) -> Void
    ) -> Int {
        let own = left.map { UnsafeBufferPointer(rebasing: bytes.prefix($0)) } ?? bytes
        let step = inflater.expand(own) { expanded in
            expand(expanded, at: place, give)
            return merged.failure == nil
        }
        let rest = left.map { $0 - step.used }
        state = .deflated(inflater, left: rest)
        if step.isAtEnd {
            endContent(give)
            // Bytes after the end of the stream that belong to the file.
            if let rest, rest > 0 { state = .skipped(left: rest) }
        } else if step.isBroken || rest == 0 {
            damaged()
            endFile(give)
            state = rest.map { $0 == 0 ? stateAfterContent : .skipped(left: $0) } ?? .searching
        }
        return step.used
    }

    private func expand(_ bytes: UnsafeRawBufferPointer, at place: Int, _ give: (ImportBatch) -> Void) {
        budget.read(through: place + 1)
        guard budget.spend(bytes.count) else {
            return merged.fail(at: .byte(entryPlace), .tooLarge, "The archive expands to more than is read.")
        }
        if let entry, !entry.isOfInterest { return }
        checksum = crc32_z(checksum, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        file?.consume(bytes, give)
    }

    private var stateAfterContent: State { entry?.hasDescriptor == true ? .descriptor : .header }

    private func endContent(_ give: (ImportBatch) -> Void) {
        state = stateAfterContent
        guard case .header = state else { return }
        if let entry, entry.isOfInterest, let crc = entry.crc, crc != checksum { damaged() }
        endFile(give)
    }

    private func damaged() {
        merged.skip(
            nil, reason: "malformed-file",
            explanation:
                "A file of the archive is damaged: its contents do not agree with its checksum, or cannot be expanded.",
            at: ImportReport.Place(file: entry?.name, position: .byte(entryPlace)))
    }

    private func endFile(_ give: (ImportBatch) -> Void) {
        guard let file else { return }
        self.file = nil
        file.finish(give)
        merged.add(file.report, of: file.name)
    }
}
