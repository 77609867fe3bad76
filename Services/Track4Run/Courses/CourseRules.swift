import Domain
import HTTP

/// What makes a path possible (RUN-03).
enum CourseRules {
    /// Metres.
    static let lengthMin = 100.0
    static let lengthMax = 350_000.0
    /// Metres between two consecutive points; more is taken for a mistake in drawing.
    static let jumpMax = 5000.0
    /// Metres per second that somebody must be able to run it at between start and end.
    static let speedMax = 7.0
    static let checkpointsMax = 100
    /// Metres from the path.
    static let checkpointOffsetMax = 100.0

    /// The path, checked. Errors: 422 `impossible-path`.
    static func path(_ line: LineString) throws(Problem) -> Polyline {
        let path: Polyline
        do throws(GeometryError) { path = try Polyline(line.points) } catch { throw refused("\(error)") }
        guard path.length >= lengthMin else { throw refused("A path has at least \(Int(lengthMin)) m.") }
        guard path.length <= lengthMax else { throw refused("A path has at most \(Int(lengthMax / 1000)) km.") }
        for (index, way) in zip(path.distances, path.distances.dropFirst()).map({ $1 - $0 }).enumerated()
        where way > jumpMax + 1 {
            throw refused(
                "Point \(index + 1) is \(Int(way)) m away from the one before; at most \(Int(jumpMax)) m are possible.")
        }
        return path
    }

    /// Errors: 422 `impossible-path` when nobody could run that far in the time.
    static func check(_ path: Polyline, seconds: Double) throws(Problem) {
        guard path.length <= speedMax * seconds else {
            throw refused("Nobody can run this path in the time of the run.")
        }
    }

    /// Checkpoints on the path, in its order. Errors: 422 `impossible-checkpoint`.
    static func checkpoints(
        _ drawn: [(name: String, point: Coordinate)], on path: Polyline
    ) throws(Problem) -> [Checkpoint] {
        guard drawn.count <= checkpointsMax else {
            throw invalid(
                "impossible-checkpoint", "/checkpoints", "At most \(checkpointsMax) checkpoints are possible.")
        }
        var checkpoints: [Checkpoint] = []
        var before = 0.0
        for (index, (name, point)) in drawn.enumerated() {
            let after = index == 0 ? 0 : before + 2 * checkpointOffsetMax
            guard let distance = firstPassage(of: point, on: path, after: after) else {
                throw invalid(
                    "impossible-checkpoint", "/checkpoints/\(index)",
                    "A checkpoint is within \(Int(checkpointOffsetMax)) m of the path, and 200 m after the one before.")
            }
            checkpoints.append(Checkpoint(name: name, distance: distance))
            before = distance
        }
        return checkpoints
    }

    /// The checkpoints of a course on another path. Errors: 422 `impossible-checkpoint` when one does not lie on it.
    static func kept(_ course: Course, on path: Polyline) throws(Problem) -> [Checkpoint] {
        var kept: [Checkpoint] = []
        for checkpoint in course.checkpoints {
            let after = kept.last.map { $0.distance + 2 * checkpointOffsetMax } ?? 0
            let point = course.path.point(at: checkpoint.distance)
            guard let distance = firstPassage(of: point, on: path, after: after) else {
                throw invalid(
                    "impossible-checkpoint", "/path",
                    "The checkpoint “\(checkpoint.name)” does not lie on the new path. Give the checkpoints with it: [] for none."
                )
            }
            kept.append(Checkpoint(name: checkpoint.name, distance: distance))
        }
        return kept
    }

    /// The first place at which the path comes near the point, found in steps of a kilometre so that laps stay apart.
    private static func firstPassage(of point: Coordinate, on path: Polyline, after before: Double) -> Double? {
        var from = before
        while from < path.length {
            let found = path.project(point, window: from...from + 1000)
            if found.offset <= checkpointOffsetMax {
                // The nearest point may lie a little further on than the stretch goes.
                return path.project(point, window: from...found.distance + checkpointOffsetMax).distance
            }
            from += 1000
        }
        return nil
    }

    private static func refused(_ detail: String) -> Problem { invalid("impossible-path", "/path", detail) }

    private static func invalid(_ code: String, _ pointer: String, _ detail: String) -> Problem {
        Problem(
            .unprocessableContent, code: code, detail: detail, errors: [.init(pointer: pointer, detail: detail)])
    }
}
