import Domain
import Security

/// Cuts the samples of a file into parts that are stored one after the other. The cuts depend on the file only, not on
/// how its bytes arrived, so that the same file again gives the same parts again.
struct ImportParts {
    /// Samples of one part, unless said otherwise.
    static let samplesMaxDefault = 20_000

    /// Samples that had been stored before.
    private(set) var repeated = 0
    private(set) var paused: Set<DataType.Group> = []
    private var measurements: [Measurement] = []
    private var positions: [PositionFix] = []
    private let samplesMax: Int
    private let store: (SampleBatch) async throws -> ArrivalOutcome

    init(
        samplesMax: Int = samplesMaxDefault, store: @escaping (SampleBatch) async throws -> ArrivalOutcome
    ) {
        self.samplesMax = samplesMax
        self.store = store
    }

    mutating func add(_ batch: ImportBatch) async throws {
        measurements += batch.measurements
        positions += batch.positions
        while measurements.count >= samplesMax {
            try await put(measurements.prefix(samplesMax), [])
            measurements.removeFirst(samplesMax)
        }
        while positions.count >= samplesMax {
            try await put([], positions.prefix(samplesMax))
            positions.removeFirst(samplesMax)
        }
    }

    mutating func finish() async throws {
        try await put(measurements[...], [])
        try await put([], positions[...])
        measurements = []
        positions = []
    }

    private mutating func put(
        _ measurements: ArraySlice<Measurement>, _ positions: ArraySlice<PositionFix>
    ) async throws {
        var batch = SampleBatch()
        for measurement in measurements { batch.append(measurement) }
        for position in positions { batch.positions.append(position) }
        batch.normalize()
        guard !batch.isEmpty else { return }
        switch try await store(batch) {
        case .stored(_, let dropped): paused.formUnion(dropped.paused)
        case .repeated(let earlier):
            repeated += earlier.samples
            paused.formUnion(earlier.dropped.paused)
        // Nor can an arrival without a device have these.
        case .conflict, .deviceRemoved, .storedLongAgo: preconditionFailure("an import as a device's upload")
        case .erased: throw UploadRoutes.erased
        }
    }
}
