/// Bounds what retries add to the load of a service in trouble: every first call earns a fraction of a retry, and a few
/// are saved up.
struct RetryBudget {
    private let earnedPerCall: Double
    private let savedMax: Double
    private var saved: Double

    /// With `ratio` 0.1, retries are at most a tenth of the calls, beyond the `savedMax` that a quiet client may spend.
    init(ratio: Double, savedMax: Double) {
        earnedPerCall = ratio
        self.savedMax = savedMax
        saved = savedMax
    }

    mutating func earn() {
        saved = min(saved + earnedPerCall, savedMax)
    }

    /// Whether one more retry may be made; it is paid for by asking.
    mutating func spend() -> Bool {
        guard saved >= 1 else { return false }
        saved -= 1
        return true
    }
}
