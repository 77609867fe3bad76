import Domain
import Primitives

/// Reads a person's samples of one data type in a span.
struct SampleScan: Sendable {
    let samples: PersonSamples

    /// Calls `use` with each value of the type (its column and number), one that a source sent twice once, day by day and
    /// source by source. `use` returns whether to go on. Errors: those of `PersonSamples`.
    func eachValue(
        of account: UUID, _ type: DataType, from: Timestamp, to: Timestamp,
        _ use: (_ column: ValueColumn, _ index: Int) -> Bool
    ) async throws {
        let (start, end) = (from.millisecondsUp, to.millisecondsUp)
        for block in try await samples.blocks(of: account, type, from: from, to: to) {
            for source in block.sources {
                let range = source.values.times.range(from: start, to: end)
                guard range.allSatisfy({ use(source.values, $0) }) else { return }
            }
        }
    }

    /// The positions of the span, in order.
    func positions(of account: UUID, from: Timestamp, to: Timestamp) async throws -> PositionColumn {
        let (start, end) = (from.millisecondsUp, to.millisecondsUp)
        var column = PositionColumn()
        for block in try await samples.blocks(of: account, .position, from: from, to: to) {
            for source in block.sources {
                column.append(source.positions.times.range(from: start, to: end), of: source.positions)
            }
        }
        column.normalize()
        return column
    }
}
