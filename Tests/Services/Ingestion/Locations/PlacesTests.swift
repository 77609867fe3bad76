import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite("Places and tracks")
struct PlacesTests {
    private static let home = Coordinate(latitude: 45.4642, longitude: 9.19)!
    private static let start = Timestamp("2026-05-01T06:00:00Z")!

    private static func fixes(_ points: [(minute: Int, Coordinate)]) -> [PositionFix] {
        points.map { PositionFix(time: start + .seconds(60 * $0.minute), coordinate: $0.1) }
    }

    @Test("ING-08a: a stay, a way and a stay are told apart, and the way has its length")
    func stays() throws {
        let office = Self.home.moved(metres: 3000, bearing: 90)
        var points = (0...30).map { ($0, Self.home.moved(metres: Double($0 % 5) * 10, bearing: 45)) }
        points += (1..<15).map { (30 + $0, Self.home.moved(metres: Double($0) * 200, bearing: 90)) }
        points += (0...60).map { (45 + $0, office) }
        let spans = Places.spans(of: Self.fixes(points))
        #expect(spans.count == 3)
        guard case .place(let first) = spans[0], case .track(let way) = spans[1], case .place(let last) = spans[2]
        else {
            Issue.record("another order: \(spans)")
            return
        }
        #expect(first.centre.distance(to: Self.home) < 50 && last.centre.distance(to: office) < 210)
        #expect((2000...2800).contains(way.distance))
        #expect(first.fixes.lowerBound == 0 && last.fixes.upperBound == points.count)
        #expect(first.fixes.upperBound == way.fixes.lowerBound && way.fixes.upperBound == last.fixes.lowerBound)
    }

    @Test("ING-08a: who runs laps of a track does not stay there, and stays when the run is over")
    func laps() {
        // 400 m around, 3 m/s, a fix each second for 40 minutes; then half an hour on the bench.
        let radius = 400 / (2 * Double.pi)
        let fixes = (0..<70 * 60).map { second -> PositionFix in
            let metres = 3 * Double(min(second, 40 * 60))
            return PositionFix(
                time: Self.start + .seconds(second),
                coordinate: Self.home.moved(metres: radius, bearing: metres / radius * 180 / .pi))
        }
        let spans = Places.spans(of: fixes)
        guard spans.count == 2, case .track(let run) = spans[0], case .place(let bench) = spans[1] else {
            Issue.record("something else: \(spans)")
            return
        }
        // A place begins up to two steps before.
        #expect((6700...7200).contains(run.distance))
        #expect(bench.to - bench.from >= .seconds(30 * 60 - 1) && bench.to - bench.from <= .seconds(33 * 60))
    }

    @Test("ING-08a: fixes that are off at home are no way")
    func noise() {
        let points = (0...120).map { minute in
            (minute, Self.home.moved(metres: minute.isMultiple(of: 7) ? 150 : Double(minute % 3) * 20, bearing: 45))
        }
        let spans = Places.spans(of: Self.fixes(points))
        guard spans.count == 1, case .place(let place) = spans[0] else {
            Issue.record("something else: \(spans)")
            return
        }
        #expect(place.fixes == 0..<points.count)
    }

    @Test("ING-08a: a long pause without fixes ends a track, and a single fix is none")
    func pause() {
        let points = [0, 1, 2, 60, 61, 200].map { ($0, Self.home.moved(metres: Double($0) * 500, bearing: 0)) }
        let tracks = Places.spans(of: Self.fixes(points)).map { span -> Range<Int>? in
            if case .track(let track) = span { track.fixes } else { nil }
        }
        #expect(tracks == [0..<3, 3..<5])
        #expect(Places.spans(of: []).isEmpty)
    }

    @Test("ING-08a: a place at the date line has its mean there")
    func dateLine() throws {
        let near = Coordinate(latitude: -16.8, longitude: 179.9999)!
        let points = (0...30).map { ($0, near.moved(metres: Double($0 % 2) * 40, bearing: 90)) }
        guard case .place(let place)? = Places.spans(of: Self.fixes(points)).first else {
            Issue.record("no place")
            return
        }
        #expect(place.centre.distance(to: near) < 50)
    }

    @Test("ING-08b: GPX 1.1 is written piece by piece, and reads back as it was")
    func gpx() throws {
        var writer = GPXWriter(createdAt: Self.start)
        let points = [0, 1, 90].map { ($0, Self.home.moved(metres: Double($0) * 10, bearing: 10)) }
        var fixes = Self.fixes(points)
        fixes[1] = PositionFix(
            time: fixes[1].time, coordinate: Coordinate(latitude: -0.0000012, longitude: -9.5)!, altitude: -3.25)
        var bytes: [UInt8] = []
        writer.beginTrack()
        for fix in fixes {
            writer.add(fix)
            bytes += writer.take()
        }
        writer.endTrack()
        writer.finish()
        bytes += writer.take()
        #expect(writer.bytes.isEmpty)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("<trkpt lat=\"-0.0000012\" lon=\"-9.5000000\"><ele>-3.3</ele>"))
        #expect(text.split(separator: "<trkseg>").count == 3)
        let importer = GPXImporter(clock: SampleClock(now: Self.start + .seconds(86_400)))
        let read = importer.consume(bytes).positions + importer.finish().positions
        #expect(importer.report.failure == nil)
        #expect(read.map(\.time) == fixes.map(\.time))
        #expect(zip(read, fixes).allSatisfy { $0.coordinate.distance(to: $1.coordinate) < 0.02 })
    }
}
