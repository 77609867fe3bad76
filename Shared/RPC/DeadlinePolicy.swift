import Primitives

/// How a server turns the budget a caller sends into the time its handler gets.
public struct DeadlinePolicy: Sendable {
    /// Taken off at each hop, so that the answer still finds its caller waiting.
    public var networkAllowance: Duration
    /// With less than this left after the allowance, the work is refused rather than begun.
    public var budgetMin: Duration
    /// No handler gets more than this, whatever its caller asks for.
    public var budgetMax: Duration
    /// For a caller that names no deadline.
    public var budgetDefault: Duration

    public init(
        networkAllowance: Duration = .milliseconds(10), budgetMin: Duration = .milliseconds(5),
        budgetMax: Duration = .seconds(60), budgetDefault: Duration = .seconds(10)
    ) {
        self.networkAllowance = networkAllowance
        self.budgetMin = budgetMin
        self.budgetMax = budgetMax
        self.budgetDefault = budgetDefault
    }

    /// The time a handler gets when its caller has `milliseconds` left. Fails with `deadline` when that is too little.
    func budget(ofCaller milliseconds: Int64?) throws(RPCError) -> Duration {
        guard let milliseconds else { return budgetDefault }
        // Compared as integers first: an absurd number must not overflow a duration.
        guard milliseconds < budgetMax.milliseconds else { return budgetMax }
        let budget = Duration.milliseconds(milliseconds) - networkAllowance
        guard budget >= budgetMin else {
            throw RPCError(.deadline, "Too little time was left to begin.")
        }
        return budget
    }
}
