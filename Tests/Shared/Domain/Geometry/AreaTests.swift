import Domain
import Testing

@Suite struct AreaTests {
    @Test("GRP-01: boxes, also across the antimeridian")
    func boxes() throws {
        let box = try #require(BoundingBox(south: 45, west: 9, north: 46, east: 10))
        #expect(box.contains(at(45.5, 9.5)) && box.contains(at(45, 9)))
        #expect(!box.contains(at(44.9, 9.5)) && !box.contains(at(45.5, 10.1)))
        let fiji = try #require(BoundingBox(south: -20, west: 177, north: -15, east: -178))
        #expect(fiji.contains(at(-17, 178)) && fiji.contains(at(-17, -179)) && fiji.contains(at(-17, 180)))
        #expect(!fiji.contains(at(-17, 0)) && !fiji.contains(at(-17, -177)))
        #expect(BoundingBox(south: 46, west: 9, north: 45, east: 10) == nil)
    }

    @Test("GRP-01: circles")
    func circles() throws {
        let circle = try #require(Circle(center: at(45.4642, 9.19), radius: 5000))
        for bearing in stride(from: 0.0, to: 360, by: 15) {
            #expect(circle.contains(circle.center.moved(metres: 4999, bearing: bearing)))
            #expect(!circle.contains(circle.center.moved(metres: 5001, bearing: bearing)))
        }
        #expect(Circle(center: at(0, 0), radius: 0) == nil)
        #expect(Circle(center: at(0, 0), radius: .nan) == nil)
    }

    @Test("GRP-01 SOS-06: polygons, concave ones and across the antimeridian")
    func polygons() throws {
        let letterU = try Polygon([
            at(0, 0), at(0, 3), at(3, 3), at(3, 2), at(1, 2), at(1, 1), at(3, 1), at(3, 0), at(0, 0),
        ])
        #expect(letterU.vertices.count == 8)
        #expect(letterU.contains(at(2, 0.5)) && letterU.contains(at(2, 2.5)) && letterU.contains(at(0.5, 1.5)))
        #expect(!letterU.contains(at(2, 1.5)) && !letterU.contains(at(3.5, 0.5)) && !letterU.contains(at(-1, 1)))
        for ring in [
            [at(-20, 177), at(-20, -178), at(-15, -178), at(-15, 177)],
            [at(-20, -178), at(-15, -178), at(-15, 177), at(-20, 177)],
        ] {
            let fiji = try Polygon(ring)
            #expect(fiji.contains(at(-17, 178)) && fiji.contains(at(-17, -179)))
            #expect(!fiji.contains(at(-17, 0)) && !fiji.contains(at(-17, -177)) && !fiji.contains(at(-17, 176)))
        }
    }

    @Test("SOS-06: a point on a border belongs to exactly one of two neighbours")
    func borders() throws {
        let west = try Polygon([at(0, 0), at(0, 1), at(1, 1), at(1, 0)])
        let east = try Polygon([at(0, 1), at(0, 2), at(1, 2), at(1, 1)])
        for latitude in stride(from: 0.0, to: 1, by: 0.1) {
            let point = at(latitude, 1)
            #expect(west.contains(point) != east.contains(point))
        }
    }

    @Test("GRP-01: what is no polygon")
    func wrongPolygons() {
        #expect(throws: GeometryError.tooFewPoints(min: 3)) { try Polygon([at(0, 0), at(1, 1), at(0, 0)]) }
        #expect(throws: GeometryError.tooManyPoints(max: 1000)) {
            try Polygon((0...1000).map { at(Double($0) / 100, Double($0 % 2)) })
        }
        #expect(throws: GeometryError.polygonAroundPole) { try Polygon([at(80, 0), at(80, 120), at(80, -120)]) }
    }
}
