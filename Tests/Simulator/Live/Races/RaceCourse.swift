import Domain
import Primitives
import SuiteClient

/// Where a run leads along: a smooth line through some points.
struct RaceCourse: Sendable {
    let name: String
    let place: String
    let line: Polyline
    /// By distance from the start, in metres.
    let checkpoints: [(name: String, distance: Double)]

    /// Points of the line for each one that it leads through.
    private static let density = 8
    /// Checkpoints are further apart.
    private static let checkpointsApart = 600.0

    /// - `points`: latitude and longitude. Errors: `local` for points that make no path.
    init(_ name: String, in place: String, checkpoints names: [String], through points: [(Double, Double)])
        throws(SuiteError)
    {
        self.name = name
        self.place = place
        let coordinates = Self.curve(points).compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }
        do throws(GeometryError) { line = try Polyline(coordinates) } catch {
            throw .local("The course “\(name)” is no path: \(error)")
        }
        let apart = line.length / Double(names.count + 1)
        try expect(apart > Self.checkpointsApart, "The course “\(name)” has too many checkpoints.")
        checkpoints = names.enumerated().map { ($1, apart * Double($0 + 1)) }
    }

    /// A Catmull-Rom spline: it goes through all points.
    private static func curve(_ points: [(Double, Double)]) -> [(Double, Double)] {
        guard let last = points.last else { return [] }
        var curve: [(Double, Double)] = []
        for index in points.indices.dropLast() {
            let (before, from) = (points[max(0, index - 1)], points[index])
            let (to, after) = (points[index + 1], points[min(points.count - 1, index + 2)])
            for step in 0..<density {
                let part = Double(step) / Double(density)
                func value(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
                    let (square, cube) = (part * part, part * part * part)
                    return 0.5
                        * (2 * b + (c - a) * part + (2 * a - 5 * b + 4 * c - d) * square
                            + (3 * b - a - 3 * c + d) * cube)
                }
                curve.append((value(before.0, from.0, to.0, after.0), value(before.1, from.1, to.1, after.1)))
            }
        }
        return curve + [last]
    }

    /// The run of a course.
    func form(from start: Timestamp, to end: Timestamp) -> RunForm {
        RunForm(
            name: "\(name), ore \(RaceSchedule.clock(start))",
            description: "\(kilometres) km su strade e sentieri, con \(checkpoints.count) rilevamenti. Aperta a tutti.",
            place: place, path: .init(line),
            checkpoints: checkpoints.map { .init(name: $0.name, at: line.point(at: $0.distance)) }, start: start,
            end: end, enrolmentDeadline: start, participantsMax: RaceField.size * 4,
            clauses: "Partecipo sotto la mia responsabilità e confermo di essere in buona salute.")
    }

    /// As Italians write it: 2,7.
    private var kilometres: String {
        let tenths = Int((line.length / 100).rounded())
        return "\(tenths / 10),\(tenths % 10)"
    }
}
