import Domain
import Primitives
import ProcessTesting
import Reactor
import Security
import Service
import Testing

@testable import Dispatcher

@Suite struct AreaTests {
    /// A square ring, counterclockwise, closed.
    private static func square(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
        "[[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)],[\(west),\(south)]]"
    }

    private func polygon(_ rings: String...) -> String {
        #"{"type":"Polygon","coordinates":[\#(rings.joined(separator: ","))]}"#
    }

    private func area(_ text: String) throws -> DrawnArea { try GeoJSONFile(Array(text.utf8)).area }

    private func point(_ longitude: Double, _ latitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)!
    }

    @Test("SOS-06c: an area is polygons with holes, one file of GeoJSON, whatever else the file says")
    func inside() throws {
        let withHole = polygon(
            Self.square(9, 45, 10, 46), "[[9.4,45.4],[9.4,45.6],[9.6,45.6],[9.6,45.4],[9.4,45.4]]")
        let alone = try area(withHole)
        #expect(alone.contains(point(9.2, 45.2)) && !alone.contains(point(9.5, 45.5)))
        #expect(!alone.contains(point(10.2, 45.5)) && !alone.contains(point(9.5, 44.9)))
        let island =
            #"{"type":"MultiPolygon","coordinates":[[\#(Self.square(0, 0, 1, 1))],[\#(Self.square(5, 5, 6, 6))]]}"#
        let both = try area(
            #"{"type":"FeatureCollection","bbox":[0,0,6,6],"features":[{"type":"Feature","id":7,"properties":{"name":"Isole"},"geometry":\#(island)}]}"#
        )
        #expect(both.contains(point(0.5, 0.5)) && both.contains(point(5.5, 5.5)) && !both.contains(point(3, 3)))
        let height = try area(polygon("[[0,0,7],[1,0,7],[1,1,7],[0,0,7]]"))
        #expect(height.contains(point(0.9, 0.5)))
    }

    @Test(
        "SOS-06c: a ring that cannot be understood is refused, with the place and what to do",
        arguments: [
            ("[[0,0],[1,0],[1,1],[0,1]]", "is not closed"), ("[[0,0],[1,0],[0,0]]", "3 positions"),
            ("[[0,0],[1,1],[1,0],[0,1],[0,0]]", "crosses itself"), ("[[0,0],[1,1],[2,2],[0,0]]", "lie on a line"),
            ("[[0,0],[0,0],[1,1],[0,0]]", "2 different corners"),
            ("[[45,100],[46,100],[46,101],[45,100]]", "longitude first"),
            ("[[0,0],[\"a\",0],[1,1],[0,0]]", "is not [longitude, latitude]"), ("7", "no list of positions"),
            ("[[-170,0],[170,0],[170,1],[-170,0]]", "antimeridian"),
            ("[[200,0],[201,0],[201,1],[200,0]]", "not on the Earth"),
        ])
    func badRings(ring: String, words: String) {
        #expect {
            try area(polygon(ring))
        } throws: { error in
            (error as? GeoJSONFile.Fault)?.sentence.contains(words) == true
        }
    }

    @Test(
        "SOS-06c: what is no area is refused",
        arguments: [
            "", "[]", "{}", #"{"type":"Point","coordinates":[0,0]}"#, #"{"type":"FeatureCollection","features":[]}"#,
            #"{"type":"Feature","geometry":null}"#, #"{"type":"Polygon","coordinates":[]}"#,
            #"{"type":"MultiPolygon"}"#,
        ])
    func noArea(text: String) {
        #expect(throws: GeoJSONFile.Fault.self) { try area(text) }
    }

    @Test("SOS-06c: a hole outside of its polygon is refused; the other direction and repeated corners are told")
    func remarks() throws {
        #expect(throws: GeoJSONFile.Fault.self) {
            try area(polygon(Self.square(0, 0, 1, 1), "[[5,5],[5,6],[6,6],[6,5],[5,5]]"))
        }
        let clockwise = try GeoJSONFile(Array(polygon("[[0,0],[0,1],[1,1],[1,1],[1,0],[0,0]]").utf8))
        #expect(clockwise.remarks.count == 2 && clockwise.remarks.contains { $0.contains("clockwise") })
        #expect(clockwise.area.contains(point(0.5, 0.5)))
    }

    @Test("SOS-06c: areas that overlap are told, with who is called first there, and so is a hole between them")
    func coverage() throws {
        func services(_ areas: [(String, String)]) throws -> [(name: String, area: ServiceArea?)] {
            try areas.map { ($0.0, .drawn(try area(polygon($0.1)))) }
        }
        // Around a hole of 0.2° by 0.2°, and overlapping in the west.
        let ring = try services([
            ("south", Self.square(9, 45, 10, 45.4)), ("north", Self.square(9, 45.6, 10, 46)),
            ("west", Self.square(9, 45.3, 9.4, 45.6)), ("east", Self.square(9.6, 45.4, 10, 45.6)),
        ])
        let report = CoverageReport(ring, rowsMax: 100).lines
        let overlap = try #require(report.first { $0.contains("overlap") })
        #expect(overlap.contains(#""south" and "west""#) && overlap.contains(#""south" is called first"#))
        let hole = try #require(report.first { $0.contains("covered by nobody") })
        #expect(hole.contains("are covered") && hole.contains(#""south""#) && hole.contains(#""east""#))
        #expect(hole.contains("near 45."))
        // 0.2° of latitude and of longitude there: 22.2 km by 15.6 km.
        let size = try #require(hole.split(separator: " ").compactMap { Int($0) }.first)
        #expect((320...380).contains(size))
        // Two neighbours that leave a strip of 2 km open to both sides.
        let strip = try services([("left", Self.square(9, 45, 9.5, 46)), ("right", Self.square(9.53, 45, 10, 46))])
        #expect(CoverageReport(strip, rowsMax: 100).lines.contains { $0.contains("seem to be covered by nobody") })
        // Two that touch, and two that are far apart, leave nothing to say.
        let touching = try services([("left", Self.square(9, 45, 9.5, 46)), ("right", Self.square(9.5, 45, 10, 46))])
        let apart = try services([("left", Self.square(9, 45, 9.2, 46)), ("right", Self.square(9.8, 45, 10, 46))])
        for areas in [touching, apart] { #expect(CoverageReport(areas, rowsMax: 100).lines.count == 1) }
        // Where somebody is called everywhere nothing is uncovered.
        let last = CoverageReport(strip + [(name: "all", area: nil)], rowsMax: 100).lines
        #expect(!last.contains { $0.contains("nobody") } && last.contains { $0.contains(#""all" has no area"#) })
        #expect(CoverageReport([(name: "all", area: nil)]).lines.count == 1 && CoverageReport([]).lines.isEmpty)
    }

    @Test("SOS-06c: circles and boxes of the hooks file are compared, too")
    func shapes() {
        let circle = Area.circle(Circle(center: point(9.2, 45.4), radius: 20_000)!)
        let box = Area.box(BoundingBox(south: 45.3, west: 9.3, north: 45.5, east: 10)!)
        let lines = CoverageReport([("milan", .shape(circle)), ("east", .shape(box))], rowsMax: 100).lines
        #expect(lines.contains { $0.contains(#""milan" and "east" overlap"#) })
    }

    // MARK: The hooks file

    private func load(_ directory: TestDirectory, hooks: String) throws -> HooksFile.Content {
        try directory.write("secret", WebhookSecret.random().text)
        let text = hooks.replacing("SECRET", with: directory.file("secret")).replacing(
            "AREAS", with: directory.file("areas"))
        try directory.write("hooks.json", text)
        return try HooksFile.content(directory.file("hooks.json"))
    }

    @Test("SOS-06c: the file NAME.geojson is the area of that hook; one that fits none, or a second area, is a mistake")
    func directory() async throws {
        try await EventLoopGroup.withLoops(1) { _ in
            try await TestDirectory.with { directory in
                try await ChildProcess.run(["mkdir", directory.file("areas")], output: "/dev/null")
                try directory.write("areas/milan.geojson", polygon(Self.square(9, 45, 10, 46)))
                func file(_ more: String = "") -> String {
                    """
                    {"areas_directory": "AREAS", "hooks": [
                      {"name": "milan", "url": "https://example.org/", "secret_file": "SECRET"\(more)},
                      {"name": "all", "url": "https://example.org/", "secret_file": "SECRET"}]}
                    """
                }
                let hooks = Hooks(try load(directory, hooks: file()).hooks)
                #expect(hooks.order(for: point(9.5, 45.5)) == ["milan", "all"])
                #expect(hooks.order(for: point(12, 42)) == ["all"])
                let circle = #", "area": {"circle": {"center": {"latitude": 45, "longitude": 9}, "radius_m": 9000}}"#
                #expect(throws: ConfigurationError.self) { try load(directory, hooks: file(circle)) }
                try directory.write("areas/milano.geojson", polygon(Self.square(9, 45, 10, 46)))
                #expect(throws: ConfigurationError.self) { try load(directory, hooks: file()) }
                try await ChildProcess.run(["rm", directory.file("areas/milano.geojson")], output: "/dev/null")
                try directory.write("areas/milan.json", "{}")
                #expect(throws: ConfigurationError.self) { try load(directory, hooks: file()) }
                try await ChildProcess.run(["rm", "-r", directory.file("areas")], output: "/dev/null")
                #expect(throws: ConfigurationError.self) { try load(directory, hooks: file()) }
            }
        }
    }
}
