import Domain

/// The released values of a cell: never an exact number.
struct Released: Equatable, Sendable {
    var count: Int64
    var countVariance: Int64
    /// Sum of the contributions, in steps.
    var sum: Int64
    var sumVariance: Int64

    /// The gate and the noise (GRP-02, GRP-09): `nil` unless strictly more than 1000 people are counted.
    static func release(
        _ total: ExactTotal, noise: CellNoise, using generator: inout some RandomNumberGenerator
    ) -> Released? {
        // Drawn in any case, so that the decision takes the same time.
        let countNoise = DiscreteGaussian(variance: noise.countVariance).sample(using: &generator)
        let sumNoise = DiscreteGaussian(variance: noise.sumVariance).sample(using: &generator)
        guard total.count >= peopleMin else { return nil }
        return Released(
            count: total.count + countNoise, countVariance: Int64(noise.countVariance), sum: total.sum + sumNoise,
            sumVariance: Int64(noise.sumVariance))
    }

    /// The smallest number of people about whom anything is released.
    static let peopleMin: Int64 = 1001
}
