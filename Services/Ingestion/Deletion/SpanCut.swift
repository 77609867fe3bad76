import Domain
import Primitives

/// Which samples of a person are deleted: those of some data types that begin in a span of time, or lie in it in part, and had
/// arrived when it was asked for.
struct SpanCut: Sendable {
    /// A mask.
    let types: Int64
    /// In milliseconds since 1970: from here …
    let from: Int64
    /// … to before here.
    let to: Int64
    /// The number of the last arrival that is concerned.
    let through: Int64
    /// Also samples that began before and lasted until after `from`.
    var touching = false

    /// The days in whose blocks all samples of a type begin in the span; `nil` when there is none. Sleep lies on the day on which it
    /// ends: it may have begun two days before.
    func wholeDays(of type: DataType) -> ClosedRange<CalendarDate>? {
        let first = Self.day(from &+ LocalTime.dayMilliseconds &- 1, type == .sleep ? 2 : 0)
        let last = Self.day(to, -1)
        return first <= last ? first...last : nil
    }

    /// The days in whose blocks a sample of the span may lie.
    var touchedDays: ClosedRange<CalendarDate> {
        let first = Self.day(touching ? from &- Measurement.durationMax.milliseconds : from, 0)
        return first...max(first, Self.day(to, types & DataType.sleep.bit == 0 ? 0 : 2))
    }

    /// So many days after the UTC day of a time.
    private static func day(_ time: Int64, _ days: Int) -> CalendarDate {
        Timestamp(milliseconds: time).dateUTC.adding(days: days)
    }

    // MARK: Cutting

    /// What stays of a block.
    func rest(of block: BlockSamples) -> BlockSamples {
        guard types & block.type.bit != 0 else { return block }
        let sources = block.sources.map { source in
            let isCut: (Int) -> Bool =
                block.type == .position ? { contains($0, of: source.positions) } : { contains($0, of: source.values) }
            return source.filtered { source.arrivals[$0] > through || !isCut($0) }
        }
        return BlockSamples(type: block.type, day: block.day, sources: sources.filter { $0.count > 0 })
    }

    /// What stays of the summary of a block whose samples had to go: of the hours that the span touches nothing, and how the
    /// readings of such a block were spread is forgotten.
    func rest(of summary: DaySummary) -> DaySummary {
        guard types & summary.type.bit != 0 else { return summary }
        var rest = summary
        rest.sources = summary.sources.compactMap { source in
            let hours = source.hours.filter { hour in
                let start = hour.start(on: summary.day)
                return start >= to || start &+ LocalTime.hourMilliseconds <= from
            }
            guard hours.count < source.hours.count else { return source }
            return hours.isEmpty ? nil : DaySummary.Source(source: source.source, hours: hours)
        }
        return rest
    }

    /// What stays of an arrival.
    func rest(of batch: SampleBatch) -> SampleBatch {
        guard types & batch.types != 0 else { return batch }
        var rest = SampleBatch()
        for column in batch.values {
            guard types & column.type.bit != 0 else {
                rest.append(column)
                continue
            }
            let part = self.rest(of: column)
            if part.count > 0 { rest.append(part) }
        }
        rest.positions = types & DataType.position.bit == 0 ? batch.positions : self.rest(of: batch.positions)
        return rest
    }

    private func rest<Column: SampleColumn>(of column: Column) -> Column {
        column.filtered { !contains($0, of: column) }
    }

    @inline(__always)
    private func contains<Column: SampleColumn>(_ index: Int, of column: Column) -> Bool {
        let time = column.times[index]
        return time < to && (time >= from || touching && time + column.duration(index) > from)
    }
}
