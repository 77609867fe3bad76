/// The limits of matching: what runners can do, and how wrong receivers can be (RUN-10).
struct RunnerRules: Sendable {
    // MARK: Runners

    /// Metres per second over a short stretch (the fastest sprint ever was 12.3).
    var sprintSpeedMax = 12.5
    /// Metres per second over a long stretch, on top of `sprintDistance`.
    var speedMax = 8.0
    /// Metres.
    var sprintDistance = 60.0

    // MARK: Receivers

    /// Metres that a fix may be ahead of what is possible, for its noise.
    var slack = 30.0
    /// Metres behind the farthest that was reached at which a runner is still looked for.
    var slackBehind = 12.0
    /// Uncertainty in metres of a fix that states none; smaller ones that are stated count as this.
    var noiseDefault = 8.0
    /// Metres; fixes that state a larger uncertainty are not used.
    var noiseMax = 100.0
    /// Metres from the course beyond which a runner is off it and is not shown (RUN-09).
    var offCourseMax = 60.0

    // MARK: Gaps

    /// Seconds; between two fixes that are further apart the way counts as unseen.
    var unseenAfter = 120.0
    /// The same before the start, when the runner's speed is unknown, and for a runner seen off the course.
    var unseenUnknownAfter = 20.0
    /// Over a gap a runner advances along the course by at most so many times the straight way,
    var detourFactor = 1.5
    /// and so many metres. More is assumed only where nothing else explains the fixes: a runner who is seen again where
    /// the course meets itself has run the shortest possible way.
    var detour = 200.0

    /// A checkpoint in a gap counts as passed when the way over it is hardly longer than the straight one: at most so
    /// many times,
    var shortcutFactor = 1.1
    /// and so many metres.
    var shortcut = 50.0

    // MARK: Evidence

    /// Consecutive fixes without a gap that prove a place.
    var fixesMin = 3
    /// Of the course that fixes must have shown before a finish counts; the rest may lie in gaps.
    var coverageMin = 2.0 / 3
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
