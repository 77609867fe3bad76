import Domain
import Glibc
import SeededRandom

/// The vital signs of a person in the course of a day, step by step: the heart follows what the person does with a delay, and
/// wanders on its own.
struct VitalSigns {
    /// What the watch's sensors read.
    struct Reading {
        var heartRate: Double
        var saturation: Double
        var breaths: Double
        var temperature: Double
        var stress: Double
    }

    private let body: SimulatedBody
    private var generator: SeededGenerator
    private var heartRate: Double
    private var wander = 0.0
    private var slowWander = 0.0

    init(_ body: SimulatedBody, using generator: SeededGenerator) {
        self.body = body
        self.generator = generator
        heartRate = body.restingHeartRate - 6
    }

    /// The readings `minute`s after midnight, `seconds` after those before. `change` is what an illness adds.
    mutating func next(_ doing: DayPlan.Doing, minute: Double, seconds: Double, _ change: VitalChange) -> Reading {
        let target = goal(doing, minute) + change.heartRate
        // It rises faster than it falls.
        let delay = target > heartRate ? 35.0 : 70
        heartRate += (target - heartRate) * (1 - exp(-seconds / delay))
        wander = advanced(wander, deviation: 2, memory: 120, seconds)
        slowWander = advanced(slowWander, deviation: 1, memory: 2400, seconds)
        let effort = max(0, heartRate - body.restingHeartRate) / (body.heartRateMax - body.restingHeartRate)
        let beats = heartRate + wander * (1 + effort) + 2 * slowWander + 0.8 * generator.deviation()
        // Warmest in the afternoon.
        let warmth = 36.55 + 0.35 * sin((minute - 660) / 1440 * 2 * .pi)
        let isAsleep = doing == .asleep
        return Reading(
            heartRate: min(215, max(34, (beats * (1 + body.sensorBias)).rounded())),
            saturation: min(
                100,
                max(
                    75,
                    ((isAsleep ? 95.8 : 97) + change.saturation + 0.5 * slowWander + 0.6 * generator.deviation())
                        .rounded())
            ),
            breaths: Self.rounded(
                max(
                    6, (isAsleep ? 13 : 14.5) + 22 * effort + change.breaths + slowWander + 0.5 * generator.deviation()),
                0.5),
            temperature: Self.rounded(
                warmth + 0.6 * effort + change.temperature + 0.1 * slowWander + 0.02 * generator.deviation(), 0.01),
            stress: min(
                100,
                max(
                    1,
                    ((isAsleep ? 12 : 30 + (doing == .working ? 12 : 0)) + 30 * effort + change.stress + 6 * slowWander
                        + 2 * generator.deviation()).rounded())))
    }

    /// What the heart settles at, in beats per minute.
    private func goal(_ doing: DayPlan.Doing, _ minute: Double) -> Double {
        let reserve = body.heartRateMax - body.restingHeartRate
        return switch doing {
        // Deep and light sleep take turns, about every hour and a half.
        case .asleep: body.restingHeartRate - 7 + 3 * sin(minute / 92 * 2 * .pi)
        case .resting: body.restingHeartRate + 0.03 * reserve
        case .working: body.restingHeartRate + 0.06 * reserve
        case .driving: body.restingHeartRate + 0.07 * reserve
        case .busy: body.restingHeartRate + 0.16 * reserve
        case .walking: body.restingHeartRate + (0.38 - 0.1 * body.fitness) * reserve
        case .running: body.restingHeartRate + (0.68 + 0.08 * body.fitness) * reserve
        }
    }

    /// A first-order autoregression with this standard deviation that forgets within `memory` seconds.
    private mutating func advanced(
        _ value: Double, deviation: Double, memory: Double, _ seconds: Double
    ) -> Double {
        let kept = exp(-seconds / memory)
        return value * kept + deviation * (1 - kept * kept).squareRoot() * generator.deviation()
    }

    static func rounded(_ value: Double, _ step: Double) -> Double {
        // In whole parts, so that 0.1 is written as 0.1.
        let parts = (1 / step).rounded()
        return (value * parts).rounded() / parts
    }
}
