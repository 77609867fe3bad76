import Domain
import Primitives

/// How far a runner is along the course (RUN-10): hypotheses of position and speed along the path, fed with fixes.
/// Pure, and the same whatever fixes are applied twice or late: what is not newer is ignored.
struct RunnerProgress: Codable, Sendable, Hashable {
    enum Outcome: Sendable, Hashable {
        case advanced
        /// Not newer than what is known, before the start or after the end.
        case ignored
        case offCourse
        case finished
    }

    /// Where the runner is shown.
    struct Place: Codable, Sendable, Hashable {
        var latitude: Double
        var longitude: Double
        var time: Timestamp
    }

    /// Hypotheses that are followed at a time.
    private static let hypothesesMax = 4
    /// One that costs so much more than the best is given up.
    private static let costMax = 25.0
    /// Two that are nearer to each other, in metres, are one.
    private static let sameWithin = 3.0

    /// The start of the run.
    private let gun: Timestamp
    /// The best first; never empty.
    private var hypotheses = [TrackHypothesis()]
    /// The time of the last fix that counted; the start of the run before the first.
    private(set) var time: Timestamp
    /// The farthest that was reached, in metres from the start.
    private(set) var distance = 0.0
    /// When that was.
    private(set) var distanceAt: Timestamp
    /// The last place on the course.
    private(set) var place: Place?
    /// The last fix, on the course or off it.
    private(set) var heardAt: Timestamp?
    private(set) var isOffCourse = false
    /// When the start line was crossed: net time counts from here.
    private(set) var startedAt: Timestamp?
    private(set) var finishedAt: Timestamp?
    /// When each checkpoint passed so far was passed.
    private(set) var passages: [Timestamp] = []
    private(set) var heartRate = HeartRateTrace()

    enum CodingKeys: String, CodingKey {
        case gun, hypotheses, time, distance, place, passages, distanceAt, heardAt, isOffCourse, startedAt,
            finishedAt, heartRate
    }

    /// At the start of the run.
    init(start: Timestamp) {
        gun = start
        time = start
        distanceAt = start
    }

    var hasStarted: Bool { startedAt != nil }
    var hasFinished: Bool { finishedAt != nil }

    /// Estimated metres from the start; may go back a little, unlike `distance`.
    var along: Double { hypotheses.first?.along ?? 0 }
    /// Metres per second along the course.
    var speed: Double { hypotheses.first?.speed ?? 0 }

    /// Seconds per kilometre at the moment; `nil` for who hardly moves or has arrived.
    var pace: Double? { hasFinished || speed < 0.5 || place == nil ? nil : 1000 / speed }

    func isSignalLost(at now: Timestamp, rules: RunnerRules) -> Bool {
        !hasFinished && now - (heardAt ?? time) > rules.lostAfter
    }

    /// Takes a fix into account that was made in the time of the run.
    mutating func apply(_ fix: PositionFix, on course: Course, rules: RunnerRules) -> Outcome {
        guard !hasFinished, fix.time > time, fix.time > heardAt ?? time else { return .ignored }
        let noise = max(fix.accuracy ?? rules.noiseDefault, rules.noiseDefault)
        guard noise <= rules.noiseMax else { return .ignored }
        heardAt = fix.time
        let seconds = Double((fix.time - time).microseconds) / 1e6
        let followed = follow(fix.coordinate, noise: noise, seconds: seconds, course: course, rules: rules)
        isOffCourse = followed.isEmpty
        guard !isOffCourse else { return .offCourse }
        hypotheses = followed
        time = fix.time
        place = Place(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude, time: fix.time)
        advance(on: course, rules: rules)
        return hasFinished ? .finished : .advanced
    }

    /// The hypotheses that explain the next fix, the best first; none when the fix is off the course.
    private func follow(
        _ coordinate: Coordinate, noise: Double, seconds: Double, course: Course, rules: RunnerRules
    ) -> [TrackHypothesis] {
        var next: [TrackHypothesis] = []
        let advanceMax = min(rules.advanceMax(seconds), detourMax(to: coordinate, course: course, rules: rules))
        for hypothesis in hypotheses {
            let predicted = hypothesis.predicted(after: seconds)
            let matches = course.matches(
                coordinate, window: hypothesis.window(advanceMax: advanceMax, rules: rules),
                offsetMax: rules.offCourseMax)
            next += matches.map { predicted.corrected($0, noise: noise, length: course.length, rules: rules) }
        }
        guard next.count > 1 else {
            next.indices.forEach { next[$0].cost = 0 }
            return next
        }
        next.sort { $0.cost < $1.cost }
        let least = next[0].cost
        var kept: [TrackHypothesis] = []
        for var hypothesis in next where kept.count < Self.hypothesesMax && hypothesis.cost - least <= Self.costMax {
            guard !kept.contains(where: { abs($0.along - hypothesis.along) < Self.sameWithin }) else { continue }
            hypothesis.cost -= least
            kept.append(hypothesis)
        }
        return kept
    }

    /// The most metres along the course that somebody can be ahead who was seen off it: it is met again near where
    /// it was left, so that walking back to a loop's start is no lap.
    private func detourMax(to coordinate: Coordinate, course: Course, rules: RunnerRules) -> Double {
        guard isOffCourse else { return .infinity }
        let left =
            place.flatMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude) } ?? course.path.points[0]
        return rules.detourFactor * left.distance(to: coordinate) + rules.detour
    }

    /// Takes a heart rate into account, in beats per minute.
    mutating func apply(heartRate value: Double, at time: Timestamp) {
        heartRate.add(value, at: time)
    }

    /// It is not to be known.
    mutating func forgetHeartRate() { heartRate = HeartRateTrace() }

    /// Whether this knows of a later fix or value than `other` does.
    func isNewer(than other: RunnerProgress) -> Bool {
        (heardAt ?? gun, heartRate.count) > (other.heardAt ?? other.gun, other.heartRate.count)
    }

    // MARK: What follows

    private mutating func advance(on course: Course, rules: RunnerRules) {
        if startedAt == nil, along >= rules.startTolerance {
            let since = Duration.microseconds(Int64(along / max(speed, 1.5) * 1e6))
            startedAt = max(time - since, gun)
        }
        if along >= course.length - rules.finishTolerance {
            let left = Duration.microseconds(Int64((course.length - along) / max(speed, 2) * 1e6))
            finishedAt = time + left
            startedAt = startedAt ?? gun
            reach(course.length, at: time + left, on: course)
        } else if along > distance {
            reach(along, at: time, on: course)
        }
    }

    /// Moves the farthest point on, and notes the checkpoints in between.
    private mutating func reach(_ farther: Double, at moment: Timestamp, on course: Course) {
        while passages.count < course.checkpoints.count, course.checkpoints[passages.count].distance <= farther {
            let part = (course.checkpoints[passages.count].distance - distance) / max(farther - distance, 1e-9)
            let took = Double((moment - distanceAt).microseconds) * min(max(part, 0), 1)
            passages.append(distanceAt + .microseconds(Int64(took)))
        }
        distance = farther
        distanceAt = moment
    }
}
