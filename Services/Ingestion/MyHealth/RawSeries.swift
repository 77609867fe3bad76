import Contracts
import Domain
import Primitives

/// A person's samples of all sources as they were measured, with a limit to memory.
struct RawSeries: Sendable {
    /// Samples in memory; a longer span has to be asked for in parts.
    static let samplesMax = 2_000_000

    /// Series in the order of time, of one zone and at most `SeriesAnswer.pieceSamplesMax` samples each, and how many samples
    /// there are.
    struct Answer: Sendable {
        let series: [SampleSeries]
        let count: Int
    }

    let samples: PersonSamples

    /// Thinned to `pointsMax`; `nil` for more than `samplesMax`.
    func read(
        _ account: UUID, _ type: DataType, from: Timestamp, to: Timestamp, pointsMax: Int
    ) async throws -> Answer? {
        let blocks = try await samples.blocks(of: account, type, from: from, to: to)
        let (start, end) = (from.millisecondsUp, to.millisecondsUp)
        return try await samples.threads.computing {
            type == .position
                ? Self.positions(blocks, start, end, pointsMax) : Self.values(blocks, type, start, end, pointsMax)
        }
    }

    private static func series(_ batch: SampleBatch) -> [SampleSeries] {
        batch.series(samplesMax: SeriesAnswer.pieceSamplesMax)
    }

    private static func values(
        _ blocks: [BlockSamples], _ type: DataType, _ from: Int64, _ to: Int64, _ pointsMax: Int
    ) -> Answer? {
        var column = ValueColumn(type: type)
        for source in blocks.flatMap(\.sources) {
            column.append(source.values.times.range(from: from, to: to), of: source.values)
            guard column.count <= samplesMax else { return nil }
        }
        column.sort()
        guard column.count > pointsMax else {
            return Answer(series: Self.series(SampleBatch(values: [column])), count: column.count)
        }
        var shown = ValueColumn(type: type)
        for index in Thinning.kept(column, countMax: pointsMax) { shown.append(index, of: column) }
        return Answer(series: Self.series(SampleBatch(values: [shown])), count: column.count)
    }

    private static func positions(
        _ blocks: [BlockSamples], _ from: Int64, _ to: Int64, _ pointsMax: Int
    ) -> Answer? {
        var column = PositionColumn()
        for source in blocks.flatMap(\.sources) {
            column.append(source.positions.times.range(from: from, to: to), of: source.positions)
            guard column.count <= samplesMax else { return nil }
        }
        column.normalize()
        guard column.count > pointsMax else {
            return Answer(series: Self.series(SampleBatch(positions: column)), count: column.count)
        }
        var shown = PositionColumn()
        for index in Thinning.spread(column.count, countMax: pointsMax) { shown.append(index, of: column) }
        return Answer(series: Self.series(SampleBatch(positions: shown)), count: column.count)
    }
}
