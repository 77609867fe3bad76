import Glibc
import Primitives

/// A run that a watch recorded, as gpsbabel reads it: a reader that shares nothing with ours.
struct Recording: Sendable {
    struct Point: Sendable {
        let time: Timestamp
        let latitude: Double
        let longitude: Double
        /// Per minute.
        let heartRate: Double?
    }

    let path: String
    /// gpsbabel's name of it.
    private let format: String
    /// In the order of time.
    let points: [Point]

    /// `nil` for a file that is no recording.
    init?(_ path: String) throws {
        switch path.split(separator: ".").last {
        case "gpx": format = "gpx"
        case "tcx": format = "gtrnctr"
        default: return nil
        }
        self.path = path
        points = try Self.points(Self.read(path, format, as: "unicsv")).sorted { $0.time < $1.time }
        guard !points.isEmpty else { throw BenchError.failed("\(path): gpsbabel finds no points") }
    }

    /// In metres, along the points of a span; it begins and ends with whole seconds.
    func distance(from: Timestamp, to: Timestamp) throws -> Double {
        func argument(_ time: Timestamp) -> String { "\(time)".prefix(19).filter(\.isNumber) }
        let span = "track,start=\(argument(from)),stop=\(argument(to + .milliseconds(999)))"
        return try Self.distance(Self.read(path, format, ["-x", span], as: "gtrnctr,course=0"))
    }

    private static func read(_ path: String, _ format: String, _ filter: [String] = [], as output: String) throws
        -> String
    {
        try Child("gpsbabel", ["-t", "-i", format, "-f", path] + filter + ["-o", output, "-F", "-"]).wholeOutput()
    }

    /// Of a directory, in the order of their names.
    static func all(in directory: String) throws -> [Recording] {
        guard let list = opendir(directory) else { throw BenchError.system(directory, errno) }
        defer { closedir(list) }
        var names: [String] = []
        while let entry = readdir(list) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        let recordings = try names.sorted().compactMap { try Recording("\(directory)/\($0)") }
        guard !recordings.isEmpty else { throw BenchError.failed("\(directory) has no .gpx and no .tcx files") }
        return recordings
    }

    /// Of comma-separated values whose first line names the columns. Times are UTC.
    private static func points(_ text: String) throws -> [Point] {
        let lines = text.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let columns = lines.first ?? []
        func column(_ name: String) -> Int? { columns.firstIndex { $0 == name } }
        guard let latitude = column("Latitude"), let longitude = column("Longitude"), let date = column("Date"),
            let time = column("Time")
        else { throw BenchError.failed("gpsbabel wrote other columns: \(columns.joined(separator: ", "))") }
        let heartRate = column("Heartrate")
        return try lines.dropFirst().map { line in
            guard line.count == columns.count, let latitude = Double(line[latitude]),
                let longitude = Double(line[longitude]),
                let time = Timestamp("\(line[date].replacing("/", with: "-"))T\(line[time])Z")
            else { throw BenchError.failed("gpsbabel wrote another line: \(line.joined(separator: ","))") }
            return Point(
                time: time, latitude: latitude, longitude: longitude, heartRate: heartRate.flatMap { Double(line[$0]) })
        }
    }

    /// Of the laps' own values: those of a lap's points come after it.
    private static func distance(_ text: String) throws -> Double {
        let tag = "<DistanceMeters>"
        let distances = text.split(separator: "<Lap ").dropFirst().map { lap in
            lap.firstRange(of: tag).flatMap { Double(lap[$0.upperBound...].prefix { $0 != "<" }) }
        }
        guard !distances.isEmpty, !distances.contains(nil) else {
            throw BenchError.failed("gpsbabel tells no distance")
        }
        return distances.compactMap { $0 }.reduce(0, +)
    }
}
