import Glibc
import Primitives
import SuiteClient

/// How somebody runs: where at which time, and when the devices are heard. Times are seconds from the start of the run.
struct RunnerPlan: Sendable, Equatable {
    enum Fate: Sendable {
        case runsThrough
        /// For one to two minutes nothing is sent; it comes afterwards.
        case losesSignal
        /// Stops on the way.
        case givesUp
    }

    /// The devices are heard from here on.
    static let begin = -20.0
    /// After the arrival, or after giving up.
    private static let waits = 30.0
    /// The fastest and the slowest, for a course of 3 km; a shorter one takes less in proportion.
    private static let seconds = 590.0...810.0
    private static let lengthUsual = 3000.0

    let length: Double
    /// When the runner crosses the line.
    let crosses: Double
    /// What the whole course takes.
    let lasts: Double
    /// Metres after which the runner stops, if that is before the end.
    let stopsAt: Double?
    let silent: Range<Double>?
    /// How much slower the middle is than the rest, in parts of the mean.
    private let unevenness: Double
    private let restingHeartRate: Double
    private let highestHeartRate: Double

    init(_ person: SimulatedPerson, length: Double, fate: Fate, using generator: inout SeededGenerator) {
        self.length = length
        crosses = generator.value(in: 1...12)
        let usual = Self.seconds.upperBound - 200 * person.fitness + 15 * generator.deviation()
        lasts =
            min(Self.seconds.upperBound, max(Self.seconds.lowerBound, usual)) * min(1, length / Self.lengthUsual)
        unevenness = generator.value(in: 0...0.15)
        let stop = generator.value(in: 0.4...0.7) * length
        let silence = generator.value(in: 120...360)
        let silentFor = generator.value(in: 70...110)
        stopsAt = fate == .givesUp ? stop : nil
        silent = fate == .losesSignal ? silence..<silence + silentFor : nil
        restingHeartRate = person.restingHeartRate
        let age = Double(Population.referenceYear - person.birthDate.year)
        // Tanaka, Monahan and Seals 2001.
        highestHeartRate = 0.85 * (208 - 0.7 * age)
    }

    /// Metres from the start line, along the course.
    func distance(at seconds: Double) -> Double {
        let part = min(1, max(0, (seconds - crosses) / lasts))
        // Its derivative is 1 + unevenness · cos(2π part).
        let way = length * (part + unevenness * sin(2 * .pi * part) / (2 * .pi))
        return min(way, stopsAt ?? length)
    }

    /// Nothing is sent after that.
    var ends: Double {
        guard let stopsAt else { return crosses + lasts + Self.waits }
        // By the unevenness the place is reached less than a twentieth of the time later than at an even pace.
        return crosses + lasts * (stopsAt / length + 0.05) + Self.waits
    }

    func isHeard(at seconds: Double) -> Bool { !(silent?.contains(seconds) ?? false) }

    /// Beats per minute.
    func heartRate(at seconds: Double) -> Double {
        let calm = restingHeartRate + 25
        guard seconds > crosses else { return calm }
        let arrival = ends - Self.waits
        let effort = 1 - exp(-(min(seconds, arrival) - crosses) / 60)
        let rest = exp(-max(0, seconds - arrival) / 60)
        return calm + (highestHeartRate - calm) * effort * rest
    }
}
