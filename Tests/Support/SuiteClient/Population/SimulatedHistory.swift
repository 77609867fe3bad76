public import Contracts
import Domain
public import Primitives

/// What a person's device measured over some days, at a coarse rate: 20 samples a day.
///
/// The values depend on the person and the day only, so that a day is the same whenever it is made, and what a group
/// statistic must come to can be computed.
public struct SimulatedHistory: Sendable {
    /// Every two hours.
    public static let heartRatesPerDay = 12
    private static let hourMilliseconds: Int64 = 3_600_000
    /// Of the middle of each two hours, on top of the pulse at rest, from midnight on.
    private static let dayCurve: [Double] = [-6, -7, -6, 2, 10, 14, 12, 11, 13, 16, 7, -1]
    /// Part of the day's steps in each four hours.
    private static let stepCurve = [0.01, 0.06, 0.27, 0.24, 0.3, 0.12]

    private let person: SimulatedPerson
    private let stream: Int

    /// `index` is the person's number in the population.
    public init(of person: SimulatedPerson, index: Int) {
        self.person = person
        stream = index
    }

    private func generator(_ day: CalendarDate) -> SeededGenerator {
        SeededGenerator(seed: Population.seed &+ UInt64(truncatingIfNeeded: Int(day.daysSinceEpoch)), stream: ~stream)
    }

    /// The heart rates of a UTC day, in beats per minute.
    public func heartRates(on day: CalendarDate) -> [Double] {
        var generator = generator(day)
        return heartRates(using: &generator)
    }

    private func heartRates(using generator: inout SeededGenerator) -> [Double] {
        let mood = 2 * generator.deviation()
        return Self.dayCurve.map { (person.restingHeartRate + $0 + mood + 3 * generator.deviation()).rounded() }
    }

    /// All that was measured on these days, in columns; `days` is not empty.
    public func series(_ days: [CalendarDate]) -> [SampleSeries] {
        let start = days[0].startUTC
        var rates = SampleSeries(type: .heartRate, start: start, offsets: [], values: [])
        var steps = SampleSeries(type: .steps, start: start, offsets: [], values: [])
        var sleep = SampleSeries(type: .sleep, start: start, offsets: [], values: [])
        var oxygen = SampleSeries(type: .oxygenSaturation, start: start, offsets: [], values: [])
        for day in days {
            var generator = generator(day)
            let midnight = (day.startUTC - start).milliseconds
            for (index, rate) in heartRates(using: &generator).enumerated() {
                rates.append(rate, at: midnight + Int64(2 * index + 1) * Self.hourMilliseconds)
            }
            let walked = 2500 + 9000 * person.fitness + 1500 * generator.deviation()
            for (index, part) in Self.stepCurve.enumerated() {
                let count = max(0, (walked * part * generator.value(in: 0.7...1.3)).rounded())
                steps.append(count, at: midnight + Int64(4 * index + 2) * Self.hourMilliseconds)
            }
            let asleep = (430 + 45 * generator.deviation()).rounded()
            sleep.append(asleep, at: midnight + 6 * Self.hourMilliseconds)
            let saturation = (96.5 + 0.8 * generator.deviation()).rounded()
            oxygen.append(min(100, saturation), at: midnight + 3 * Self.hourMilliseconds)
        }
        return [rates, steps, sleep, oxygen]
    }
}

extension SampleSeries {
    fileprivate mutating func append(_ value: Double, at offset: Int64) {
        offsets.append(offset)
        values?.append(value)
    }
}
