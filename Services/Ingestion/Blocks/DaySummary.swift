import Domain
import Primitives

/// What views of long spans read of a block instead of its samples: the values of each source's hours, and where its
/// readings lie.
struct DaySummary: Equatable, Sendable {
    /// Hours of the wall clock from the beginning of the day that a sample can reach into: its own day, and the two after it.
    static let hoursMax = 72
    /// Values that tell how the readings of a day are spread.
    static let quantilesMax = 21

    struct Source: Equatable, Sendable {
        let source: Int16
        /// By the number of the hour on the wall clock since the beginning of the day, ascending, 0 to 71; those from 24 are
        /// the parts of intervals that reach into the days after. Hours without samples are missing.
        var hours: [Hour] = []
        /// Of rates: the readings of the day in ascending order when there are 21 at most; otherwise every 5th percentile of
        /// them, from the least to the greatest (nearest rank).
        var quantiles: [Int64] = []
    }

    struct Hour: Equatable, Sendable {
        let hour: Int
        /// In minutes: of the first sample that is in the hour.
        var zone: Int16
        var values = SummaryValues()

        /// When the hour begins, in milliseconds since 1970.
        func start(on day: CalendarDate) -> Int64 {
            LocalTime.start(of: hour, length: LocalTime.hourMilliseconds, zone: zone, in: day)
        }
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
