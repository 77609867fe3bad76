import Domain
import Primitives

/// Removes exact repeats from a person's single values, for each source by itself (ARCHITECTURE, "Samples"): what was
/// sent again under another number, or came with a longer export of the same file, counts once. Batches come in the
/// order of their first samples, so samples before the next batch cannot be repeated any more and need not be kept.
struct SampleMerge {
    /// Too many samples overlap.
    struct Overlap: Error {}

    /// Samples of a column, in the order of time and without repeats.
    struct Piece {
        let column: ValueColumn
        let range: Range<Int>
    }

    private struct Key: Hashable {
        let source: Int16
        let type: DataType
    }

    /// Samples kept because they may be repeated, two numbers each.
    static let overlapMaxDefault = 1_000_000

    private let overlapMax: Int
    /// Samples that are gathered before the complete ones are looked for.
    private let gatherMin: Int
    private var gatherMax: Int
    private var pending: [Key: ValueColumn] = [:]
    private var count = 0

    init(overlapMax: Int = overlapMaxDefault, gatherMin: Int = 100_000) {
        self.overlapMax = overlapMax
        self.gatherMin = gatherMin
        gatherMax = gatherMin
    }

    /// Adds a batch's samples of `types` from `from` to before `to` (milliseconds); `source` is the number of its source.
    /// Returns what is complete now.
    mutating func add(
        _ batch: SampleBatch, from source: Int16, types: Int64, from: Int64, to: Int64
    ) throws(Overlap) -> [Piece] {
        var pieces: [Piece] = []
        if count >= gatherMax, let span = batch.span {
            pieces = take(before: span.earliest)
            guard count <= overlapMax else { throw Overlap() }
            // Doubling keeps the work in proportion, however much has to stay.
            gatherMax = max(gatherMin, 2 * count)
        }
        for column in batch.values where types & column.type.bit != 0 {
            let range = column.times.range(from: from, to: to)
            guard !range.isEmpty else { continue }
            let key = Key(source: source, type: column.type)
            pending[key, default: ValueColumn(type: column.type)].append(range, of: column)
            count += range.count
        }
        return pieces
    }

    /// Returns the rest.
    mutating func finish() -> [Piece] { take(before: .max) }

    private mutating func take(before end: Int64) -> [Piece] {
        var pieces: [Piece] = []
        count = 0
        for (key, column) in pending {
            var column = column
            column.normalize()
            let range = column.times.range(from: .min, to: end)
            if !range.isEmpty { pieces.append(Piece(column: column, range: range)) }
            var rest = ValueColumn(type: key.type)
            rest.append(range.upperBound..<column.count, of: column)
            pending[key] = rest.count > 0 ? rest : nil
            count += rest.count
        }
        return pieces
    }
}
