import Contracts
import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct SampleValidatorTests {
    private let now = Timestamp("2026-11-20T10:00:00Z")!

    private func validated(_ series: [SampleSeries], clock: Bool = true) -> SampleValidator {
        SampleValidator.validated(series.map { .readable($0) }, clock: clock ? SampleClock(now: now) : nil)
    }

    @Test("ING-02: one bad sample is reported with its place and reason, and does not sink the others")
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

    @Test("ING-01: common spellings of a unit are converted, and a fraction is not taken for a percentage")
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

    @Test("SOS-05: without a clock no time is refused")
    func withoutClock() {
        let far = SampleSeries(type: .heartRate, start: Timestamp("2031-01-01T00:00:00Z")!, offsets: [0], values: [61])
        #expect(validated([far]).batch.isEmpty)
        #expect(validated([far], clock: false).batch.count == 1)
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
