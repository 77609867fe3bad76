import Contracts
import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct SampleValidatorTests {
    private let now = Timestamp("2026-11-20T10:00:00Z")!

    private func validated(_ series: [SampleSeries], clock: SampleClock? = nil) -> SampleValidator {
        SampleValidator.validated(series.map { .readable($0) }, clock: clock ?? SampleClock(now: now))
    }

    @Test("ING-02b: one bad sample is reported with its place and reason, and does not sink the others")
    func judgesEach() {
        let checked = validated([
            SampleSeries(type: .heartRate, start: now, offsets: [0, 1000, 400_000, 2000], values: [61, 999, 62, 63]),
            SampleSeries(type: .steps, start: now, offsets: [0, 1], values: [5]),
            SampleSeries(type: .position, start: now, offsets: [0, 1000], latitudes: [45, 0], longitudes: [9, 0]),
        ])
        #expect(checked.batch.count == 3)
        #expect(checked.refused.map(\.series) == [0, 0, 1, 2])
        #expect(checked.refused.map(\.index) == [1, 2, nil, 1])
        #expect(checked.refused.map(\.reason) == ["implausible", "future", "shape", "no-fix"])
        #expect(checked.refusedCount == 5 && checked.refusedTimes)
    }

    @Test("ING-01cd: common spellings of a unit are converted, and a fraction is not taken for a percentage")
    func units() {
        let checked = validated([
            SampleSeries(type: .bodyTemperature, unit: "°F", start: now, offsets: [0], values: [98.6]),
            SampleSeries(type: .oxygenSaturation, unit: "%", start: now, offsets: [0], values: [0.97]),
            SampleSeries(type: .oxygenSaturation, unit: "1", start: now, offsets: [0], values: [0.97]),
            SampleSeries(type: .weight, unit: "bpm", start: now, offsets: [0], values: [70]),
        ])
        #expect(checked.batch.values.map(\.type) == [.bodyTemperature, .oxygenSaturation])
        #expect(checked.batch.values.map(\.values) == [[3700], [970]])
        #expect(checked.refused.map(\.series) == [1, 3])
        #expect(checked.refused.allSatisfy { $0.reason == "unit" })
    }

    @Test("SOS-05: by the device's own clock its times are taken, and none that no clock shows")
    func ownClock() {
        let far = Timestamp("2031-01-01T00:00:00Z")!
        let series = [
            SampleSeries(
                type: .heartRate, start: far,
                offsets: [0, 1000, 9_221_576_817_654_775, -300_000_000_000_000, .max, .min],
                values: [61, 62, 63, 64, 65, 66])
        ]
        #expect(validated(series).batch.isEmpty)
        let checked = validated(series, clock: SampleClock(now: now, sentAt: far))
        #expect(checked.batch.values.map(\.values) == [[610, 620]])
        #expect(checked.refused.map(\.reason) == ["future", "clock-never-set", "future", "clock-never-set"])
    }

    @Test("SOS-11: whether a sensor touched the person stays with its sample, whatever the order")
    func contact() {
        let checked = validated([
            SampleSeries(
                type: .heartRate, start: now - .seconds(10), offsets: [2000, 0, 1000, 0], values: [0, 0, 61, 0],
                contact: [true, false, true, false]),
            SampleSeries(type: .heartRate, start: now - .seconds(5), offsets: [0, 1000], values: [0, 62]),
            SampleSeries(type: .steps, start: now - .seconds(5), offsets: [0], values: [3]),
            SampleSeries(type: .heartRate, start: now, offsets: [0], values: [61], contact: []),
        ])
        let series = checked.batch.series()
        #expect(series.map(\.values) == [[0, 61, 0, 0, 62], [3]])
        #expect(series.map(\.contact) == [[false, true, true, false, true], nil])
        #expect(checked.refused.map(\.reason) == ["shape"])
    }

    @Test("Refusals beyond the limit are counted")
    func manyRefusals() {
        let count = SampleValidator.refusedMax + 5
        let checked = validated([
            SampleSeries(
                type: .heartRate, start: now, offsets: .init(repeating: 0, count: count),
                values: .init(repeating: -1, count: count))
        ])
        #expect(checked.refused.count == SampleValidator.refusedMax && checked.refusedCount == count)
    }
}
