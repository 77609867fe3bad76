import Domain
import Primitives

/// One hypothesis of where on the course a runner is and of the way there: a Kalman filter of position and speed along
/// the course (constant speed), the points passed, and the cost of explaining the fixes so far. Where the course meets
/// itself, and after fixes that do not fit, there are several, until later fixes decide.
struct TrackHypothesis: Codable, Sendable, Hashable {
    /// Metres per second assumed before a speed was seen; the spread about it is 1.4 m/s.
    private static let speedAssumed = 2.5
    private static let speedVarianceAssumed = 2.0
    /// How much a runner changes speed: spectral density of the acceleration, m²/s³.
    private static let acceleration = 0.1
    /// The part of the cost so far that still counts after the next fix.
    private static let memory = 0.95
    /// The cost of treating a fix as an outlier: that of one 3.5 standard deviations away.
    private static let outlierCost = 12.0
    /// The greatest cost of being beside the course, which may have been drawn badly.
    private static let besideCostMax = 11.0
    /// The greatest cost of having run further in a gap than the straight way.
    private static let detourCostMax = 15.0
    /// The greatest cost over a gap of a speed that does not fit: the runner may have rested.
    private static let restCostMax = 4.0
    /// The cost of having gone back along the course in a gap.
    private static let backCost = 5.0
    /// A fix that costs less is never treated as an outlier.
    private static let fittingCostMax = 4.0
    /// Parts of the course for which is recorded whether fixes have shown them.
    private static let cells = 64

    // MARK: Where the runner is

    /// Metres from the start.
    private(set) var along = 0.0
    /// Metres per second, never negative.
    private(set) var speed = TrackHypothesis.speedAssumed
    private var alongVariance = 25.0
    private var covariance = 0.0
    private var speedVariance = TrackHypothesis.speedVarianceAssumed
    /// The cost of the last fixes: a fading sum of squared deviations in units of their variances.
    private var deviation = 0.0
    /// The cost of the gaps. It does not fade: later fixes that fit make a lap that was not seen no more likely.
    private var gapCost = 0.0
    /// The less, the better the hypothesis.
    var cost: Double { deviation + gapCost }
    /// The farthest point since the last gap, in metres from the start: a runner who was not lost is not looked for
    /// behind it.
    private var reached = 0.0
    /// The last fix that counts; `nil` before the first.
    private(set) var last: Sighting?
    /// Its place.
    private(set) var place: RunnerProgress.Place?
    /// The last fix was not on the course.
    private(set) var isOffCourse = false
    /// Consecutive fixes on the course since the last gap.
    private(set) var fixes = 0

    // MARK: What the runner has done

    /// The farthest that was reached, in metres from the start, and when that was.
    private(set) var farthest = 0.0
    private(set) var farthestAt: Timestamp
    /// The start line.
    private(set) var start: Passage?
    /// The checkpoints that lie behind the runner, in order.
    private(set) var checkpoints: [Passage] = []
    /// The end of the course was reached, with or without enough evidence.
    private(set) var arrival: Passage?
    private(set) var finish: Passage?
    /// A bit for each part of the course that fixes have shown.
    private var covered: UInt64 = 0

    /// The hypothesis at the start.
    init(gun: Timestamp) {
        farthestAt = gun
    }

    /// Share of the course that fixes have shown.
    var coverage: Double { Double(covered.nonzeroBitCount) / Double(Self.cells) }

    // MARK: The next fix

    /// The hypotheses that follow with the next fix: one for each place on the course at which the fix may be, and one
    /// that treats it as an outlier.
    func explanations(
        of fix: PositionFix, noise: Double, gun: Timestamp, course: Course, rules: RunnerRules
    ) -> [TrackHypothesis] {
        guard finish == nil else { return [afterFinish(fix, course: course, rules: rules)] }
        let seconds = Self.seconds(fix.time - (last?.time ?? gun))
        let isUnknown = start == nil || isOffCourse
        let isGap = seconds > (isUnknown ? rules.unseenUnknownAfter : rules.unseenAfter)
        let behind = isGap ? 0 : reached - rules.slackBehind
        let matches = course.matches(
            fix.coordinate, window: behind...reached + rules.advanceMax(seconds) + rules.slack,
            offsetMax: rules.offCourseMax)
        var missed = self
        missed.deviation = deviation * Self.memory + Self.outlierCost
        missed.isOffCourse = matches.isEmpty
        let straight = isGap ? straightWay(to: fix.coordinate, course) : 0
        let followed = matches.map { match in
            let detour = max(0, match.along - along - rules.detourFactor * straight - rules.detour)
            var next = predicted(after: seconds)
            let beside = Self.square(match.offset / noise)
            next.deviation = deviation * Self.memory + min(Self.besideCostMax, beside)
            if isGap {
                next.begin(
                    at: match, noise: noise, detour: detour, isBack: match.along < reached - rules.slackBehind,
                    isSpeedKnown: !isUnknown)
            } else {
                next.correct(by: match, noise: noise, course: course, rules: rules)
            }
            let isForced = isGap && match.along - along <= rules.shortcutFactor * straight + rules.shortcut
            next.record(
                match, fix, from: self, isSeen: !isGap, isForced: isForced, gun: gun, course: course, rules: rules)
            return next
        }
        let isFitting = !isGap && followed.contains { $0.deviation - deviation * Self.memory <= Self.fittingCostMax }
        return isFitting ? followed : followed + [missed]
    }

