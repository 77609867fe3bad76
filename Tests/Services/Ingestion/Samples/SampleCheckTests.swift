import Contracts
import Domain
import Primitives
import SeededRandom
import Testing

@testable import Ingestion

@Suite struct SampleCheckTests {
    private static let now = Timestamp("2026-11-20T10:00:00Z")!

    /// What is judged sample by sample.
    private func judged(_ series: [SampleSeries], _ clock: SampleClock) -> (batch: SampleBatch, refused: Int) {
        var (batch, refused) = (SampleBatch(), 0)
        for one in series {
            for index in one.offsets.indices {
                do {
                    if let latitudes = one.latitudes, let longitudes = one.longitudes {
                        batch.positions.append(
                            try PositionFix(
                                time: one.time(index), latitude: latitudes[index], longitude: longitudes[index],
                                altitude: one.altitudes?[index], accuracy: one.accuracies?[index],
                                zoneOffset: one.zoneOffset, clock: clock))
                    } else if let values = one.values {
                        let duration = one.durations?[index] ?? 0
                        let sample = try Measurement(
                            type: one.type, time: one.time(index), duration: .milliseconds(duration),
                            value: values[index], unit: one.unit, zoneOffset: one.zoneOffset, clock: clock)
                        batch.append(
                            column: batch.column(of: one.type), time: sample.time.milliseconds, duration: duration,
                            value: one.type.scaled(sample.value), contact: one.contact?[index],
                            zone: one.zoneOffset.column)
                    }
                } catch { refused += 1 }
            }
        }
        batch.normalize()
        return (batch, refused)
    }

    @Test(
        "ING-01 ING-02b: samples of a series are taken, converted and refused as each of them by itself",
        arguments: 1...4)
    func agrees(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (taken, refused) = (0, 0)
        for _ in 0..<1500 {
            let far = Timestamp("2031-01-01T00:00:00Z")!
            let clock =
                Int.random(in: 0..<5, using: &random) == 0
                ? SampleClock(now: Self.now, sentAt: far) : SampleClock(now: Self.now)
            let series = (0...Int.random(in: 0...3, using: &random)).map { _ in Self.series(&random) }
            let expected = judged(series, clock)
            let found = SampleValidator.validated(series.map { .readable($0) }, clock: clock)
            guard found.batch == expected.batch, found.refusedCount == expected.refused else {
                Issue.record("judged differently: \(series)")
                return
            }
            taken += expected.batch.count
            refused += expected.refused
        }
        #expect(taken > 1000 && refused > 1000)
    }

    private static func series(_ random: inout SeededGenerator) -> SampleSeries {
        let count = Int.random(in: 0...6, using: &random)
        let starts = [
            now - .seconds(60), now, now + .microseconds(299_999_001),
            Timestamp(microseconds: 315_964_800_000_000 + 86_399_999_999), Timestamp(microseconds: -1),
            Timestamp(microseconds: .min), Timestamp(microseconds: .max),
        ]
        let start = Bool.random(using: &random) ? starts[0] : starts.randomElement(using: &random)!
        let offsets = (0..<count).map { _ -> Int64 in
            [Int64.min, .max, 0, 1, 300_000, 359_999, 360_000, 360_001].filter { _ in
                Int.random(in: 0..<60, using: &random) == 0
            }.first ?? Int64.random(in: -1000...400_000, using: &random)
        }
        let zone = Int.random(in: 0..<4, using: &random) == 0 ? ZoneOffset(minutes: 120) : nil
        if Int.random(in: 0..<3, using: &random) == 0 {
            func degrees(_ around: Double) -> [Double] {
                offsets.map { _ in
                    [0, -0.0, 90, -90, 180, 90.000_000_1, .infinity].randomElement(using: &random)!
                        * (Bool.random(using: &random) ? 1 : 0) + (Bool.random(using: &random) ? around : 0)
                }
            }
            func metres(_ values: [Double?]) -> [Double?] { offsets.map { _ in values.randomElement(using: &random)! } }
            return SampleSeries(
                type: .position, start: start, offsets: offsets, zoneOffset: zone, latitudes: degrees(45.123_456_7),
                longitudes: degrees(9.765_432_1),
                altitudes: Bool.random(using: &random) ? metres([nil, 120.25, 12_000, 12_000.1, -500, -501]) : nil,
                accuracies: Bool.random(using: &random) ? metres([nil, 5, 0, -1, 100_000, 100_001]) : nil)
        }
        let (type, units) = Self.kinds.randomElement(using: &random)!
        let bounds = type.plausible
        let values = offsets.map { _ -> Double in
            let edges = [
                bounds.lowerBound, bounds.upperBound, bounds.lowerBound.nextDown, bounds.upperBound.nextUp, 0, 0.5, 1,
                .infinity,
            ]
            return Int.random(in: 0..<4, using: &random) == 0
                ? edges.randomElement(using: &random)! : .random(in: bounds, using: &random)
        }
        return SampleSeries(
            type: type, unit: units.randomElement(using: &random)!, start: start, offsets: offsets,
            durations: Int.random(in: 0..<3, using: &random) == 0
                ? offsets.map { _ in [0, 1, 60_000, 172_800_000, 172_800_001, -1].randomElement(using: &random)! }
                : nil,
            zoneOffset: zone, values: values,
            contact: Int.random(in: 0..<3, using: &random) == 0
                ? offsets.map { _ in Bool.random(using: &random) } : nil)
    }

    private static let kinds: [(DataType, [String?])] = [
        (.heartRate, [nil, "/min", "bpm", "Hz", "m"]), (.oxygenSaturation, [nil, "%", "1"]),
        (.bodyTemperature, [nil, "Cel", "°F", "K"]), (.glucose, ["mg/dL", "mmol/L"]), (.steps, [nil, "count"]),
        (.distance, ["m", "km", "mi"]), (.activity, [nil, "1"]), (.sleep, ["min", "h"]),
        (.weight, ["kg", "lb", "bpm"]),
    ]

    @Test("ING-02c: an upload is the same, however its samples are cut into series and put in order")
    func content() {
        let start = Self.now - .seconds(60)
        func one(_ order: [Int], at start: Timestamp = start, shift: Int64 = 0) -> UploadedSeries {
            .readable(
                SampleSeries(
                    type: .heartRate, unit: "/min", start: start, offsets: order.map { Int64($0) * 1000 - shift },
                    values: order.map { 60 + Double($0) }))
        }
        let content = UploadContent([one([0, 1, 2, 3])]).bytes
        for same in [
            [one([3, 1, 0, 2])], [one([0, 1]), one([2, 3])], [one([2, 3]), one([1, 0, 2])], [one([0, 1, 1, 2, 3])],
            [one([0, 1, 2, 3], at: start + .seconds(2), shift: 2000)],
        ] {
            #expect(UploadContent(same).bytes == content)
        }
        for other in [[one([0, 1, 2])], [one([0, 1, 2, 4])], [], [one([0, 1, 2, 3]), one([4])]] {
            #expect(UploadContent(other).bytes != content)
        }
    }

    @Test("ING-02c: what cannot be read is content, too, also where it holds a sample without a value")
    func unreadableContent() {
        func one(_ values: [Double]) -> UploadedSeries {
            .readable(SampleSeries(type: .heartRate, start: Self.now, offsets: [0], values: values))
        }
        let none = UploadedSeries.noNumber
        let contents = [[60, 61], [60, 62], [none, 61], [61, none], [none], [60], [0]].map {
            UploadContent([one($0)]).bytes
        }
        #expect(Set(contents).count == contents.count)
    }
}
