import Domain
import HTTP
import JSON
import Testing

@testable import Track4Run

@Suite struct CourseTests {
    @Test("RUN-02: a GeoJSON LineString is read and written, heights are passed over")
    func lineString() throws {
        let text = #"{"type":"LineString","coordinates":[[9.19,45.4642],[9.2,45.47,120.5]]}"#
        let line = try JSONDecoder().decode(LineString.self, from: Array(text.utf8))
        #expect(line.points.map(\.longitude) == [9.19, 9.2])
        #expect(line.points.map(\.latitude) == [45.4642, 45.47])
        let written = try JSONDecoder().decode(LineString.self, from: try JSONEncoder().encode(line))
        #expect(written == line)
    }

    @Test(
        "RUN-02: what is no LineString is refused",
        arguments: [
            #"{"type":"Point","coordinates":[9.19,45.4]}"#, #"{"type":"LineString","coordinates":[[9.19],[9.2,45]]}"#,
            #"{"type":"LineString","coordinates":[[9.19,95],[9.2,45]]}"#,
            #"{"type":"LineString","coordinates":[[1,2,3,4],[9.2,45]]}"#,
        ])
    func noLineString(_ text: String) {
        #expect(throws: JSONError.self) { try JSONDecoder().decode(LineString.self, from: Array(text.utf8)) }
    }

    @Test("RUN-03a: impossible paths: one point, no length, too short, too long, a wild jump")
    func impossible() {
        let start = Paths.start
        let away = { start.moved(metres: $0, bearing: 30) }
        let lines = [
            [start], [start, start], [start, away(50)], [start, away(200), away(6000)],
            (0...100).map { away(Double($0) * 4000) },
        ]
        for line in lines {
            let problem = #expect(throws: Problem.self) { try CourseRules.path(LineString(line)) }
            #expect(problem?.code == "impossible-path")
        }
        #expect(throws: Never.self) { try CourseRules.path(LineString([start, away(5000)])) }
    }

    @Test("RUN-03a: a path that nobody can run in the time is impossible")
    func tooFast() throws {
        let path = try CourseRules.path(LineString([Paths.start, Paths.start.moved(metres: 4000, bearing: 0)]))
        #expect(throws: Problem.self) { try CourseRules.check(path, seconds: 500) }
        #expect(throws: Never.self) { try CourseRules.check(path, seconds: 600) }
    }

    @Test("RUN-02: checkpoints are placed along the path in their order, on a loop too")
    func checkpoints() throws {
        let path = Paths.laps(2, metres: 1500)
        let half = path.point(at: 750)
        let placed = try CourseRules.checkpoints([("first", half), ("second", half)], on: path)
        #expect(abs(placed[0].distance - 750) < 5)
        #expect(abs(placed[1].distance - 2250) < 5)
        #expect(throws: Problem.self) {
            try CourseRules.checkpoints([("away", half.moved(metres: 900, bearing: 45))], on: path)
        }
        #expect(throws: Problem.self) {
            try CourseRules.checkpoints([("a", half), ("b", half), ("c", half)], on: path)
        }
    }

    @Test("RUN-03c: the share of a path that lies on another")
    func shared() throws {
        let path = Paths.path([(90, 2000)])
        let shared = SharedPath(path)
        #expect(shared.share(on: path) == 1)
        // The other side of the street, drawn with other points, in the other direction.
        let other = try Polyline(
            stride(from: 2000, through: 0, by: -200).map { path.point(at: $0).moved(metres: 10, bearing: 0) })
        #expect(shared.share(on: other) == 1)
        let far = try Polyline(path.points.map { $0.moved(metres: 60, bearing: 0) })
        #expect(shared.share(on: far) == 0)
        // Leaves after 1000 of 2000 m.
        #expect(abs(shared.share(on: Paths.path([(90, 1000), (0, 1000)])) - 0.5) < 0.03)
    }
}
