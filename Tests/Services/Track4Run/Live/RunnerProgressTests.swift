import Domain
import JSON
import Primitives
import Testing

@testable import Track4Run

@Suite struct RunnerProgressTests {
    static let start = Timestamp("2026-05-01T08:00:00Z")!
    let rules = RunnerRules()

    struct Outcome {
        var progress: RunnerProgress
        /// The largest difference between the distance shown and the true one, in metres.
        var errorMax = 0.0
        var wentBack = false
        /// When the path was really finished.
        var trueFinish: Timestamp
    }

    /// Runs somebody along a course; `loses` leaves out fixes.
    func run(
        _ runner: SyntheticRunner, course: Course? = nil, loses: (Double) -> Bool = { _ in false }
    ) -> Outcome {
        let course = course ?? Course(path: runner.path)
        var outcome = Outcome(
            progress: RunnerProgress(start: Self.start),
            trueFinish: Self.start + .milliseconds(Int64(runner.path.length / runner.speed * 1000)))
        for seen in runner.seen(from: Self.start) where !loses(seen.along) {
            let before = outcome.progress.distance
            _ = outcome.progress.apply(seen.fix, on: course, rules: rules)
            outcome.wentBack = outcome.wentBack || outcome.progress.distance < before
            guard outcome.progress.place?.time == seen.fix.time else { continue }
            outcome.errorMax = max(outcome.errorMax, abs(outcome.progress.distance - seen.along))
        }
        return outcome
    }

    func seconds(_ duration: Duration) -> Double { Double(duration.milliseconds) / 1000 }

    @Test(
        "RUN-10a: with 10 m of noise the distance stays within 35 m of the truth, never falls, and the finish is right to 10 s",
        arguments: [
            ("straight", Paths.path([(60, 3000)])),
            ("corners", Paths.path([(0, 400), (90, 300), (180, 200), (90, 500)])),
            ("out and back", Paths.outAndBack(metres: 1000)), ("a lap", Paths.laps(1, metres: 1200)),
            ("five laps of a track", Paths.laps(5, metres: 400)), ("an eight", Paths.eight(metres: 1600)),
        ], [1, 2, 3, 4, 5] as [UInt64])
    func noise(_ named: (String, Polyline), seed: UInt64) throws {
        let outcome = run(SyntheticRunner(path: named.1, seed: seed))
        #expect(outcome.errorMax < 35)
        #expect(!outcome.wentBack)
        let finish = try #require(outcome.progress.finishedAt)
        #expect(abs(seconds(finish - outcome.trueFinish)) < 10)
        #expect(outcome.progress.distance == named.1.length)
    }

    @Test("RUN-10: a device that gives a fix every 10 s leads to the same", arguments: [1, 2, 3] as [UInt64])
    func sparse(seed: UInt64) throws {
        for path in [Paths.outAndBack(metres: 1500), Paths.laps(4, metres: 800)] {
            let outcome = run(SyntheticRunner(path: path, interval: 10, seed: seed))
            #expect(outcome.errorMax < 60)
            #expect(abs(seconds(try #require(outcome.progress.finishedAt) - outcome.trueFinish)) < 15)
        }
    }

    @Test("RUN-10ab: on a loop nobody has finished because the finish is where the start is")
    func loopStart() {
        let path = Paths.laps(1, metres: 2000)
        let outcome = run(SyntheticRunner(path: path, seed: 7, stopsAt: 1900))
        #expect(!outcome.progress.hasFinished)
        #expect(abs(outcome.progress.distance - 1900) < 30)
    }

    @Test("RUN-10a: who turns round before the turning point is not carried on to the way back")
    func turnsEarly() {
        let path = Paths.outAndBack(metres: 1000)
        let out = SyntheticRunner(path: path, seed: 3, stopsAt: 600).seen(from: Self.start, extra: 0)
        let course = Course(path: path)
        var progress = RunnerProgress(start: Self.start)
        for seen in out { _ = progress.apply(seen.fix, on: course, rules: rules) }
        for (index, seen) in out.reversed().enumerated() {
            let time = out.last!.fix.time + .seconds(index + 1)
            _ = progress.apply(PositionFix(time: time, coordinate: seen.fix.coordinate), on: course, rules: rules)
        }
        #expect(progress.distance < 660)
        #expect(!progress.hasFinished)
    }

    @Test("RUN-10: after two minutes without a signal the runner is found again, on the right lap")
    func silence() throws {
        let path = Paths.laps(5, metres: 1000)
        let outcome = run(SyntheticRunner(path: path, seed: 5), loses: { (1500...1860).contains($0) })
        #expect(outcome.errorMax < 40)
        #expect(abs(seconds(try #require(outcome.progress.finishedAt) - outcome.trueFinish)) < 10)
    }

    @Test("RUN-10: a single wild fix moves nobody, and a jump ahead counts only as far as a runner can go")
    func wildFix() {
        let path = Paths.path([(90, 5000)])
        let course = Course(path: path)
        var progress = RunnerProgress(start: Self.start)
        for step in 1...60 {
            let fix = PositionFix(
                time: Self.start + .seconds(step), coordinate: path.point(at: Double(step) * 3))
            _ = progress.apply(fix, on: course, rules: rules)
        }
        let before = progress
        let wild = PositionFix(time: Self.start + .seconds(61), coordinate: path.point(at: 4000))
        #expect(progress.apply(wild, on: course, rules: rules) == .offCourse)
        #expect(progress.distance == before.distance)
        #expect(progress.place == before.place)
        let next = PositionFix(time: Self.start + .seconds(62), coordinate: path.point(at: 186))
        #expect(progress.apply(next, on: course, rules: rules) == .advanced)
        #expect(abs(progress.distance - 186) < 10)
    }

