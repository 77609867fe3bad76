import Domain
import Primitives

/// A runner's progress along the course (RUN-10): hypotheses of the runner's place, updated with fixes in the order of
/// their times. Without I/O. A fix that is not newer than the last one changes nothing, but may show that fixes are
/// missing.
struct RunnerProgress: Codable, Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
        case advanced
        /// Before the start, too uncertain, or not newer than what is known.
        case ignored
        /// Older than the last fix, and made in a time without fixes: all fixes have to be applied again in order.
        case outOfOrder
        case offCourse
        case finished
    }

    /// The place at which the runner is shown.
    struct Place: Codable, Sendable, Hashable {
        var latitude: Double
        var longitude: Double
        var time: Timestamp
    }

    /// A time without fixes.
    struct Hole: Codable, Sendable, Hashable {
        let from: Timestamp
        let to: Timestamp
    }

    /// Hypotheses that are followed at a time.
    private static let hypothesesMax = 6
    /// A hypothesis that costs so much more than the best is dropped.
    private static let costMax = 40.0
    /// Two hypotheses nearer to each other, in metres, are merged.
    private static let sameWithin = 3.0
    /// Shorter times without a fix are usual.
    private static let holeMin = Duration.seconds(15)
    private static let holesMax = 16

    /// The start of the run.
    private let gun: Timestamp
    /// The best first; never empty.
    private var hypotheses: [TrackHypothesis]
    /// Index of the best hypothesis that more than one fix supports.
    private var shown = 0
    /// The last fix, on the course or off it.
    private(set) var heardAt: Timestamp?
    /// The latest times without fixes.
    private var holes: [Hole] = []
    private(set) var heartRate = HeartRateTrace()
    /// How often all fixes were applied again from the first on.
    private(set) var generation = 0

    /// The progress at the start of the run.
    init(start: Timestamp, generation: Int = 0) {
        gun = start
        hypotheses = [TrackHypothesis(gun: start)]
        distanceAt = start
        self.generation = generation
    }

    // MARK: What is known

    private var best: TrackHypothesis { hypotheses[shown] }

    /// The time of the last fix that counted; the start of the run before the first.
    var time: Timestamp { best.last?.time ?? gun }
    /// The farthest that was reached, in metres from the start, and when that was. Falls only where fixes have turned out to
    /// be wrong.
    private(set) var distance = 0.0
    private(set) var distanceAt: Timestamp
    /// The last place on the course.
    var place: Place? { best.place }
    var isOffCourse: Bool { best.isOffCourse }
    /// When the start line was crossed: net time counts from here.
    var startedAt: Timestamp? { best.start?.time }
    var finishedAt: Timestamp? { best.finish?.time }
    /// The checkpoints passed so far.
    var passages: [Passage] { best.checkpoints }
    var hasStarted: Bool { startedAt != nil }
    var hasFinished: Bool { finishedAt != nil }
    /// Estimated metres from the start; may go back, unlike `distance`.
    var along: Double { best.along }
    /// Metres per second along the course.
    var speed: Double { best.speed }

    /// Seconds per kilometre at the moment; `nil` for who hardly moves or has arrived.
    var pace: Double? { hasFinished || speed < 0.5 || place == nil ? nil : 1000 / speed }

    /// The evidence of the result.
    var evidence: Evidence {
        let best = best
        return Evidence(
            start: best.start, checkpoints: best.checkpoints, arrival: best.arrival, isFinish: best.finish != nil,
            coverage: (best.coverage * 100).rounded() / 100)
    }

    func isSignalLost(at now: Timestamp, rules: RunnerRules) -> Bool {
        !hasFinished && now - (heardAt ?? gun) > rules.lostAfter
    }

    /// Whether this has been recomputed more often than `other`, or knows a later fix or heart rate.
    func isNewer(than other: RunnerProgress) -> Bool {
        (generation, heardAt ?? gun, heartRate.count) > (
            other.generation, other.heardAt ?? other.gun, other.heartRate.count
        )
    }

    // MARK: What comes in

    /// Applies a fix that was made in the time of the run.
    mutating func apply(_ fix: PositionFix, on course: Course, rules: RunnerRules) -> Outcome {
        let noise = max(fix.accuracy ?? rules.noiseDefault, rules.noiseDefault)
        guard fix.time > gun, noise <= rules.noiseMax else { return .ignored }
        let known = heardAt ?? gun
        guard fix.time > known else {
            return holes.contains { $0.from < fix.time && fix.time < $0.to } ? .outOfOrder : .ignored
        }
        if fix.time - known > Self.holeMin {
            holes.append(Hole(from: known, to: fix.time))
            if holes.count > Self.holesMax { holes.removeFirst() }
        }
        heardAt = fix.time
        hypotheses = Self.likely(
            hypotheses.flatMap { $0.explanations(of: fix, noise: noise, gun: gun, course: course, rules: rules) })
        shown = hypotheses.firstIndex { $0.fixes >= rules.fixesMin || $0.finish != nil } ?? 0
        // The distance falls only by more than the noise: equally good hypotheses would move it to and fro.
        if hasFinished || !(distance - rules.slack...distance).contains(best.farthest) {
            (distance, distanceAt) = (best.farthest, best.farthestAt)
        }
        return hasFinished ? .finished : isOffCourse ? .offCourse : .advanced
    }

    /// The hypotheses that explain the fixes best, the best first.
    private static func likely(_ all: [TrackHypothesis]) -> [TrackHypothesis] {
        let sorted = all.sorted { $0.cost < $1.cost }
        let least = sorted[0].cost
        var kept: [TrackHypothesis] = []
        for hypothesis in sorted where kept.count < hypothesesMax && hypothesis.cost - least <= costMax {
            guard !kept.contains(where: { abs($0.along - hypothesis.along) < sameWithin }) else { continue }
            kept.append(hypothesis)
        }
        return kept
    }

    /// Applies a heart rate, in beats per minute.
    mutating func apply(heartRate value: Double, at time: Timestamp) {
        heartRate.add(value, at: time)
    }

    /// Deletes the heart rate, which nobody may see any more.
    mutating func forgetHeartRate() { heartRate = HeartRateTrace() }
}

/// The evidence of a runner's result.
struct Evidence: Codable, Sendable, Hashable {
    let start: Passage?
    let checkpoints: [Passage]
    /// The end of the course was reached.
    let arrival: Passage?
    /// The arrival counts as finish.
    let isFinish: Bool
    /// Share of the course that fixes have shown, 0 to 1.
    let coverage: Double
}
