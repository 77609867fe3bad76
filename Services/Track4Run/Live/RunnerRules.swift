/// What a runner can do and a receiver can be wrong by: the limits of matching (RUN-10).
struct RunnerRules: Sendable {
    /// Metres per second over a short stretch (the fastest sprint ever was 12.3).
    var sprintSpeedMax = 12.5
    /// Metres per second over a long stretch, on top of `sprintDistance`.
    var speedMax = 8.0
    /// Metres.
    var sprintDistance = 60.0
    /// Metres that a fix may be ahead of what is possible, for its noise.
    var slack = 30.0
    /// Metres behind the farthest that was reached at which a runner is still looked for.
    var slackBehind = 12.0
    /// Metres from the course beyond which a runner is off it and is not shown (RUN-09).
    var offCourseMax = 60.0
    /// Who was seen off the course is looked for so many times as far along it as the straight way from where it was
    /// left,
    var detourFactor = 1.5
    /// and so many metres more.
    var detour = 200.0
    /// Metres of uncertainty of a fix that says none; also the least that is believed.
    var noiseDefault = 8.0
    /// Fixes that claim to be less certain are not used; metres.
    var noiseMax = 100.0
    /// Metres before the end of the path within which a runner has arrived.
    var finishTolerance = 20.0
    /// Metres after which a runner has left the start.
    var startTolerance = 15.0
    /// Without a fix for so long, the runner's signal is lost.
    var lostAfter = Duration.seconds(60)

    /// The most metres in so many seconds.
    func advanceMax(_ seconds: Double) -> Double {
        min(seconds * sprintSpeedMax, sprintDistance + seconds * speedMax)
    }
}
