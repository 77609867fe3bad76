import Glibc
public import Primitives
import SeededRandom

/// An illness of some days, as the sensors see it.
public struct Illness: Sendable, Equatable {
    public enum Kind: Sendable, CaseIterable {
        case cold, influenza, pneumonia
    }

    public let kind: Kind
    public let begins: CalendarDate
    /// At least 1.
    public let days: Int

    public init(_ kind: Kind, begins: CalendarDate, days: Int) {
        precondition(days > 0, "an illness of no day")
        self.kind = kind
        self.begins = begins
        self.days = days
    }

    /// Those of a person who falls ill once a year, each year on the same day, that begin in the years of `days`.
    public static func yearly(
        seed: UInt64, number: Int, _ days: ClosedRange<CalendarDate>
    ) -> [Illness] {
        var generator = SeededGenerator(seed: ~seed, stream: number)
        let first = generator.index(below: 365)
        let length = 4 + generator.index(below: 6)
        let kind: Kind = generator.weighted([(70, .cold), (27, .influenza), (3, .pneumonia)])
        return (days.lowerBound.year...days.upperBound.year).compactMap { year in
            CalendarDate(year: year, month: 1, day: 1).map {
                Illness(kind, begins: $0.adding(days: first), days: length)
            }
        }
    }

    /// What it adds at its worst: degrees Celsius, percent of saturation, breaths per minute.
    private var worst: (temperature: Double, saturation: Double, breaths: Double) {
        switch kind {
        case .cold: (0.6, -0.3, 1)
        case .influenza: (2.4, -1, 3)
        case .pneumonia: (2.0, -6, 8)
        }
    }

    /// How ill the person is, 0 to 1: worse through the first day, better through the last third.
    func severity(on day: CalendarDate, minute: Double) -> Double {
        let elapsed = Double(day.daysSinceEpoch - begins.daysSinceEpoch) + minute / 1440
        let length = Double(days)
        guard elapsed > 0, elapsed < length else { return 0 }
        return min(1, elapsed, (length - elapsed) / max(1, length / 3))
    }

    func change(_ severity: Double) -> VitalChange {
        let worst = worst
        return VitalChange(
            // A degree of fever costs about eight beats (Kirschen and others 2020).
            heartRate: 8 * worst.temperature * severity, temperature: worst.temperature * severity,
            saturation: worst.saturation * severity, breaths: worst.breaths * severity, stress: 25 * severity)
    }
}

/// What something adds to the vital signs.
struct VitalChange {
    var heartRate = 0.0
    var temperature = 0.0
    var saturation = 0.0
    var breaths = 0.0
    var stress = 0.0

    static func + (left: VitalChange, right: VitalChange) -> VitalChange {
        VitalChange(
            heartRate: left.heartRate + right.heartRate, temperature: left.temperature + right.temperature,
            saturation: left.saturation + right.saturation, breaths: left.breaths + right.breaths,
            stress: left.stress + right.stress)
    }
}
