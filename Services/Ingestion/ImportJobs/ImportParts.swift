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

    /// Samples that stand in one part more than once, without the first of each.
    private(set) var doubled = 0
    private var waiting: [Waiting] = []
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
            while waiting[index].measurements.count >= samplesMax {
                parts += part(group.source, waiting[index].measurements.prefix(samplesMax), [])
                waiting[index].measurements.removeFirst(samplesMax)
            }
            while waiting[index].positions.count >= samplesMax {
                parts += part(group.source, [], waiting[index].positions.prefix(samplesMax))
                waiting[index].positions.removeFirst(samplesMax)
            }
        }
        return parts
    }

    /// The rest.
    mutating func finish() -> [Part] {
        defer { waiting = [] }
        var parts: [Part] = []
        for rest in waiting {
            parts += part(rest.source, rest.measurements[...], [])
            parts += part(rest.source, [], rest.positions[...])
        }
        return parts
    }

    private mutating func index(of source: String?) -> Int {
        if let index = waiting.firstIndex(where: { $0.source == source }) { return index }
        waiting.append(Waiting(source: source))
        return waiting.count - 1
    }

    /// None for no samples.
    private mutating func part(
        _ source: String?, _ measurements: ArraySlice<Measurement>, _ positions: ArraySlice<PositionFix>
    ) -> [Part] {
        guard !measurements.isEmpty || !positions.isEmpty else { return [] }
        var batch = SampleBatch()
        for measurement in measurements { batch.append(measurement) }
        for position in positions { batch.positions.append(position) }
        batch.normalize()
        doubled += measurements.count + positions.count - batch.count
        return [Part(source: source, batch: batch)]
    }
}