    @Test("RUN-09d: who leaves the course is not shown there, and comes back where the course is met again")
    func offCourse() {
        let path = Paths.path([(90, 2000)])
        let course = Course(path: path)
        var progress = RunnerProgress(start: Self.start)
        for step in 1...400 {
            let along = Double(step) * 3
            let aside = (600...750).contains(along) ? 150.0 : 0
            let coordinate = path.point(at: along).moved(metres: aside, bearing: 0)
            let outcome = progress.apply(
                PositionFix(time: Self.start + .seconds(step), coordinate: coordinate), on: course, rules: rules)
            #expect(progress.isOffCourse == (aside > 0))
            if aside > 0 {
                #expect(outcome == .offCourse)
                #expect(progress.place!.latitude < path.point(at: along).moved(metres: 60, bearing: 0).latitude)
            }
        }
        #expect(abs(progress.distance - 1200) < 10)
    }

    @Test("RUN-10c: net time begins when the start line is crossed, gun time with the run")
    func netTime() throws {
        let path = Paths.path([(90, 1000)])
        let course = Course(path: path)
        var progress = RunnerProgress(start: Self.start)
        for step in 1...450 {
            // Stands for 60 s among the crowd, then runs.
            let along = max(0, Double(step - 60) * 3)
            let fix = PositionFix(time: Self.start + .seconds(step), coordinate: path.point(at: min(along, 1000)))
            _ = progress.apply(fix, on: course, rules: rules)
        }
        #expect(abs(seconds(try #require(progress.startedAt) - Self.start) - 60) < 6)
        #expect(abs(seconds(try #require(progress.finishedAt) - Self.start) - 60 - 1000 / 3.0) < 5)
    }

    @Test("RUN-10b: who never leaves the start has not started, noise or not", arguments: [1, 2, 3, 4] as [UInt64])
    func standing(seed: UInt64) {
        let runner = SyntheticRunner(path: Paths.path([(90, 1000)]), seed: seed, stopsAt: 0.5)
        var progress = RunnerProgress(start: Self.start)
        for seen in runner.seen(from: Self.start, extra: 60) {
            _ = progress.apply(seen.fix, on: Course(path: runner.path), rules: rules)
        }
        #expect(progress.distance < 40)
        #expect(!progress.hasFinished)
    }

    @Test("RUN-10: fixes twice, late or from before the start change nothing")
    func repeats() {
        let runner = SyntheticRunner(path: Paths.outAndBack(metres: 500))
        let course = Course(path: runner.path)
        let seen = runner.seen(from: Self.start)
        var once = RunnerProgress(start: Self.start)
        for fix in seen { _ = once.apply(fix.fix, on: course, rules: rules) }
        var twice = RunnerProgress(start: Self.start)
        let early = PositionFix(time: Self.start - .seconds(5), coordinate: runner.path.point(at: 100))
        #expect(twice.apply(early, on: course, rules: rules) == .ignored)
        for (index, fix) in seen.enumerated() {
            _ = twice.apply(fix.fix, on: course, rules: rules)
            _ = twice.apply(fix.fix, on: course, rules: rules)
            _ = twice.apply(seen[index / 2].fix, on: course, rules: rules)
        }
        #expect(once == twice)
    }

    @Test("RUN-10: a progress that was stored goes on as if nothing had happened")
    func stored() throws {
        let runner = SyntheticRunner(path: Paths.laps(2, metres: 700), seed: 9)
        let course = Course(path: runner.path, checkpoints: [Checkpoint(name: "half", distance: 700)])
        var straight = RunnerProgress(start: Self.start)
        var stored = straight
        for (index, seen) in runner.seen(from: Self.start).enumerated() {
            straight.apply(heartRate: 150, at: seen.fix.time)
            stored.apply(heartRate: 150, at: seen.fix.time)
            _ = straight.apply(seen.fix, on: course, rules: rules)
            _ = stored.apply(seen.fix, on: course, rules: rules)
            if index % 50 == 0 {
                stored = try JSONDecoder().decode(RunnerProgress.self, from: try JSONEncoder().encode(stored))
            }
        }
        #expect(straight == stored)
        #expect(straight.passages.count == 1)
        #expect(straight.passages[0].isSeen)
        #expect(abs(seconds(straight.passages[0].time - Self.start) - 700 / 3.0) < 10)
    }

    @Test("RUN-09e: a runner who was not heard for a minute has lost the signal, one who has finished has not")
    func lost() {
        let runner = SyntheticRunner(path: Paths.path([(0, 300)]), stopsAt: 150)
        var progress = RunnerProgress(start: Self.start)
        let seen = runner.seen(from: Self.start, extra: 0)
        for fix in seen { _ = progress.apply(fix.fix, on: Course(path: runner.path), rules: rules) }
        let last = seen.last!.fix.time
        #expect(!progress.isSignalLost(at: last + .seconds(60), rules: rules))
        #expect(progress.isSignalLost(at: last + .seconds(61), rules: rules))
        var arrived = RunnerProgress(start: Self.start)
        let whole = SyntheticRunner(path: runner.path).seen(from: Self.start)
        for fix in whole { _ = arrived.apply(fix.fix, on: Course(path: runner.path), rules: rules) }
        #expect(!arrived.isSignalLost(at: last + .seconds(3600), rules: rules))
    }
}
