import Contracts
import Domain
import Primitives
import SeededRandom
import ServiceTesting
import Testing

@testable import Ingestion

/// Durations and zone offsets from the upload to every answer.
@Suite struct IntervalTests {
    private let account = UUID.random()
    private let device = UUID.random()
    private let summer = ZoneOffset(minutes: 120)
    private let start = Timestamp("2026-11-18T12:00:00Z")!
    private let november = "from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z"

    private struct Series: Decodable {
        let series: [SampleSeries]
    }

    @Test("ING-06a ING-06c REQ-08: how long a sample lasted and the offset of its local time are kept and told")
    func kept() async throws {
        try await IngestionTest.with { test in
            let hours = SampleSeries(
                type: .steps, unit: "{steps}", start: start, offsets: [0, 3_600_000],
                durations: [3_600_000, 1_800_000],
                zoneOffset: summer, values: [812, 40])
            let instant = SampleSeries(
                type: .steps, unit: "{steps}", start: start + .seconds(7200), offsets: [0], zoneOffset: .utc,
                values: [3])
            let place = SampleSeries(
                type: .position, unit: "deg", start: start, offsets: [0], zoneOffset: summer, latitudes: [45.5],
                longitudes: [9.25])
            let stored = try await test.upload(1, [hours, instant, place], device: device, of: account)
            #expect(stored.stored == 4)
            #expect(try await test.read(account).series == [hours, instant, place])
            let raw: Series = try await test.decoded(try await test.get("series?type=steps&\(november)", of: account))
            #expect(raw.series == [hours, instant])
            let track: Series = try await test.decoded(
                try await test.get("series?type=position&\(november)", of: account))
            #expect(track.series == [place])
            struct Latest: Decodable {
                struct Sample: Decodable {
                    let type: DataType
                    let durationMs: Int64?
                    let zoneOffset: ZoneOffset?
                }
                let latest: [Sample]
            }
            var latest: Latest = try await test.decoded(try await test.get("latest", of: account))
            #expect(latest.latest.map(\.type) == [.position, .steps])
            #expect(
                latest.latest.map(\.durationMs) == [nil, nil] && latest.latest.map(\.zoneOffset) == [summer, .utc])
            var nap = single(.sleep, 90, at: start)
            nap.durations = [5_400_000]
            _ = try await test.upload(2, [nap], device: device, of: account)
            latest = try await test.decoded(try await test.get("latest", of: account))
            let sleep = latest.latest.last
            #expect(sleep?.type == .sleep && sleep?.durationMs == 5_400_000)
            // The device did not tell it: it is the one of where the person lives.
            #expect(sleep?.zoneOffset == .utc)
        }
    }

    @Test("ING-02b: a duration out of range, or one that ends in the future, sinks its sample only")
    func refused() {
        let series = SampleSeries(
            type: .steps, start: start, offsets: [0, 1, 2, 3, 4],
            durations: [0, -1, 172_800_001, 172_800_000, .max], values: [1, 2, 3, 4, 5])
        let checked = SampleValidator.validated([.readable(series)], clock: SampleClock(now: start + .seconds(60)))
        #expect(checked.refused.map(\.index) == [1, 2, 3, 4])
        #expect(checked.refused.map(\.reason) == ["duration", "duration", "future", "duration"])
        let positions = SampleSeries(
            type: .position, start: start, offsets: [0], durations: [0], latitudes: [45], longitudes: [9])
        let short = SampleSeries(type: .steps, start: start, offsets: [0, 1], durations: [5], values: [1, 2])
        let shapes = SampleValidator.validated(
            [.readable(positions), .readable(short)], clock: SampleClock(now: start))
        #expect(shapes.refused.map(\.reason) == ["shape", "shape"] && shapes.refusedCount == 3)
    }

    @Test("ING-02c: samples that differ in their duration are two; those that differ in their zone only are one")
    func repeats() {
        let unknown = ZoneColumn.unknown
        var column = ValueColumn(type: .steps)
        for (duration, zone) in [(0, unknown), (500, 60), (0, 60), (500, unknown), (0, unknown)] as [(Int64, Int16)] {
            column.append(time: 7, duration: duration, value: 5, zone: zone)
        }
        column.normalize()
        #expect(
            column
                == ValueColumn(
                    type: .steps, times: [7, 7], durations: [0, 500], values: [5, 5],
                    zones: ZoneColumn(repeating: 60, count: 2)))
        var positions = PositionColumn()
        for zone in [nil, ZoneOffset.utc, nil] {
            positions.append(
                PositionFix(time: start, coordinate: Coordinate(latitude: 45, longitude: 9)!, zoneOffset: zone))
        }
        positions.normalize()
        #expect(positions.count == 1 && positions.zones[0] == 0)
    }

    @Test("A column of intervals fits to one of instants, and one without any is equal to one that never had them")
    func mixed() {
        var column = ValueColumn(type: .steps, times: [1], values: [1])
        let other = ValueColumn(type: .steps, times: [2, 3], durations: [9, 0], values: [2, 3])
        column.append(1..<2, of: other)
        #expect(column.durations == nil)
        column.append(0..<1, of: other)
        #expect(column.durations == [0, 0, 9])
        #expect(ValueColumn(type: .steps, times: [1], durations: [0], values: [1]).durations == nil)
    }

    @Test("The zones of a column are found again, whatever was put in and cut out", arguments: 0..<20)
    func zones(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var (plain, column) = ([Int16](), ZoneColumn())
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            let zone = [ZoneColumn.unknown, 60, 120].randomElement(using: &random)!
            let count = Int.random(in: 0...3, using: &random)
            plain += [Int16](repeating: zone, count: count)
            column.append(zone, count: count)
        }
        #expect(column.count == plain.count && plain.indices.map { column[$0] } == plain)
        let lower = Int.random(in: 0...plain.count, using: &random)
        let range = lower..<Int.random(in: lower...plain.count, using: &random)
        let parts = column.parts(of: range)
        #expect(parts.flatMap { [Int16](repeating: $0.minutes, count: $0.range.count) } == Array(plain[range]))
        #expect(!zip(parts, parts.dropFirst()).contains { $0.minutes == $1.minutes })
        var cut = ZoneColumn()
        cut.append(range, of: column)
        var again = ZoneColumn()
        for zone in plain[range] { again.append(zone) }
        #expect(cut == again)
    }
}
