import Domain

/// Cuts the samples of a file into parts that are stored one after the other, each of one source. The cuts depend on the file
/// only, not on how its bytes arrived, so that the same file again gives the same parts again.
struct ImportParts: Sendable {
    /// Samples of one part, unless said otherwise. So many of each source wait for more, twice (values and positions).
    static let samplesMaxDefault = 10_000

    /// Samples that are stored together.
    struct Part: Equatable, Sendable {
        let source: String?
        /// Normalized.
        let batch: SampleBatch
    }

    private struct Waiting {
        let source: String?
        var measurements: [Measurement] = []
        var positions: [PositionFix] = []
    }

    /// By data type, samples that stand in one part more than once, without the first of each.
    private(set) var doubled: [DataType: Int] = [:]
    private var waiting: [Waiting] = []
    /// Where the samples of each source are in `waiting`.
    private var indices: [String?: Int] = [:]
    private let samplesMax: Int

    init(samplesMax: Int = samplesMaxDefault) {
        self.samplesMax = samplesMax
    }

    /// The parts that the samples complete.
    mutating func add(_ batch: ImportBatch) -> [Part] {
        var parts: [Part] = []
        for group in batch.groups {
            let index = index(of: group.source)
            waiting[index].measurements += group.measurements
            waiting[index].positions += group.positions
            for piece in Self.cut(&waiting[index].measurements, by: samplesMax) {
                parts += part(group.source, piece, [])
            }
            for piece in Self.cut(&waiting[index].positions, by: samplesMax) {
                parts += part(group.source, [], piece)
            }
        }
        return parts
    }

    /// The rest.
    mutating func finish() -> [Part] {
        defer { (waiting, indices) = ([], [:]) }
        var parts: [Part] = []
        for rest in waiting {
            parts += part(rest.source, rest.measurements[...], [])
            parts += part(rest.source, [], rest.positions[...])
        }
        return parts
    }

    /// Of the whole file as many sources are told apart as of each file of an archive, the first ones; what comes from others is
    /// of no named source.
    private mutating func index(of source: String?) -> Int {
        if let index = indices[source] { return index }
        let named = indices.count - (indices[nil] == nil ? 0 : 1)
        guard source == nil || named < ImportCollector.sourcesMax else { return index(of: nil) }
        waiting.append(Waiting(source: source))
        indices[source] = waiting.count - 1
        return waiting.count - 1
    }

    /// Cuts whole pieces of `count` off the beginning; the rest stays.
    private static func cut<Sample>(_ samples: inout [Sample], by count: Int) -> [ArraySlice<Sample>] {
        let end = samples.count - samples.count % count
        guard end > 0 else { return [] }
        let pieces = stride(from: 0, to: end, by: count).map { samples[$0..<$0 + count] }
        samples = Array(samples[end...])
        return pieces
    }

    /// None for no samples.
    private mutating func part(
        _ source: String?, _ measurements: ArraySlice<Measurement>, _ positions: ArraySlice<PositionFix>
    ) -> [Part] {
        guard !measurements.isEmpty || !positions.isEmpty else { return [] }
        var batch = SampleBatch()
        for measurement in measurements { batch.append(measurement) }
        for position in positions { batch.positions.append(position) }
        let given = batch.counts
        batch.normalize()
        for (type, count) in given.merging(batch.counts, uniquingKeysWith: -) where count > 0 {
            doubled[type, default: 0] += count
        }
        return [Part(source: source, batch: batch)]
    }
}

extension SampleBatch {
    /// Samples by data type.
    fileprivate var counts: [DataType: Int] {
        var counts: [DataType: Int] = [.position: positions.count]
        for column in values { counts[column.type] = column.count }
        return counts
    }
}
