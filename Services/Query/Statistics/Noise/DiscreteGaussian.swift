/// Exact samples of the discrete Gaussian distribution on the integers, P(x) ∝ exp(−x² / 2σ²): algorithms 1 to 3 of
/// Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy" (2020). Integer arithmetic only, as a
/// floating-point sampler would leak through its rounding.
struct DiscreteGaussian: Sendable {
    /// Largest variance: σ² and what is computed from it stay within 128 bits.
    static let varianceMax: UInt64 = 1 << 50

    /// σ², a whole number.
    let variance: UInt64
    /// ⌊σ⌋ + 1: the scale of the discrete Laplace distribution that proposes.
    private let scale: UInt64

    /// - Precondition: 1 ≤ variance ≤ `varianceMax`.
    init(variance: UInt64) {
        precondition((1...Self.varianceMax).contains(variance), "variance out of range")
        self.variance = variance
        scale = Self.squareRoot(variance) + 1
    }

    func sample(using generator: inout some RandomNumberGenerator) -> Int64 {
        while true {
            let proposal = laplace(using: &generator)
            // Accept with exp(−(|y| − σ²/t)² / 2σ²) = exp(−(|y|·t − σ²)² / 2σ²t²).
            let product = UInt128(proposal.magnitude) * UInt128(scale)
            let distance = product > UInt128(variance) ? product - UInt128(variance) : UInt128(variance) - product
            // Beyond 2⁶³ the exponent is over 2²⁴ for every variance allowed: never drawn in any lifetime.
            guard distance < 1 << 63 else { continue }
            let denominator = 2 * UInt128(variance) * UInt128(scale) * UInt128(scale)
            if Self.bernoulliExponential(distance * distance, denominator, using: &generator) { return proposal }
        }
    }

    /// P(x) ∝ exp(−|x| / t), algorithm 2 with s = 1.
    private func laplace(using generator: inout some RandomNumberGenerator) -> Int64 {
        while true {
            let remainder = generator.next(upperBound: scale)
            guard Self.bernoulliExponential(UInt128(remainder), UInt128(scale), using: &generator) else { continue }
            var quotient: UInt64 = 0
            while Self.bernoulliExponential(1, 1, using: &generator) { quotient += 1 }
            let magnitude = Int64(remainder + scale * quotient)
            let isNegative = generator.next(upperBound: 2 as UInt64) == 1
            if isNegative, magnitude == 0 { continue }
            return isNegative ? -magnitude : magnitude
        }
    }

    /// True with probability exp(−numerator / denominator), algorithm 1.
    private static func bernoulliExponential(
        _ numerator: UInt128, _ denominator: UInt128, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        var whole = numerator / denominator
        while whole > 0 {
            guard bernoulliExponentialFraction(1, 1, using: &generator) else { return false }
            whole -= 1
        }
        return bernoulliExponentialFraction(numerator % denominator, denominator, using: &generator)
    }

    /// The same for numerator ≤ denominator: the first k at which a coin of numerator / (k · denominator) fails is odd.
    private static func bernoulliExponentialFraction(
        _ numerator: UInt128, _ denominator: UInt128, using generator: inout some RandomNumberGenerator
    ) -> Bool {
        var count: UInt128 = 1
        while generator.next(upperBound: denominator * count) < numerator { count += 1 }
        return count % 2 == 1
    }

    /// ⌊√value⌋, by Newton's method.
    static func squareRoot(_ value: UInt64) -> UInt64 {
        guard value > 1 else { return value }
        var root = UInt64(1) << UInt64((65 - value.leadingZeroBitCount) / 2)
        while true {
            let next = (root + value / root) / 2
            if next >= root { return root }
            root = next
        }
    }
}
