import Glibc
import SeededRandom
import Testing

@testable import Query
@testable import Statistics

@Suite struct DiscreteGaussianTests {
    @Test("GRP-09: noise has exactly the discrete Gaussian distribution", arguments: [1, 2, 5, 40] as [UInt64])
    func chiSquare(variance: UInt64) {
        var generator = SeededGenerator(seed: variance &* 7919)
        let sampler = DiscreteGaussian(variance: variance)
        let draws = 40_000
        var counts: [Int64: Int] = [:]
        for _ in 0..<draws { counts[sampler.sample(using: &generator), default: 0] += 1 }
        let sigma = Double(variance).squareRoot()
        func weight(_ value: Int64) -> Double { exp(-Double(value * value) / (2 * Double(variance))) }
        let far = Int64(sigma * 40) + 10
        let total = (-far...far).reduce(0.0) { $0 + weight($1) }
        // Values that are expected five times or more, and the rest as one.
        let range = (-far...far).filter { weight($0) / total * Double(draws) >= 5 }
        var statistic = 0.0
        var rest = (expected: Double(draws), seen: Double(draws))
        for value in range {
            let expected = weight(value) / total * Double(draws)
            let seen = Double(counts[value] ?? 0)
            statistic += (seen - expected) * (seen - expected) / expected
            rest.expected -= expected
            rest.seen -= seen
        }
        statistic += (rest.seen - rest.expected) * (rest.seen - rest.expected) / max(rest.expected, 1)
        let freedom = Double(range.count)
        // Wilson and Hilferty's approximation of the 99.99% point of the chi-square distribution.
        let bound = freedom * pow(1 - 2 / (9 * freedom) + 3.719 * (2 / (9 * freedom)).squareRoot(), 3)
        #expect(statistic < bound, "chi-square \(statistic) of \(freedom) degrees of freedom")
    }

    @Test("GRP-09: large variances have the right mean and spread", arguments: [12_400, 111_910_000] as [UInt64])
    func moments(variance: UInt64) {
        var generator = SeededGenerator(seed: 42)
        let sampler = DiscreteGaussian(variance: variance)
        let draws = 20_000
        var sum = 0.0
        var squares = 0.0
        for _ in 0..<draws {
            let value = Double(sampler.sample(using: &generator))
            sum += value
            squares += value * value
        }
        let sigma = Double(variance).squareRoot()
        #expect(abs(sum / Double(draws)) < 4 * sigma / Double(draws).squareRoot())
        #expect(abs(squares / Double(draws) / Double(variance) - 1) < 0.05)
    }

    @Test("The whole square root")
    func squareRoot() {
        for value in (0...1000 as ClosedRange<UInt64>) {
            let root = DiscreteGaussian.squareRoot(value)
            #expect(root * root <= value && value < (root + 1) * (root + 1))
        }
        #expect(DiscreteGaussian.squareRoot(1 << 50) == 1 << 25)
        #expect(DiscreteGaussian.squareRoot((1 << 50) - 1) == (1 << 25) - 1)
    }
}
