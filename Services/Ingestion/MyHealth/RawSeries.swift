import Contracts
import Domain
import Primitives

/// A person's samples as they were measured, with a limit to memory.
struct RawSeries: Sendable {
    /// Samples in memory; a longer span has to be asked for in parts.
    static let samplesMax = 2_000_000

    let scan: SampleScan

    /// One series in the order of time, thinned to `pointsMax`; how many samples there are; `nil` for more than `samplesMax`.
    func read(
        _ account: UUID, _ type: DataType, from: Timestamp, to: Timestamp, pointsMax: Int
    ) async throws -> (series: [SampleSeries], count: Int)? {
        type == .position
            ? try await positions(account, from, to, pointsMax) : try await values(account, type, from, to, pointsMax)
    }

    private func values(
        _ account: UUID, _ type: DataType, _ from: Timestamp, _ to: Timestamp, _ pointsMax: Int
    ) async throws -> (series: [SampleSeries], count: Int)? {
        var column = ValueColumn(type: type)
        try await scan.eachValue(of: account, type, from: from, to: to) { found, index in
            column.append(index, of: found)
            return column.count <= Self.samplesMax
        }
        guard column.count <= Self.samplesMax else { return nil }
        column.sort()
        var shown = ValueColumn(type: type)
        for index in Thinning.kept(column, countMax: pointsMax) { shown.append(index, of: column) }
        return (SampleBatch(values: [shown]).series(), column.count)
    }

    private func positions(
        _ account: UUID, _ from: Timestamp, _ to: Timestamp, _ pointsMax: Int
    ) async throws -> (series: [SampleSeries], count: Int)? {
        let column = try await scan.positions(of: account, from: from, to: to)
        guard column.count <= Self.samplesMax else { return nil }
        var shown = PositionColumn()
        for index in Thinning.spread(column.count, countMax: pointsMax) { shown.append(index, of: column) }
        return (SampleBatch(positions: shown).series(), column.count)
    }
}