    private func straightWay(to coordinate: Coordinate, _ course: Course) -> Double {
        let from = place.flatMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude) } ?? course.path.points[0]
        return from.distance(to: coordinate)
    }

    /// A runner who has finished may go anywhere at running speed; a fix further away costs as an outlier.
    private func afterFinish(_ fix: PositionFix, course: Course, rules: RunnerRules) -> TrackHypothesis {
        let end = course.path.points[course.path.points.count - 1]
        let seconds = max(0, Self.seconds(fix.time - (finish?.time ?? fix.time)))
        let reach = rules.offCourseMax + rules.advanceMax(seconds) + rules.slack
        var next = self
        next.deviation = deviation * Self.memory + (end.distance(to: fix.coordinate) <= reach ? 0 : Self.outlierCost)
        return next
    }

    // MARK: The filter

    /// The state so many seconds later, without a fix.
    private func predicted(after seconds: Double) -> TrackHypothesis {
        // Speeds spread for half a minute only; distances go on to spread.
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

    /// Updates the state with a match; `noise` is the fix's, in metres.
    private mutating func correct(by match: Course.Match, noise: Double, course: Course, rules: RunnerRules) {
        let variance = alongVariance + noise * noise
        let (gain, speedGain) = (alongVariance / variance, covariance / variance)
        let error = match.along - along
        deviation += error * error / variance
        along = min(max(along + gain * error, 0), course.length)
        speed = min(max(speed + speedGain * error, 0), rules.sprintSpeedMax)
        speedVariance = max(speedVariance - speedGain * covariance, 1e-6)
        covariance *= 1 - gain
        alongVariance = max(alongVariance * (1 - gain), 1e-6)
        reached = max(reached, along)
    }

    /// Restarts the filter at a match after a gap, over which the prediction is worth little.
    private mutating func begin(
        at match: Course.Match, noise: Double, detour: Double, isBack: Bool, isSpeedKnown: Bool
    ) {
        if isSpeedKnown {
            let error = match.along - along
            gapCost += min(Self.restCostMax, error * error / (alongVariance + noise * noise))
        }
        gapCost += min(Self.detourCostMax, detour / 20) + (isBack ? Self.backCost : 0)
        along = match.along
        reached = match.along
        alongVariance = noise * noise
        covariance = 0
        if !isSpeedKnown { speed = Self.speedAssumed }
        speedVariance = Self.speedVarianceAssumed
    }

    // MARK: The record

    private mutating func record(
        _ match: Course.Match, _ fix: PositionFix, from before: TrackHypothesis, isSeen: Bool, isForced: Bool,
        gun: Timestamp, course: Course, rules: RunnerRules
    ) {
        let sighting = Sighting(time: fix.time, along: along, offset: match.offset)
        func passage(at time: Timestamp) -> Passage {
            Passage(
                time: time, isSeen: isSeen || isForced && before.last != nil, before: before.last, after: sighting)
        }
        last = sighting
        place = .init(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude, time: fix.time)
        isOffCourse = false
        fixes = isSeen ? before.fixes + 1 : 1
        if isSeen { cover(from: before.along, to: along, course) }
        if start == nil, along >= rules.startTolerance {
            let since = Duration.microseconds(Int64(along / max(speed, 1.5) * 1e6))
            start = isSeen ? passage(at: max(fix.time - since, gun)) : passage(at: gun)
        }
        // A checkpoint in a gap counts as seen when the runner comes back to it.
        for index in checkpoints.indices where !checkpoints[index].isSeen && isSeen {
            let distance = course.checkpoints[index].distance
            if before.along < distance, distance <= along { checkpoints[index] = passage(at: fix.time) }
        }
        if along > farthest { reach(along, at: fix.time, on: course, passage) }
        arrive(at: fix.time, on: course, rules: rules, passage)
    }

    /// Moves the farthest point on, and records the checkpoints in between.
    private mutating func reach(
        _ farther: Double, at moment: Timestamp, on course: Course, _ passage: (Timestamp) -> Passage
    ) {
        while checkpoints.count < course.checkpoints.count, course.checkpoints[checkpoints.count].distance <= farther {
            let part = (course.checkpoints[checkpoints.count].distance - farthest) / max(farther - farthest, 1e-9)
            let took = Double((moment - farthestAt).microseconds) * min(max(part, 0), 1)
            checkpoints.append(passage(farthestAt + .microseconds(Int64(took))))
        }
        farthest = farther
        farthestAt = moment
    }

    /// Records the arrival. It is a finish when consecutive fixes show the runner there, all checkpoints were seen in
    /// order, and enough of the course was.
    private mutating func arrive(
        at moment: Timestamp, on course: Course, rules: RunnerRules, _ passage: (Timestamp) -> Passage
    ) {
        let left = course.length - along
        // A runner who turned round at the line arrives again later.
        if left > 3 * rules.finishTolerance { arrival = nil }
        guard left <= rules.finishTolerance else { return }
        let toGo = Duration.microseconds(Int64(left / max(speed, 2) * 1e6))
        let arrived = arrival ?? passage(moment + toGo)
        arrival = arrived
        let inReach = course.checkpoints.prefix { $0.distance <= course.length - rules.finishTolerance }
        guard fixes >= rules.fixesMin, coverage >= rules.coverageMin, checkpoints.count >= inReach.count,
            checkpoints.allSatisfy(\.isSeen)
        else { return }
        reach(course.length, at: max(arrived.time, farthestAt), on: course, passage)
        farthestAt = arrived.time
        finish = arrived
    }

    private mutating func cover(from: Double, to: Double, _ course: Course) {
        func cell(_ along: Double) -> Int {
            min(Self.cells - 1, max(0, Int(along / course.length * Double(Self.cells))))
        }
        for number in cell(min(from, to))...cell(max(from, to)) { covered |= 1 << UInt64(number) }
    }

    private static func seconds(_ duration: Duration) -> Double { Double(duration.microseconds) / 1e6 }
    private static func square(_ value: Double) -> Double { value * value }
}
