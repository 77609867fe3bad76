/// One opinion of where on the course a runner is: a Kalman filter of position and speed along it (constant speed),
/// and how badly it has explained the fixes so far. Where the course meets itself there is more than one, until the
/// fixes decide.
struct TrackHypothesis: Codable, Sendable, Hashable {
    /// A spread of 1.4 m/s about an easy pace: what is assumed before the first fix.
    private static let speedAssumed = 2.5
    private static let speedVarianceAssumed = 2.0
    /// How much a runner changes speed: spectral density of the acceleration, m²/s³.
    private static let acceleration = 0.1
    /// Of the cost so far, what still counts after the next fix.
    private static let memory = 0.95

    /// Metres from the start.
    private(set) var along = 0.0
    /// Metres per second, never negative.
    private(set) var speed = TrackHypothesis.speedAssumed
    private var alongVariance = 25.0
    private var covariance = 0.0
    private var speedVariance = TrackHypothesis.speedVarianceAssumed
    /// The farthest that was reached.
    private(set) var farthest = 0.0
    /// Sum of squared deviations in units of their variances; of the best hypothesis 0.
    var cost = 0.0

    enum CodingKeys: String, CodingKey {
        case along, speed, covariance, farthest, cost, alongVariance, speedVariance
    }

    /// At the start.
    init() {}

    /// Where a runner can be who gets ahead by so many metres at most.
    func window(advanceMax: Double, rules: RunnerRules) -> ClosedRange<Double> {
        farthest - rules.slackBehind...farthest + advanceMax + rules.slack
    }

    /// So many seconds later, without a fix.
    func predicted(after seconds: Double) -> TrackHypothesis {
        // After half a minute speeds no longer drift further apart, only the ways do.
        let drifting = min(seconds, 30)
        let noise = Self.acceleration
        var later = self
        later.along += speed * seconds
        later.alongVariance +=
            seconds * (2 * covariance + seconds * speedVariance)
            + noise * drifting * drifting * (drifting / 3 + seconds - drifting)
        later.covariance += seconds * speedVariance + noise * drifting * drifting / 2
        later.speedVariance += noise * drifting
        return later
    }

    /// After a fix that was matched to `match`; `noise` is the fix's, in metres.
    func corrected(_ match: Course.Match, noise: Double, length: Double, rules: RunnerRules) -> TrackHypothesis {
        let variance = alongVariance + noise * noise
        let (gain, speedGain) = (alongVariance / variance, covariance / variance)
        let error = match.along - along
        var better = self
        better.cost = cost * Self.memory + error * error / variance + match.offset * match.offset / (noise * noise)
        better.along = min(max(along + gain * error, 0), length)
        better.speed = min(max(speed + speedGain * error, 0), rules.sprintSpeedMax)
        better.speedVariance = max(speedVariance - speedGain * covariance, 1e-6)
        better.covariance = covariance * (1 - gain)
        better.alongVariance = max(alongVariance * (1 - gain), 1e-6)
        better.farthest = max(farthest, better.along)
        return better
    }
}
