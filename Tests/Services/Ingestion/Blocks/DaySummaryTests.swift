import Domain
import Primitives
import SeededRandom
import Testing

@testable import Ingestion

@Suite struct DaySummaryTests {
    private static let day = CalendarDate("2026-05-01")!
    private static let midnight = Int64(day.daysSinceEpoch) * LocalTime.dayMilliseconds
    private static let hour = LocalTime.hourMilliseconds
    private static let minute: Int64 = 60_000

    private typealias Sample = (time: Int64, duration: Int64, value: Int64)

    /// Times are from midnight of the day, in UTC.
    private func block(_ type: DataType, _ sources: [Int16: [Sample]], contact: [Bool]? = nil) -> BlockSamples {
        var block = BlockSamples(type: type, day: Self.day)
        for (source, samples) in sources {
            let column = ValueColumn(
                type: type, times: samples.map { Self.midnight + $0.time }, durations: samples.map(\.duration),
                values: samples.map(\.value), contacts: contact)
            block.append(0..<samples.count, of: column, zone: 0, from: source, arrival: 1)
        }
        block.normalize()
        return block
    }

    private func days(_ block: BlockSamples, _ order: SourceOrder = SourceOrder()) -> [CountedDay] {
        CountedDay.days(of: block.type, in: [Self.day: DaySummary(block)], order: order)
    }

    private func counted(_ block: BlockSamples, _ order: SourceOrder = SourceOrder()) -> CountedDay {
        days(block, order)[0]
    }

    @Test("A reading holds until the next, at most 5 minutes and to the end of its hour; mean and variance weigh time")
    func weights() throws {
        let samples: [Sample] = [
            (0, 0, 600), (Self.minute, 0, 900), (20 * Self.minute, 0, 700), (59 * Self.minute, 0, 500),
        ]
        let total = counted(block(.heartRate, [1: samples])).total
        #expect(total.count == 4 && total.weight == (1 + 5 + 5 + 1) * Self.minute)
        let weighed: [(value: Double, minutes: Double)] = [(600, 1), (900, 5), (700, 5), (500, 1)]
        let mean = weighed.reduce(0.0) { $0 + $1.value * $1.minutes } / 12
        #expect(total.mean == mean)
        var squares = 0.0
        for (value, minutes) in weighed { squares += (value - mean) * (value - mean) * minutes }
        let variance = try #require(total.variance)
        #expect(abs(variance - squares / 12) < 0.01)
        #expect(total.min == 500 && total.max == 900)
    }

