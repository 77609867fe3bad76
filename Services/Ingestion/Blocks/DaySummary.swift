import Domain
import Primitives

/// What views of long spans read of a block instead of its samples: the values of each source's hours, and where its
/// readings lie.
struct DaySummary: Equatable, Sendable {
    /// Hours from the beginning of the UTC day that a sample can reach into: those of its own day and the two after it, and one more
    /// where the clock is ahead by a part of an hour.
    static let hoursMax = 73
    /// Values that tell how the readings of a local day are spread.
    static let quantilesMax = 21
    /// Local days that a UTC day can have a part of.
    static let spreadsMax = 3

    struct Source: Equatable, Sendable {
        let source: Int16
        /// In their order; hours without samples are missing.
        var hours: [Hour] = []
        /// Of rates: how the readings of each local day are spread, as far as they are in this block. In the order of days.
        var spreads: [Spread] = []
    }

    struct Hour: Equatable, Sendable {
        /// Since the beginning of the UTC day (`LocalTime`), from 0; those that no sample of the block begins in are the parts of
        /// intervals that reach into the days after.
        let hour: Int
        /// In minutes: of the first sample that is in the hour.
        var zone: Int16
        var values = SummaryValues()

        /// Its number since 1970.
        func number(on day: CalendarDate) -> Int { Int(day.daysSinceEpoch) * 24 + hour }

        /// When the hour begins, in milliseconds since 1970.
        func start(on day: CalendarDate) -> Int64 { LocalTime.start(ofHour: number(on: day), zone: zone) }

        /// The local day in which it lies.
        func localDay(on day: CalendarDate) -> CalendarDate { LocalTime.day(of: start(on: day), zone: zone) }
    }

    struct Spread: Equatable, Sendable {
        /// The local day.
        let day: CalendarDate
        /// Its readings in ascending order when there are 21 at most; otherwise every 5th percentile of them, from the least to
        /// the greatest (nearest rank).
        let quantiles: [Int64]
    }

    let type: DataType
    let day: CalendarDate
    /// In the order of their numbers.
    var sources: [Source] = []

    init(type: DataType, day: CalendarDate, sources: [Source] = []) {
        self.type = type
        self.day = day
        self.sources = sources
    }

    /// Of a normalized block.
    init(_ block: BlockSamples) {
        self.init(type: block.type, day: block.day)
        sources = block.sources.map { samples in
            block.type == .position
                ? PeriodCounter.source(samples.source, samples.positions, block.day)
                : PeriodCounter.source(samples.source, samples.values, block.day)
        }
    }

    /// Of those values of a normalized block that begin within a span of time (milliseconds since 1970), without quantiles. A
    /// reading holds until the next one within the span or after it, and to its end at most.
    init(_ block: BlockSamples, of span: Range<Int64>) {
        self.init(type: block.type, day: block.day)
        sources = block.sources.map {
            DaySummary.Source(source: $0.source, hours: PeriodCounter.hours($0.values, block.day, span))
        }
    }
}
