import Domain
import Primitives
import Testing

@testable import Track4Run

/// What makes a finish, and what does not (RUN-10).
@Suite struct EvidenceTests {
    static let start = RunnerProgressTests.start
    let rules = RunnerRules()

    /// Where somebody is at a second of the run; `nil` for no fix.
    private func run(
        _ course: Course, seconds: ClosedRange<Int>, _ place: (Int) -> Coordinate?
    ) -> RunnerProgress {
        var progress = RunnerProgress(start: Self.start)
        for second in seconds { apply(place(second), second, course, to: &progress) }
        return progress
    }

    private func apply(_ place: Coordinate?, _ second: Int, _ course: Course, to progress: inout RunnerProgress) {
        guard let place else { return }
        _ = progress.apply(
            PositionFix(time: Self.start + .seconds(second), coordinate: place), on: course, rules: rules)
    }

    /// Even, from the gun on.
    private func along(_ path: Polyline, _ second: Int, speed: Double = 3) -> Coordinate {
        path.point(at: min(path.length, Double(second) * speed))
    }

    static let loops = [
        ("a loop", Paths.laps(1, metres: 4000)), ("laps", Paths.laps(5, metres: 800)),
        ("out and back", Paths.outAndBack(metres: 2000)),
    ]

    @Test(
        "RUN-10: a first fix at the start long after the gun is no finish, on courses that end there", arguments: loops)
    func lateAtStart(_ named: (String, Polyline)) {
        for late in [60, 300, 900, 1500, 3000] {
            let progress = run(Course(path: named.1), seconds: late...late + 300) { _ in named.1.points[0] }
            #expect(
                !progress.hasFinished && !progress.hasStarted && progress.distance < 20, "\(named.0) after \(late) s")
        }
    }

    @Test("RUN-10: who starts long after the gun runs the course from its start", arguments: loops)
    func lateStart(_ named: (String, Polyline)) throws {
        let course = Course(path: named.1)
        var progress = RunnerProgress(start: Self.start)
        for second in 1200..<1200 + Int(course.length / 3) + 20 {
            apply(along(named.1, second - 1200), second, course, to: &progress)
            if second == 1300 { #expect(abs(progress.distance - 300) < 20) }
        }
        let finish = try #require(progress.finishedAt)
        #expect(abs(Double((finish - Self.start).milliseconds) / 1000 - 1200 - course.length / 3) < 10)
    }

    @Test("RUN-10: after a long silence a single fix at the line, or standing there, is no finish")
    func silence() {
        let path = Paths.path([(90, 5000)])
        let course = Course(path: path)
        var progress = run(course, seconds: 1...400) { along(path, $0) }
        apply(path.point(at: 5000), 1700, course, to: &progress)
        #expect(!progress.hasFinished && abs(progress.distance - 1200) < 15)
        // The next fixes say that it was wrong …
        var goesOn = progress
        for second in 1701...1800 { apply(along(path, second - 1300), second, course, to: &goesOn) }
        #expect(!goesOn.hasFinished && abs(goesOn.distance - 1500) < 15)
        // … or that the runner is there, without having been seen on the way.
        for second in 1701...1800 { apply(path.point(at: 5000), second, course, to: &progress) }
        #expect(!progress.hasFinished && progress.distance > 4900)
        #expect(progress.evidence.arrival != nil && progress.evidence.coverage < 0.3)
    }

    @Test("RUN-10: a gap in the middle costs nobody the finish, in front of the line neither", arguments: loops)
    func gaps(_ named: (String, Polyline)) throws {
        let course = Course(path: named.1)
        let whole = Int(course.length / 3)
        for gap in [whole / 2...whole / 2 + 110, whole - 100...whole - 5] {
            let progress = run(course, seconds: 1...whole + 30) { gap.contains($0) ? nil : along(named.1, $0) }
            let finish = try #require(progress.finishedAt, "\(named.0) without \(gap)")
            #expect(abs(Double((finish - Self.start).milliseconds) / 1000 - course.length / 3) < 10)
        }
    }

    @Test("RUN-10: who is not seen for most of the way has not finished, though seen at the end", arguments: loops)
    func unseen(_ named: (String, Polyline)) {
        let course = Course(path: named.1)
        let whole = Int(course.length / 3)
        let progress = run(course, seconds: 1...whole + 60) { second in
            (60...whole - 60).contains(second) ? nil : along(named.1, second)
        }
        #expect(!progress.hasFinished)
    }

    @Test("RUN-10: laps that nobody has seen are not counted")
    func unseenLaps() {
        let path = Paths.laps(5, metres: 800)
        let course = Course(path: path)
        // Runs one lap, rests for twenty minutes without a signal, and runs on.
        var progress = run(course, seconds: 1...270) { along(path, $0) }
        for second in 1470...1600 {
            apply(path.point(at: 810 + Double(second - 1470) * 3), second, course, to: &progress)
        }
        #expect(!progress.hasFinished)
        #expect(abs(progress.distance - 1200) < 40)
    }

    @Test("RUN-10: a checkpoint that was cut off is no finish; who comes back for it finishes then")
    func checkpoints() throws {
        // A square of 500 m sides; its third corner is a checkpoint.
        let path = Paths.path([(90, 500), (0, 500), (270, 500), (180, 500)])
        let course = Course(path: path, checkpoints: [Checkpoint(name: "corner", distance: 1000)])
        let honest = run(course, seconds: 1...690) { along(path, $0) }
        #expect(honest.hasFinished && honest.evidence.checkpoints.allSatisfy(\.isSeen))
        // Straight across from the end of the first side to that of the third, without a signal.
        var cutter = run(course, seconds: 1...166) { along(path, $0) }
        for second in 400...590 { apply(path.point(at: 1500 + Double(second - 400) * 3), second, course, to: &cutter) }
        #expect(!cutter.hasFinished)
        #expect(!cutter.evidence.checkpoints.contains { $0.isSeen })
    }

    @Test("RUN-10: a finish by wrong fixes is taken back by later ones, as long as it is not official")
    func takenBack() throws {
        let path = Paths.path([(90, 3000)])
        let course = Course(path: path)
        // The receiver loses its way for a while shortly before the end, and then shows the line for some seconds.
        var progress = run(course, seconds: 1...900) { along(path, $0) }
        for second in 940...942 { apply(path.point(at: 3000), second, course, to: &progress) }
        for second in 943...960 { apply(along(path, second), second, course, to: &progress) }
        #expect(!progress.hasFinished && abs(progress.distance - 2880) < 20)
        for second in 961...1030 { apply(along(path, second), second, course, to: &progress) }
        let finish = try #require(progress.finishedAt)
        #expect(abs(Double((finish - Self.start).milliseconds) / 1000 - 1000) < 10)
    }

    @Test("RUN-10: single wild fixes all along the way change nothing", arguments: loops)
    func outliers(_ named: (String, Polyline)) throws {
        let course = Course(path: named.1)
        let whole = Int(course.length / 3)
        let progress = run(course, seconds: 1...whole + 20) { second in
            // Far off, at the line, or across the course.
            switch second % 40 {
            case 10: along(named.1, second).moved(metres: 400, bearing: Double(second))
            case 30: second % 80 == 30 ? named.1.point(at: named.1.length) : named.1.point(at: named.1.length / 2)
            default: along(named.1, second)
            }
        }
        let finish = try #require(progress.finishedAt)
        #expect(abs(Double((finish - Self.start).milliseconds) / 1000 - course.length / 3) < 10)
    }

    @Test("RUN-10: who has finished may walk home, along the course or away from it", arguments: loops)
    func walksHome(_ named: (String, Polyline)) throws {
        let course = Course(path: named.1)
        let whole = Int(course.length / 3)
        for bearing in [0.0, 90, 180, 270] {
            let progress = run(course, seconds: 1...whole + 900) { second in
                second <= whole
                    ? along(named.1, second)
                    : named.1.points[0].moved(metres: Double(second - whole) * 1.4, bearing: bearing)
            }
            let finish = try #require(progress.finishedAt)
            #expect(abs(Double((finish - Self.start).milliseconds) / 1000 - course.length / 3) < 10)
        }
    }

    @Test("RUN-10: fixes in disorder are noticed where something is missing, and only there")
    func disorder() {
        let path = Paths.path([(90, 3000)])
        let course = Course(path: path)
        var progress = run(course, seconds: 1...100) { $0 % 20 < 5 ? along(path, $0) : nil }
        func outcome(_ second: Int) -> RunnerProgress.Outcome {
            progress.apply(
                PositionFix(time: Self.start + .seconds(second), coordinate: along(path, second)), on: course,
                rules: rules)
        }
        #expect(outcome(50) == .outOfOrder)
        #expect(outcome(62) == .ignored)
    }
}
