public import Domain
public import SeededRandom

/// What stays the same about a simulated person from day to day.
public struct SimulatedBody: Sendable, Equatable {
    /// In years.
    public var age: Int
    /// 0 (never moves) to 1 (athlete).
    public var fitness: Double
    /// Beats per minute, awake and at rest.
    public var restingHeartRate: Double
    /// In kilograms.
    public var weight: Double
    /// Of a step, in metres.
    public var stride: Double
    /// When the person gets up on workdays, in minutes after midnight.
    public var wakes: Double
    /// How long the person sleeps, in minutes.
    public var asleep: Double
    public var home: Coordinate
    /// `nil`: works at home or not at all.
    public var work: Coordinate?
    /// What the sensors read beside the truth, in parts of it.
    var sensorBias: Double
    /// What the phone counts of the watch's steps.
    var phoneShare: Double

    /// A body of the given age and fitness, in the given city, or of any.
    public init(
        age: Int? = nil, fitness: Double? = nil, residence: BelfioreCode? = nil, using generator: inout SeededGenerator
    ) {
        let age = age ?? 18 + generator.index(below: 70)
        let fitness = fitness ?? generator.fraction()
        self.age = age
        self.fitness = fitness
        restingHeartRate = (75 - 18 * fitness + 3 * generator.deviation()).rounded()
        weight = 72 + 11 * generator.deviation()
        stride = 0.72 + 0.05 * generator.deviation()
        wakes = 400 + 35 * generator.deviation()
        asleep = (age > 65 ? 410 : 445) + 25 * generator.deviation()
        let city = residence.flatMap(ItalianCity.city) ?? ItalianCity.any(using: &generator)
        home = city.place(using: &generator)
        let goesToWork = (20...64).contains(age) && generator.index(below: 100) < 65
        work = goesToWork ? city.place(using: &generator) : nil
        sensorBias = 0.01 * generator.deviation()
        phoneShare = generator.value(in: 0.85...0.97)
    }

    /// Beats per minute at the greatest effort (Tanaka, Monahan and Seals 2001).
    var heartRateMax: Double { 208 - 0.7 * Double(age) }
}
