/// The public bounds [L, U] of one person's contribution to a group statistic, and the steps it is rounded to (GRP-09).
/// There are at most 1024 steps, an even number of them, so that the centre is a step as well.
public struct GroupBounds: Hashable, Sendable {
    public let lower: Double
    public let upper: Double
    public let step: Double
    /// Number of steps from `lower` to `upper`.
    public let steps: Int

    init(_ lower: Double, _ upper: Double, step: Double) {
        self.lower = lower
        self.upper = upper
        self.step = step
        steps = Int(((upper - lower) / step).rounded())
    }

    /// The contribution: the value clamped and rounded, as steps above the centre (−steps/2 … steps/2).
    /// A value that is not a number counts as the lower bound.
    public func contribution(_ value: Double) -> Int32 {
        let clamped = value > lower ? min(value, upper) : lower
        return Int32(((clamped - lower) / step).rounded()) - Int32(steps / 2)
    }

    /// The value that stands for that many steps above the centre; fractions arise from means.
    public func value(_ contribution: Double) -> Double { (lower + upper) / 2 + contribution * step }
}
