import Domain

/// A file compressed with gzip, as Garmin's and Strava's exports hold them: one member, or several in a row whose contents are
/// one file (RFC 1952, section 2.2).
final class GzipImporter: FileImporter {
    private enum State {
        case member
        /// A member is over, and what comes is to show whether another follows.
        case between
        /// The same after the first byte of `magic`.
        case beginning
        case over
    }

    /// What each member begins with.
    private static let magic: [UInt8] = [0x1F, 0x8B]

    private let file: ArchivedFile
    private let limit: ExpansionLimit
    private let budget: ExpansionBudget
    /// Whether it is the import itself, and no file of an archive.
    private let isOutermost: Bool
    private let inflater = Inflater(.gzip)
    private var state = State.member
    private var merged = ImportReport()
    private var used = 0
    /// Where something begins that is no member.
    private var trailing: Int?

    /// `budget` is that of the archive whose file it is.
    init(clock: SampleClock, limit: ExpansionLimit, within budget: ExpansionBudget? = nil) {
        file = ArchivedFile(name: "", clock: clock, expanding: nil)
        self.limit = limit
        self.budget = budget ?? ExpansionBudget(limit)
        isOutermost = budget == nil
    }

    var report: ImportReport {
        var report = file.report
        if let trailing {
            report.skip(
                nil, reason: "trailing-bytes", explanation: "What follows the end of the compressed file is not read.",
                at: .byte(trailing))
        }
        if let failure = merged.failure { report.fail(at: failure.place, failure.reason, failure.explanation) }
        return report
    }

    func consume(_ chunk: UnsafeRawBufferPointer, _ give: (ImportBatch) -> Void) {
        var rest = chunk.bindMemory(to: UInt8.self)
        while merged.failure == nil, let first = rest.first {
            var count = 1
            switch state {
            case .member: count = expand(rest, give)
            case .between where first == Self.magic[0]: state = .beginning
            case .beginning where first == Self.magic[1]: beginMember()
            case .between: end(at: used)
            case .beginning: end(at: used - 1)
            case .over: return
            }
            used += count
            rest = UnsafeBufferPointer(rebasing: rest[count...])
        }
    }

    func finish(_ give: (ImportBatch) -> Void) {
        switch state {
        case .member: merged.fail(at: .byte(used), .truncated, "The file ends in the middle.")
        case .beginning: end(at: used - 1)
        case .between, .over: break
        }
        file.finish(give)
    }

    private func beginMember() {
        inflater?.restart()
        _ = Self.magic.withUnsafeBufferPointer { magic in inflater?.expand(magic) { _ in true } }
        state = .member
    }

    private func end(at place: Int) {
        trailing = place
        state = .over
    }

    /// Reads in a member. Returns how many bytes it has read.
    private func expand(_ bytes: UnsafeBufferPointer<UInt8>, _ give: (ImportBatch) -> Void) -> Int {
        guard let inflater else { return bytes.count }
        let compressed = used + bytes.count
        if isOutermost { budget.read(through: compressed) }
        let step = inflater.expand(bytes) { expanded in
            guard limit.holds(file.byteCount, of: compressed), budget.spend(expanded.count) else {
                merged.fail(at: .byte(used), .tooLarge, "The file expands to more than is read.")
                return false
            }
            file.consume(expanded, give)
            return true
        }
        if step.isAtEnd { state = .between }
        if step.isBroken {
            merged.fail(at: .byte(used + step.used), .damaged, "The file is damaged: it cannot be expanded.")
        }
        return step.used
    }
}
