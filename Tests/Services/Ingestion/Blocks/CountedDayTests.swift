import Domain
import Primitives
import Testing

@testable import Ingestion

/// Local days of people whose devices tell several zones, or none.
@Suite struct CountedDayTests {
    private static let hour = LocalTime.hourMilliseconds
    private let phone: Int16 = 1
    private let watch: Int16 = 2

    /// Steps of an hour each, of both sources, from a time on.
    private func walk(
        _ hours: Int, from start: Timestamp, zones: (phone: Int16, watch: Int16)
    ) -> [CalendarDate: DaySummary] {
        var batch = ValueColumn(type: .steps)
        for hour in 0..<hours {
            batch.append(time: start.milliseconds + Int64(hour) * Self.hour, duration: Self.hour, value: 1000)
        }
        return summaries(of: batch, zones: [phone: zones.phone, watch: zones.watch])
    }

    private func summaries(of column: ValueColumn, zones: [Int16: Int16]) -> [CalendarDate: DaySummary] {
        var summaries: [CalendarDate: DaySummary] = [:]
        var blocks: [CalendarDate: BlockSamples] = [:]
        for (source, zone) in zones {
            var split = DaySplit { _ in zone }
            split.add(SampleBatch(values: [column]), from: source, arrival: 1)
            for block in split.take() {
                _ = blocks[block.day, default: BlockSamples(type: block.type, day: block.day)].merge(block)
            }
        }
        for (day, block) in blocks { summaries[day] = DaySummary(block) }
        return summaries
    }

    private func steps(_ days: [CountedDay]) -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: days.map { (String(describing: $0.day), $0.total.sum) })
    }

    @Test("ING-06 ACC-14d: steps of a phone in New York and of a watch that was left at Rome's time count once")
    func travel() {
        let summaries = walk(14, from: Timestamp("2026-06-01T12:00:00Z")!, zones: (-240, 120))
        let both = (phone: SourceOrder([phone, watch]), watch: SourceOrder([watch, phone]))
        #expect(steps(CountedDay.days(of: .steps, in: summaries, order: both.phone)) == ["2026-06-01": 14_000])
        // Whose day it is follows from the source that counts.
        #expect(
            steps(CountedDay.days(of: .steps, in: summaries, order: both.watch)) == [
                "2026-06-01": 10_000, "2026-06-02": 4_000,
            ])
    }

    @Test("ING-06c: an hour that a clock shows twice is two hours")
    func clockPutBack() {
        var column = ValueColumn(type: .steps)
        let first = Timestamp("2026-10-25T00:00:00Z")!.milliseconds
        for (hour, value) in [(0, 10), (1, 20)] {
            column.append(time: first + Int64(hour) * Self.hour, duration: Self.hour, value: Int64(value))
        }
        var split = DaySplit { $0 < first + Self.hour ? 120 : 60 }
        split.add(SampleBatch(values: [column]), from: phone, arrival: 1)
        let block = split.take()[0]
        let days = CountedDay.days(of: .steps, in: [block.day: DaySummary(block)], order: SourceOrder())
        #expect(days.count == 1 && days[0].hours.map(\.start) == [first, first + Self.hour])
        #expect(days[0].hours.map(\.values.sum) == [10, 20])
    }

    @Test("ING-02c: a sample that comes again with another zone is the one that is there")
    func again() {
        var column = ValueColumn(type: .heartRate)
        for hour in 0..<24 { column.append(time: Int64(hour) * Self.hour, duration: 0, value: 600) }
        var (rome, york) = (DaySplit { _ in 120 }, DaySplit { _ in -240 })
        rome.add(SampleBatch(values: [column]), from: phone, arrival: 1)
        york.add(SampleBatch(values: [column]), from: phone, arrival: 2)
        var block = rome.take()[0]
        let later = york.take()
        #expect(later.count == 1 && block.merge(later[0]) == 0)
        #expect(block.count == 24 && block.sources[0].arrivals.allSatisfy { $0 == 1 })
    }

    @Test("ING-06c: where clocks differ by half an hour from whole ones, hours begin when they show a whole one")
    func halfHours() {
        let summaries = walk(2, from: Timestamp("2026-06-01T18:30:00Z")!, zones: (330, 330))
        let days = CountedDay.days(of: .steps, in: summaries, order: SourceOrder())
        #expect(steps(days) == ["2026-06-02": 2000])
        let first = Timestamp("2026-06-01T18:30:00Z")!.milliseconds
        #expect(days[0].hours.map(\.start) == [first, first + Self.hour])
    }

    @Test("ING-08: a position every ten minutes does not hide a recorded way; where both tell it, the preferred counts")
    func positions() {
        func block(_ every: [Int16: Int64]) -> BlockSamples {
            var block = BlockSamples(type: .position, day: CalendarDate("2026-06-01")!)
            let start = block.day.startUTC.milliseconds
            for (source, seconds) in every {
                var column = PositionColumn()
                for time in stride(from: Int64(0), to: 3600, by: Int64.Stride(seconds)) {
                    column.append(
                        PositionFix(
                            time: Timestamp(milliseconds: start + time * 1000),
                            coordinate: Coordinate(latitude: 45, longitude: 9)!))
                }
                block.append(0..<column.count, of: column, zone: 0, from: source, arrival: 1)
            }
            block.normalize()
            return block
        }
        func counted(_ block: BlockSamples) -> (Int16?, Int?) {
            let days = CountedDay.days(of: .position, in: [block.day: DaySummary(block)], order: SourceOrder([phone]))
            return (days[0].hours[0].source, block.counted(SourceOrder([phone]))?.count)
        }
        #expect(counted(block([phone: 600, watch: 1])) == (watch, 3600))
        #expect(counted(block([phone: 60, watch: 1])) == (phone, 60))
    }
}
