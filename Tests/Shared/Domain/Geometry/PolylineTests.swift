import Domain
import Testing

@Suite struct PolylineTests {
    /// 1 km north and back.
    let outAndBack = try! Polyline([at(45, 9), at(45, 9).moved(metres: 1000, bearing: 0), at(45, 9)])

    @Test("RUN-02: length along a path")
    func length() throws {
        #expect(abs(outAndBack.length - 2000) < 1e-6)
        #expect(abs(outAndBack.point(at: 250).distance(to: at(45, 9)) - 250) < 0.01)
        #expect(outAndBack.point(at: -5) == at(45, 9))
        #expect(outAndBack.point(at: 9999) == at(45, 9))
    }

    @Test("RUN-02: impossible paths are refused")
    func impossible() {
        #expect(throws: GeometryError.tooFewPoints(min: 2)) { try Polyline([at(1, 1)]) }
        #expect(throws: GeometryError.noLength) { try Polyline([at(1, 1), at(1, 1)]) }
        #expect(throws: GeometryError.tooManyPoints(max: 20_000)) {
            try Polyline([Coordinate](repeating: at(1, 1), count: 20_001))
        }
    }

    @Test("RUN-10a: a window tells the way out from the way back")
    func windows() {
        let here = at(45, 9).moved(metres: 400, bearing: 0).moved(metres: 8, bearing: 90)
        let out = outAndBack.project(here)
        #expect(abs(out.distance - 400) < 0.1 && abs(out.offset - 8) < 0.01)
        let back = outAndBack.project(here, window: 1000...2000)
        #expect(abs(back.distance - 1600) < 0.1 && abs(back.offset - 8) < 0.01)
        let cut = outAndBack.project(here, window: 450...500)
        #expect(abs(cut.distance - 450) < 1e-6 && abs(cut.offset - 50.6) < 0.1)
        let beyond = outAndBack.project(here, window: 5000...6000)
        #expect(abs(beyond.distance - 2000) < 1e-6 && abs(beyond.offset - 400) < 0.1)
    }

    @Test("RUN-10: projections are precise everywhere", arguments: [-60.0, -8, 0, 45, 69])
    func precision(latitude: Double) throws {
        // A winding path across the antimeridian.
        var points = [at(latitude, 179.98)]
        for step in 0..<60 {
            points.append(points[step].moved(metres: 50, bearing: 90 + 40 * (step.isMultiple(of: 7) ? 1 : -0.2)))
        }
        let path = try Polyline(points)
        for distance in stride(from: 10.0, to: path.length, by: 37) {
            let on = path.point(at: distance)
            let projection = path.project(on, window: distance - 20...distance + 20)
            #expect(abs(projection.distance - distance) < 0.05)
            #expect(projection.offset < 0.05)
        }
    }
}
