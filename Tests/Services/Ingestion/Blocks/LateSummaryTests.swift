import Domain
import Primitives
import Testing

@testable import Ingestion

/// What is added to the summary of a day whose samples had to go.
@Suite struct LateSummaryTests {
    private static let day = CalendarDate("2026-05-01")!
    private static let midnight = Int64(day.daysSinceEpoch) * LocalTime.dayMilliseconds
    private static let hour = LocalTime.hourMilliseconds

    private typealias Sample = (time: Int64, duration: Int64, value: Int64)

    /// Times are from midnight of the day, in UTC.
    private func block(_ type: DataType, _ sources: [Int16: [Sample]]) -> BlockSamples {
        var block = BlockSamples(type: type, day: Self.day)
        for (source, samples) in sources {
            let column = ValueColumn(
                type: type, times: samples.map { Self.midnight + $0.time }, durations: samples.map(\.duration),
                values: samples.map(\.value))
            block.append(0..<samples.count, of: column, zone: 0, from: source, arrival: 1)
        }
        block.normalize()
        return block
    }

    private func readings(_ values: Range<Int64>, at hour: Int64) -> [Sample] {
        values.enumerated().map { (hour * Self.hour + Int64($0.offset) * 10_000, 0, $0.element) }
    }

    @Test("ING-10b: late hours of a source are added where it has none; its other hours stay as they are")
    func hours() {
        let first = block(.heartRate, [1: readings(600..<610, at: 8), 2: readings(700..<705, at: 9)])
        var summary = DaySummary(first)
        let late = block(
            .heartRate, [1: readings(900..<903, at: 8) + readings(620..<630, at: 9), 3: readings(500..<502, at: 8)])
        #expect(summary.fill(from: late) == 3)
        let all = block(
            .heartRate,
            [
                1: readings(600..<610, at: 8) + readings(620..<630, at: 9), 2: readings(700..<705, at: 9),
                3: readings(500..<502, at: 8),
            ])
        #expect(summary == DaySummary(all))
        let before = summary
        #expect(summary.fill(from: late) == late.count && summary == before)
    }

    @Test("ING-10b: how the readings of a day are spread follows from both parts, each by how many readings it has")
    func spread() throws {
        var summary = DaySummary(block(.heartRate, [1: readings(600..<900, at: 8)]))
        #expect(summary.fill(from: block(.heartRate, [1: readings(1000..<1100, at: 9)])) == 0)
        let quantiles = try #require(summary.sources.first?.spreads.first?.quantiles)
        #expect(quantiles.count == DaySummary.quantilesMax && quantiles == quantiles.sorted())
        #expect(quantiles.first == 600 && quantiles.last == 1099)
        // Of 400 readings the 200th is 800, and the last quarter is in the later part.
        #expect(abs(quantiles[10] - 800) <= 5 && quantiles[14] < 900 && quantiles[16] >= 1000)
    }

    @Test(
        "ING-10b: an interval is added to the hours that it reaches into and that have nothing; sleep to that of its end"
    )
    func intervals() {
        var steps = DaySummary(block(.steps, [1: [(10 * Self.hour, 0, 50)]]))
        #expect(steps.fill(from: block(.steps, [1: [(9 * Self.hour, 3 * Self.hour, 300)]])) == 0)
        #expect(steps.sources[0].hours.map(\.hour) == [9, 10, 11])
        #expect(steps.sources[0].hours.map(\.values.sum) == [100, 50, 100])
        var sleep = DaySummary(block(.sleep, [1: [(-2 * Self.hour, 8 * Self.hour, 2)]]))
        #expect(sleep.sources[0].hours.map(\.hour) == [6])
        #expect(
            sleep.fill(from: block(.sleep, [1: [(Self.hour, 5 * Self.hour, 1), (13 * Self.hour, Self.hour, 1)]])) == 1)
        #expect(sleep.sources[0].hours.map(\.hour) == [6, 14])
    }
}
