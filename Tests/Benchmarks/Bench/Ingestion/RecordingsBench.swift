import Contracts
import Domain
import Glibc
import HTTP
import LoadGenerator
import Postgres
import Primitives
import Reactor

/// Recordings of watches (GPX, TCX), sent as files and read back as an app does: every position and heart rate at its time as
/// gpsbabel reads them, the same distances, and what a position costs on disk. `TRACKME_BENCH_RECORDINGS` names their directory.
enum RecordingsBench {
    /// Who send all recordings each: tables have whole pages.
    private static let people = 40
    /// gpsbabel writes six decimals of a degree; ours are rounded to as many.
    private static let degreesMax = 0.000_001_1
    private static let margin = Duration.seconds(3600)

    private struct Series: Decodable { let series: [SampleSeries]? }
    private struct Locations: Decodable {
        struct Place: Decodable {}
        struct Track: Decodable {
            let from: Timestamp
            let to: Timestamp
            let distance: Double
        }
        let places: [Place]
        let tracks: [Track]
    }

    private struct Outcome: Sendable {
        var samples = 0
        var positionsOff = 0
        var heartRatesOff = 0
        /// Where the recording has no position, which gpsbabel leaves out.
        var heartRatesAlone = 0
        var (tracks, places) = (0, 0)
        /// As a share of gpsbabel's for the span of a track.
        var distanceOff = 0.0
        var bytes: Int64 = 0
        /// Of the blocks of positions, with as much of the table's pages and indexes as is their share.
        var positionBytes = 0.0
    }

    static func run(_ report: inout Report) async throws {
        guard let directory = getenv("TRACKME_BENCH_RECORDINGS").map({ String(cString: $0) }) else {
            report.note("left out: TRACKME_BENCH_RECORDINGS names no directory with recordings (.gpx, .tcx)")
            return
        }
        let recordings = try Recording.all(in: directory)
        let outcome = try await IngestionBed.with { (bed) -> Outcome in
            guard let loop = EventLoop.current else { throw BenchError.failed("no loop") }
            var outcome = Outcome()
            for person in 0..<people {
                let session = PersonSession(on: loop, bed, person, seed: LoadBed.seed)
                defer { session.close() }
                for recording in recordings {
                    outcome.samples += try await send(recording, session)
                    if person == 0 { try await compare(recording, session, &outcome) }
                }
            }
            try await SealedBench.waitUntilSealed(bed)
            outcome.bytes = try await SealedBench.bytes(bed)
            outcome.positionBytes =
                try await bed.database.queryOne(
                    """
                    select pg_total_relation_size('block')
                      * (sum(pg_column_size(b)) filter (where type = \(Int16(DataType.position.rawValue))))::float8
                      / sum(pg_column_size(b)) from block b
                    """, as: Double.self) ?? .nan
            let session = PersonSession(on: loop, bed, people - 1, seed: LoadBed.seed)
            defer { session.close() }
            for recording in recordings { try await compare(recording, session, &outcome) }
            return outcome
        }
        let points = recordings.flatMap(\.points)
        report.note(
            "\(recordings.count) recordings with \(points.count) positions and \(points.count { $0.heartRate != nil }) "
                + "heart rates, sent by \(people) people each; compared before sealing and after it")
        report.note("\(outcome.tracks / 2) tracks and \(outcome.places / 2) places")
        report.note(
            "\(outcome.heartRatesAlone / 2) heart rates more stand where there is no position: gpsbabel has none of these"
        )
        report.add("positions that gpsbabel reads otherwise", Double(outcome.positionsOff), "positions", atMost: 0)
        report.add("heart rates that gpsbabel reads otherwise", Double(outcome.heartRatesOff), "heart rates", atMost: 0)
        report.add("distance of a track off gpsbabel's at most", 100 * outcome.distanceOff, "%", atMost: 1)
        report.add(
            "bytes on disk of a position after sealing", outcome.positionBytes / Double(points.count * people), "bytes",
            atMost: 4)
        report.add(
            "bytes on disk of a sample after sealing, all tables", Double(outcome.bytes) / Double(outcome.samples),
            "bytes",
            atMost: 4)
    }

    /// Returns how many samples it had.
    private static func send(_ recording: Recording, _ session: PersonSession) async throws -> Int {
        let content = try SmallFile.read(recording.path, bytesMax: 16 << 20)
        let answer = try await session.call(.post, "/imports", [:], content)
        guard answer.status == .accepted, let id = answer.fields["Location"]?.split(separator: "/").last else {
            throw BenchError.failed("\(recording.path) was answered with \(answer.status): \(answer.text)")
        }
        return try await ImportBench.waitUntilRead(String(id), session).report.taken.values.reduce(0, +)
    }

    private static func compare(
        _ recording: Recording, _ session: PersonSession, _ outcome: inout Outcome
    ) async throws {
        let span =
            "from=\(recording.points[0].time - margin)&to=\(recording.points[recording.points.count - 1].time + margin)"
        func series(_ type: String) async throws -> [SampleSeries] {
            let path = "/me/series?type=\(type)&max_points=100000&\(span)"
            return try await session.call(.get, path).json(Series.self).series ?? []
        }
        let positions = differences(recording.points, try await series("position"), degreesMax) { (series, index) in
            [series.latitudes?[index] ?? .nan, series.longitudes?[index] ?? .nan]
        } values: {
            [$0.latitude, $0.longitude]
        }
        outcome.positionsOff += positions.off + positions.alone
        let rates = differences(recording.points, try await series("heart-rate"), 0) { (series, index) in
            [series.values?[index] ?? .nan]
        } values: {
            $0.heartRate.map { [$0] }
        }
        outcome.heartRatesOff += rates.off
        outcome.heartRatesAlone += rates.alone
        let locations = try await session.call(.get, "/me/locations?\(span)").json(Locations.self)
        for track in locations.tracks {
            let distance = try recording.distance(from: track.from, to: track.to)
            outcome.distanceOff = max(outcome.distanceOff, abs(track.distance / distance - 1))
        }
        outcome.tracks += locations.tracks.count
        outcome.places += locations.places.count
    }

    /// Points that are not among the samples of their time with nearly the same values, with samples of such times beyond them;
    /// and samples at a time that no point has.
    private static func differences(
        _ points: [Recording.Point], _ series: [SampleSeries], _ differenceMax: Double,
        of sample: (SampleSeries, Int) -> [Double], values: (Recording.Point) -> [Double]?
    ) -> (off: Int, alone: Int) {
        var left: [Timestamp: [[Double]]] = [:]
        for series in series {
            for (index, offset) in series.offsets.enumerated() {
                left[series.start.adding(milliseconds: offset), default: []].append(sample(series, index))
            }
        }
        var (off, alone) = (0, 0)
        for point in points {
            guard let wanted = values(point) else { continue }
            let found = left[point.time]?.firstIndex { zip($0, wanted).allSatisfy { abs($0 - $1) <= differenceMax } }
            if let found { left[point.time]?.remove(at: found) } else { off += 1 }
        }
        let times = Set(points.map(\.time))
        for (time, samples) in left {
            if times.contains(time) { off += samples.count } else { alone += samples.count }
        }
        return (off, alone)
    }
}
