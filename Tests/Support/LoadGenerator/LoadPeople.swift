import Primitives
import SeededRandom
import SimulatedPeople

/// The people whose samples a load sends.
public struct LoadPeople: Sendable {
    /// Another seed makes other people.
    public var seed: UInt64
    /// How many of them have an illness for as long as the load lasts, 0 to 1.
    public var illnessShare: Double

    public init(seed: UInt64 = 118, illnessShare: Double = 0) {
        precondition((0...1).contains(illnessShare), "a share of more than all")
        (self.seed, self.illnessShare) = (seed, illnessShare)
    }

    /// Before the first day of any load.
    private static let illnessBegins = CalendarDate(daysSinceEpoch: 20_600)
    private static let illnessDays = 1000

    /// Whether the person with this number is one of those who are ill.
    func isIll(_ person: Int) -> Bool {
        guard illnessShare > 0 else { return false }
        var generator = SeededGenerator(seed: ~seed, stream: person)
        return generator.fraction() < illnessShare
    }

    /// One whose days many people share: a load has more people than could be made up.
    func wearer(_ number: Int, isIll: Bool) -> SimulatedWearer {
        let kind = Illness.Kind.allCases[number % Illness.Kind.allCases.count]
        return SimulatedWearer(
            seed: seed, number: number,
            illnesses: isIll ? [Illness(kind, begins: Self.illnessBegins, days: Self.illnessDays)] : [])
    }
}
