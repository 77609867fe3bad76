import Primitives

/// Exponential back-off with jitter: the n-th wait is drawn from the upper half of `base · 2ⁿ⁻¹`, at most `max`, so that
/// the clients of a service that comes back do not come all at once.
public struct BackOff: Sendable, Hashable {
    public var base: Duration
    public var max: Duration

    public init(base: Duration = .milliseconds(50), max: Duration = .seconds(2)) {
        self.base = base
        self.max = max
    }

    /// The wait after this many failures in a row (1 or more; 0 counts as 1).
    public func delay(afterFailures failures: Int) -> Duration {
        var random = MachineRandom()
        return delay(afterFailures: failures, random: .random(in: 0...1, using: &random))
    }

    /// `random` lies between 0 and 1.
    public func delay(afterFailures failures: Int, random: Double) -> Duration {
        let doublings = Swift.min(Swift.max(failures - 1, 0), 16)
        let ceiling = Swift.min(base * (1 << doublings), max)
        return ceiling * (0.5 + random / 2)
    }
}