    @Test("SOS-11: a reading without contact is none: the one before holds on, and it is counted apart")
    func contact() {
        let samples: [Sample] = [(0, 0, 600), (Self.minute, 0, 0), (2 * Self.minute, 0, 700)]
        let total = counted(block(.heartRate, [1: samples], contact: [true, false, true])).total
        #expect(total.count == 2 && total.withoutContact == 1 && total.weight == 7 * Self.minute)
        let mean: Double = (600 * 2 + 700 * 5) / 7
        #expect(total.mean == mean)
        #expect(
            DaySummary(block(.heartRate, [1: samples])).sources[0].spreads == [
                .init(day: Self.day, quantiles: [600, 700])
            ])
    }

    @Test("An interval of a counter counts for each hour and local day in proportion, and nothing of it is lost")
    func midnight() {
        let block = block(.steps, [1: [(22 * Self.hour + 30 * Self.minute, 3 * Self.hour, 1001), (Self.hour, 0, 7)]])
        let found = days(block)
        #expect(found.map(\.day) == [Self.day, Self.day.adding(days: 1)])
        let (today, tomorrow) = (found[0], found[1])
        func hours(_ day: CountedDay) -> [Int64] { day.hours.map { ($0.start - Self.midnight) / Self.hour } }
        #expect(hours(today) == [1, 22, 23] && today.hours.map(\.values.sum) == [7, 166, 334])
        #expect(hours(tomorrow) == [24, 25] && tomorrow.hours.map(\.values.sum) == [334, 167])
        #expect(today.total.sum + tomorrow.total.sum == 1008 && today.total.count == 2 && tomorrow.total.count == 0)
    }

    @Test("States last as rates hold, and tell how long each lasted")
    func states() {
        let total = counted(
            block(
                .activity, [1: [(0, 90 * Self.minute, 3), (2 * Self.hour, 0, 1), (2 * Self.hour + Self.minute, 0, 3)]])
        ).total
        #expect(total.states == [3: 95 * Self.minute, 1: Self.minute] && total.count == 3)
    }

    @Test("ING-06: of two sources that measured in the same hour the preferred one counts, in others who was there")
    func sources() {
        let phone: [Sample] = [(0, Self.hour, 500), (Self.hour, Self.hour, 300), (5 * Self.hour, Self.hour, 20)]
        let watch: [Sample] = [(Self.hour, Self.hour, 310), (2 * Self.hour, Self.hour, 90)]
        let both = block(.steps, [1: phone, 2: watch, 0: [(2 * Self.hour, 0, 1000), (9 * Self.hour, 0, 4)]])
        #expect(counted(both, SourceOrder([2, 1])).total.sum == 500 + 310 + 90 + 20 + 4)
        #expect(counted(both).total.sum == 500 + 300 + 90 + 20 + 4)
        #expect(counted(both, SourceOrder([0])).hours.map(\.source) == [1, 1, 0, 1, 0])
        let shown = both.counted(SourceOrder([2, 1]))
        #expect(shown?.values.values == [500, 310, 90, 20, 4])
        let sleep = block(
            .sleep, [1: [(6 * Self.hour, 0, 4200)], 2: [(7 * Self.hour, 0, 4300), (14 * Self.hour, 0, 300)]])
        #expect(counted(sleep).total.sum == 4200 && counted(sleep, SourceOrder([2])).total.sum == 4600)
    }

    @Test("Minutes have what their hour's source has in them, also of an interval that began in the hour before")
    func minutes() throws {
        let both = block(
            .steps, [1: [(0, 2 * Self.hour, 1200)], 2: [(Self.hour, Self.hour, 900), (Self.hour + 5, 0, 3)]])
        func minutes(_ block: BlockSamples, _ order: SourceOrder = SourceOrder()) throws -> [CountedMinutes.Minute] {
            var minutes = CountedMinutes(type: block.type)
            try minutes.add(block)
            return minutes.counted(order).sorted { $0.start < $1.start }
        }
        let phone = try minutes(both)
        #expect(phone.count == 120 && phone.reduce(0) { $0 + $1.values.sum } == 1200)
        let watch = try minutes(both, SourceOrder([2]))
        #expect(watch.count == 120 && watch.reduce(0) { $0 + $1.values.sum } == 600 + 903)
        #expect(watch[60].values.sum == 18)
        let rate = try minutes(block(.heartRate, [1: [(30_000, 0, 600), (59_000, 0, 700)]]))
        #expect(rate.map(\.values.weight) == [30_000] && rate[0].values.mean == (600.0 * 29 + 700) / 30)
    }

    @Test("A preferred sensor that touched nobody does not hide the other one's values")
    func lostSensor() {
        let zeros: [Sample] = [(0, 0, 0), (Self.minute, 0, 0)]
        let both = block(.heartRate, [1: zeros, 2: [(30_000, 0, 650)]])
        #expect(counted(both).total.mean == 650 && both.counted(SourceOrder())?.values.values == [650])
        #expect(counted(block(.heartRate, [1: zeros])).total.withoutContact == 2)
    }

    @Test("Hours merge to what all their samples give", arguments: 0..<20)
    func merging(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var (whole, parts) = (SummaryValues(), [SummaryValues](repeating: SummaryValues(), count: 5))
        for _ in 0..<300 {
            let (value, lasted) = (
                Int64.random(in: 3000...4500, using: &random), Int64.random(in: 0...9999, using: &random)
            )
            let part = Int.random(in: 0..<5, using: &random)
            whole.count(value)
            whole.hold(value, lasted)
            parts[part].count(value)
            parts[part].hold(value, lasted)
        }
        let merged = parts.reduce(into: SummaryValues()) { $0.merge($1) }
        #expect(merged.mean == whole.mean && merged.count == 300 && merged.min == whole.min && merged.max == whole.max)
        let (left, right) = (try #require(merged.variance), try #require(whole.variance))
        #expect(abs(left / right - 1) < 1e-9)
    }

    @Test("ING-06d: percentiles of many days from their quantiles are near those of all readings", arguments: 0..<5)
    func percentiles(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var (all, spread) = ([Int64](), ValueSpread())
        for _ in 0..<60 {
            let level = Int64.random(in: 500...900, using: &random)
            let count = Int.random(in: 1...400, using: &random)
            let samples = (0..<count).map { index -> Sample in
                (Int64(index) * 30_000, 0, level + .random(in: -50...50, using: &random))
            }
            all += samples.map(\.value)
            spread.merge(counted(block(.stressLevel, [1: samples])).spread)
        }
        all.sort()
        let fractions = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]
        let found = spread.quantiles(fractions)
        for (fraction, value) in zip(fractions, found) {
            let exact = Double(all[Int(fraction * Double(all.count - 1))])
            #expect(abs(value - exact) <= 10, "\(fraction)")
        }
        #expect(ValueSpread().quantiles(fractions).isEmpty)
        var few = ValueSpread()
        few.add([10, 20, 30], count: 3)
        #expect(few.quantiles([0, 0.5, 1]) == [10, 20, 30])
    }

    @Test("The summary of a full day of a vital sign takes less than 450 bytes")
    func size() {
        var random = SeededGenerator(seed: 3)
        let samples = (0..<2880).map { index -> Sample in
            (Int64(index) * 30_000, 0, .random(in: 600...700, using: &random))
        }
        let bytes = SummaryCodec.encode(DaySummary(block(.heartRate, [1: samples]))).count
        print("summary of 2880 readings: \(bytes) bytes")
        #expect(bytes < 450)
    }
}
