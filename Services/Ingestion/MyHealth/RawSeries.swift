import Contracts
import Domain
import Primitives

/// A person's samples of all sources as they were measured, with a limit to memory.
struct RawSeries: Sendable {
    /// Series in the order of time, of one zone and at most `SeriesAnswer.pieceSamplesMax` samples each, and how many samples
    /// there are.
    struct Answer: Sendable {
        let series: [SampleSeries]
        let count: Int

        fileprivate init(_ shown: SampleBatch, of count: Int) {
            series = shown.series(samplesMax: SeriesAnswer.pieceSamplesMax)
            self.count = count
        }
    }

    let samples: PersonSamples

    /// Thinned to `pointsMax`. Errors: those of `PersonSamples.reduce`.
    func read(
        _ account: UUID, _ type: DataType, from: Timestamp, to: Timestamp, pointsMax: Int
    ) async throws -> Answer {
        func column<Column: SampleColumn>(
            _ empty: Column, _ part: @escaping @Sendable (SourceSamples) -> Column,
            then answer: @escaping @Sendable (Column) -> Answer
        ) async throws -> Answer {
            let (start, end) = (from.millisecondsUp, to.millisecondsUp)
            return try await samples.reduce(of: account, type, from: from, to: to, into: empty) { column, _, block in
                for part in (block?.sources ?? []).map(part) {
                    column.append(part.times.range(from: start, to: end), of: part)
                }
                try PersonSamples.checkCount(column.count)
            } then: {
                answer($0)
            }
        }
        return type == .position
            ? try await column(PositionColumn(), { $0.positions }, then: { Self.answer($0, pointsMax) })
            : try await column(ValueColumn(type: type), { $0.values }, then: { Self.answer($0, pointsMax) })
    }

    /// All of them, of each source by itself, in the order of the sources' numbers. Errors: those of `PersonSamples.reduce`.
    func bySource(
        _ account: UUID, _ type: DataType, from: Timestamp, to: Timestamp
    ) async throws -> [(source: Int16, series: [SampleSeries])] {
        let (start, end) = (from.millisecondsUp, to.millisecondsUp)
        return try await samples.reduce(of: account, type, from: from, to: to, into: [Int16: SourceSamples]()) {
            sources, _, block in
            for part in block?.sources ?? [] {
                let own = SourceSamples(source: part.source, type: type)
                sources[part.source, default: own].append(part.times.range(from: start, to: end), of: part)
            }
            try PersonSamples.checkCount(sources.values.reduce(0) { $0 + $1.count })
        } then: { sources in
            sources.values.sorted { $0.source < $1.source }.map { source in
                var ordered = source
                // Days of sleep are those of its end: they may overlap.
                ordered.normalize()
                return (source.source, ordered.batch.series(samplesMax: SeriesAnswer.pieceSamplesMax))
            }
        }
    }

    private static func answer(_ all: ValueColumn, _ pointsMax: Int) -> Answer {
        var column = all
        column.sort()
        guard column.count > pointsMax else { return Answer(SampleBatch(values: [column]), of: column.count) }
        var shown = ValueColumn(type: column.type)
        for index in Thinning.kept(column, countMax: pointsMax) { shown.append(index, of: column) }
        return Answer(SampleBatch(values: [shown]), of: column.count)
    }

    private static func answer(_ all: PositionColumn, _ pointsMax: Int) -> Answer {
        var column = all
        column.normalize()
        guard column.count > pointsMax else { return Answer(SampleBatch(positions: column), of: column.count) }
        var shown = PositionColumn()
        for index in Thinning.spread(column.count, countMax: pointsMax) { shown.append(index, of: column) }
        return Answer(SampleBatch(positions: shown), of: column.count)
    }
}
