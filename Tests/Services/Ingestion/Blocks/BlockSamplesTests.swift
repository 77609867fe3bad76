import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct BlockSamplesTests {
    private static let day = CalendarDate("2026-05-01")!
    private static let midnight = Int64(day.daysSinceEpoch) * LocalTime.dayMilliseconds
    private static let hour = LocalTime.hourMilliseconds

    private func batch(_ type: DataType, _ samples: [(time: Int64, duration: Int64, value: Int64)], zone: Int16)
        -> SampleBatch
    {
        var batch = SampleBatch()
        let column = batch.column(of: type)
        for (time, duration, value) in samples {
            batch.append(column: column, time: time, duration: duration, value: value, zone: zone)
        }
        batch.normalize()
        return batch
    }

    @Test(
        "A sample lies in the UTC day of its beginning, sleep in that of its end; without a zone it has the person's")
    func days() throws {
        // Midnight of 1 May in Rome is 22:00 UTC of 30 April.
        let rome = Self.midnight - 2 * Self.hour
        var split = DaySplit { $0 < Self.midnight ? 120 : 60 }
        split.add(
            batch(.heartRate, [(rome - 1, 0, 600), (rome, 0, 610), (rome + 24 * Self.hour, 0, 620)], zone: 120),
            from: 3, arrival: 7)
        split.add(
            batch(.heartRate, [(rome - 2, 0, 590), (Self.midnight, 0, 630)], zone: ZoneColumn.unknown), from: 3,
            arrival: 8)
        split.add(
            batch(
                .sleep, [(rome - Self.hour, 8 * Self.hour, 4800), (rome - 2 * Self.hour, 2 * Self.hour - 1, 1190)],
                zone: 120),
            from: 0, arrival: 9)
        split.add(batch(.steps, [(rome - Self.hour, 8 * Self.hour, 100)], zone: 120), from: 1, arrival: 10)
        let blocks = split.take()
        let before = Self.day.adding(days: -1)
        #expect(blocks.map(\.day) == [before, before, before, Self.day, Self.day])
        #expect(blocks.map(\.type) == [.heartRate, .steps, .sleep, .heartRate, .sleep])
        #expect(blocks[0].sources[0].values.values == [590, 600, 610] && blocks[0].sources[0].arrivals == [8, 7, 7])
        #expect(blocks[3].sources[0].values.values == [630, 620] && blocks[3].lastArrival == 8)
        #expect(blocks[3].sources[0].zones.runs.map(\.minutes) == [60, 120])
        #expect(blocks[4].sources[0].values.values == [4800] && blocks[4].sources[0].source == 0)
        #expect(split.take().isEmpty)
    }

    @Test("ING-02c: of what a source sent twice the first arrival stays, sources keep theirs, and nobody gets it again")
    func merges() {
        func block(_ source: Int16, _ values: [Int64], arrival: Int64) -> BlockSamples {
            var split = DaySplit { _ in 0 }
            let samples = values.map { (time: Self.midnight + $0 * 1000, duration: Int64(0), value: $0) }
            split.add(batch(.steps, samples, zone: 0), from: source, arrival: arrival)
            return split.take()[0]
        }
        var all = block(2, [1, 2, 3], arrival: 5)
        #expect(all.merge(block(2, [3, 4, 2], arrival: 9)) == 0)
        #expect(all.merge(block(1, [2], arrival: 8)) == 0)
        #expect(all.sources.map(\.source) == [1, 2] && all.count == 5 && all.lastArrival == 9)
        #expect(all.sources[1].values.values == [1, 2, 3, 4] && all.sources[1].arrivals == [5, 5, 5, 9])
        var reverse = block(2, [3, 4, 2], arrival: 9)
        #expect(reverse.merge(block(1, [2], arrival: 8)) == 0 && reverse.merge(block(2, [1, 2, 3], arrival: 5)) == 0)
        #expect(reverse == all)
        #expect(all.batches(after: 0, through: 5).map(\.count) == [3])
        #expect(all.batches(after: 5, through: 9).map(\.count) == [1, 1])
        #expect(all.batches(after: 9, through: 99).isEmpty)
    }

    @Test("Positions are split, merged and read in the same way")
    func positions() {
        func block(_ seconds: [Int64], arrival: Int64) -> BlockSamples {
            var batch = SampleBatch()
            for second in seconds {
                batch.positions.append(
                    PositionFix(
                        time: Timestamp(milliseconds: Self.midnight + second * 1000),
                        coordinate: Coordinate(latitude: 45, longitude: 9)!, altitude: 100))
            }
            var split = DaySplit { _ in 0 }
            split.add(batch, from: 1, arrival: arrival)
            return split.take()[0]
        }
        var all = block([1, 2], arrival: 3)
        #expect(all.merge(block([0, 1], arrival: 4)) == 0)
        #expect(all.sources[0].arrivals == [4, 3, 3] && all.batches(after: 3, through: 4).map(\.count) == [1])
        #expect(DaySummary(all).sources[0].hours.map(\.values.count) == [3])
    }

    @Test("A block takes no more than it can hold")
    func limit() {
        func source(_ number: Int16, count: Int) -> SourceSamples {
            let times = (0..<count).map { Self.midnight + Int64($0) }
            return SourceSamples(
                source: number, values: ValueColumn(type: .steps, times: times, values: times),
                arrivals: times.map { _ in 1 })
        }
        var block = BlockSamples(type: .steps, day: Self.day, sources: [source(1, count: BlockSamples.samplesMax - 5)])
        let more = BlockSamples(type: .steps, day: Self.day, sources: [source(2, count: 6), source(3, count: 5)])
        #expect(block.merge(more) == 6)
        #expect(block.sources.map(\.source) == [1, 3])
        // Of a source that does not fit the first samples stay.
        var new = BlockSamples(type: .steps, day: Self.day)
        let many = source(1, count: BlockSamples.samplesMax + 3)
        #expect(new.merge(BlockSamples(type: .steps, day: Self.day, sources: [many])) == 3)
        #expect(new.count == BlockSamples.samplesMax && new.sources[0].times.first == Self.midnight)
    }
}
