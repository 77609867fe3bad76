import Domain
import Primitives
import SuiteClient
import Testing

@testable import Simulator

@Suite("Courses of simulated runs")
struct RaceCourseTests {
    private let courses: [RaceCourse]

    init() throws { courses = try RaceCourse.milan() }

    @Test("a course is about 3 km long, in steps of a few metres, in Milan")
    func length() {
        for course in courses {
            #expect((2600...3100).contains(course.line.length), "\(course.name): \(course.line.length)")
            let steps = zip(course.line.distances, course.line.distances.dropFirst()).map { $1 - $0 }
            #expect((steps.max() ?? 0) < 60, "\(course.name)")
            for point in course.line.points {
                #expect((45.40...45.56).contains(point.latitude) && (9.05...9.30).contains(point.longitude))
            }
        }
    }

    @Test("checkpoints lie on their course, so far apart that each is found behind the one before it")
    func checkpoints() throws {
        let start = Timestamp("2026-05-04T10:00:00Z")!
        for course in courses {
            let form = course.form(from: start, to: start + RaceSchedule.period)
            let drawn = try #require(form.checkpoints)
            #expect(drawn.count == 3 && Set(drawn.map(\.name)).count == 3)
            var before = 0.0
            for (checkpoint, one) in zip(course.checkpoints, drawn) {
                #expect((400...1000).contains(checkpoint.distance - before), "\(course.name)")
                let point = try #require(Coordinate(latitude: one.coordinates[1], longitude: one.coordinates[0]))
                let window = max(0, before + 200)...before + 1200
                let found = course.line.project(point, window: window)
                #expect(found.offset < 1 && abs(found.distance - checkpoint.distance) < 5, "\(course.name)")
                before = checkpoint.distance
            }
        }
    }

    @Test("no course runs along another one: runs of one day may not share their way")
    func apart() {
        for (index, course) in courses.enumerated() {
            for other in courses[(index + 1)...] {
                let nearest = course.line.points.map { other.line.project($0).offset }.min() ?? 0
                #expect(nearest > 300, "\(course.name), \(other.name)")
            }
        }
    }

    @Test("a course that is no path, or too short for its checkpoints, is refused")
    func refused() {
        #expect(throws: SuiteError.self) { try RaceCourse("", in: "", checkpoints: [], through: [(45, 9)]) }
        #expect(throws: SuiteError.self) {
            try RaceCourse("", in: "", checkpoints: ["A", "B"], through: [(45, 9), (45.01, 9)])
        }
    }

    @Test("a run says when it starts and how long it is as Italians write it, and takes people until its start")
    func form() {
        let start = Timestamp("2026-05-04T10:00:00Z")!
        let form = courses[0].form(from: start, to: start + RaceSchedule.period)
        #expect(form.name == "Giro del Parco Sempione, ore 12:00")
        #expect(form.description.hasPrefix("2,7 km "))
        #expect(form.enrolmentDeadline == start && form.end - form.start == RaceSchedule.period)
        #expect(form.participantsMax > RaceField.size)
    }
}
