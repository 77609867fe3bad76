import Domain
import Primitives
import SuiteClient
import Testing

@Suite("Recordings")
struct RecordingTests {
    private let start = Timestamp("2026-05-01T07:00:00Z")!
    private let milan = Coordinate(latitude: 45.4642, longitude: 9.19)!

    private func synthetic(seed: UInt64 = 1) throws -> Recording {
        try .synthetic(from: milan, start: start, seed: seed)
    }

    @Test("what is written as GPX is read as the same run")
    func roundTrip() throws {
        let recording = try synthetic()
        #expect(try Recording(gpx: recording.gpx).points == recording.points)
    }

    @Test("GPX with prefixes, single quotes and points without a time is read")
    func foreign() throws {
        let text = """
            <gpx:gpx xmlns:gpx='http://www.topografix.com/GPX/1/1'><gpx:metadata><gpx:time>2020-01-01T00:00:00Z</gpx:time>
            </gpx:metadata><gpx:trk><gpx:trkseg>
            <gpx:trkpt lon='9.19' lat='45.4642'><gpx:ele>120</gpx:ele><gpx:time>2020-08-09T09:47:14.372000Z</gpx:time>
            </gpx:trkpt><gpx:trkpt lat='45.5' lon='9.2'></gpx:trkpt>
            <gpx:trkpt lat="45.4650" lon="9.1901"><gpx:time>
              2020-08-09T09:47:24Z</gpx:time><extensions><x:hr> 141 </x:hr></extensions></gpx:trkpt>
            </gpx:trkseg></gpx:trk></gpx:gpx>
            """
        let points = try Recording(gpx: Array(text.utf8)).points
        #expect(points.count == 2)
        #expect(points[0].coordinate == milan)
        #expect(points[0].heartRate == nil)
        #expect(points[1].heartRate == 141)
        #expect(points[1].time - points[0].time == .microseconds(9_628_000))
    }

    @Test("a replay begins at the moment asked for, lasts as long as asked, and keeps the order")
    func replay() throws {
        let recording = try synthetic()
        let now = Timestamp("2026-11-21T12:00:00Z")!
        let points = recording.replayed(at: now, in: .seconds(40))
        #expect(points.first?.time == now)
        #expect(points.last?.time == now + .seconds(40))
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.time <= $1.time })
        #expect(points.map(\.coordinate) == recording.points.map(\.coordinate))
    }

    @Test("between two points the runner is on the way, outside at the ends")
    func position() throws {
        let points = try synthetic().replayed(at: start, in: .seconds(600))
        let (from, to) = (points[10], points[11])
        let middle = Recording.position(
            at: from.time + .microseconds((to.time - from.time).microseconds / 2), in: points)
        let length = from.coordinate.distance(to: to.coordinate)
        #expect(abs(middle.distance(to: from.coordinate) - length / 2) < 0.01)
        #expect(Recording.position(at: start - .seconds(1), in: points) == points[0].coordinate)
        #expect(Recording.position(at: start + .seconds(601), in: points) == points[points.count - 1].coordinate)
    }

    @Test("a steady section has about the length asked for", arguments: [1, 2, 3] as [UInt64])
    func section(seed: UInt64) throws {
        let section = try synthetic(seed: seed).steadySection(length: 220, from: 0.9)
        #expect((190...220).contains(section.line.length))
        #expect(section.points[0].coordinate.distance(to: section.points.last!.coordinate) > 110)
    }

    @Test("a recording that is too short has no section")
    func tooShort() throws {
        let recording = try Recording.synthetic(from: milan, start: start, count: 10)
        #expect(throws: SuiteError.self) { try recording.steadySection(length: 220, from: 0) }
    }
}
