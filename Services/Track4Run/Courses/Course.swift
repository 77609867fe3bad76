import Domain
import Glibc

/// The path of a run with its checkpoints, made ready for matching runners to it (RUN-10).
struct Course: Sendable {
    /// Where on the course a position may be.
    struct Match: Sendable, Hashable {
        /// Metres from the start.
        let along: Double
        /// Metres from the course.
        let offset: Double
    }

    let path: Polyline
    let checkpoints: [Checkpoint]
    /// The path's points in metres on a plane that is true to scale in its middle: within 1% over 100 km.
    private let x: [Double]
    private let y: [Double]
    private let middle: Coordinate
    private let cosLatitude: Double

    init(path: Polyline, checkpoints: [Checkpoint] = []) {
        self.path = path
        self.checkpoints = checkpoints
        let middle = path.point(at: path.length / 2)
        let cosLatitude = cos(middle.latitude * .pi / 180)
        self.middle = middle
        self.cosLatitude = cosLatitude
        let plane = path.points.map { Self.plane($0, from: middle, cosLatitude) }
        x = plane.map(\.x)
        y = plane.map(\.y)
    }

    /// Metres.
    var length: Double { path.length }

    private static func plane(
        _ point: Coordinate, from middle: Coordinate, _ cosLatitude: Double
    ) -> (x: Double, y: Double) {
        let metresPerDegree = Coordinate.earthRadius * .pi / 180
        return (
            remainder(point.longitude - middle.longitude, 360) * cosLatitude * metresPerDegree,
            (point.latitude - middle.latitude) * metresPerDegree
        )
    }

    /// Where on the stretch `window` (metres from the start) the course comes near `point`: local minima of the
    /// distance within `offsetMax` metres, the nearest `matchesMax` of them. There is more than one on loops,
    /// out-and-back stretches and crossings. Empty for a window off the course.
    func matches(_ point: Coordinate, window: ClosedRange<Double>, offsetMax: Double) -> [Match] {
        let from = max(window.lowerBound, 0)
        let to = min(window.upperBound, length)
        guard from <= to else { return [] }
        let place = Self.plane(point, from: middle, cosLatitude)
        let squareMax = offsetMax * offsetMax
        var matches: [Match] = []
        func add(_ along: Double, _ square: Double) {
            guard square <= squareMax else { return }
            let match = Match(along: along, offset: square.squareRoot())
            guard matches.count == Self.matchesMax else { return matches.append(match) }
            let farthest = matches.indices.max { matches[$0].offset < matches[$1].offset } ?? 0
            if match.offset < matches[farthest].offset { matches[farthest] = match }
        }
        // Along the stretch the distance falls and rises: a minimum is where it begins to rise.
        var low: (along: Double, square: Double)?
        var before = Double.infinity
        var index = segment(at: from)
        while index + 1 < x.count, path.distances[index] <= to {
            defer { index += 1 }
            let length = path.distances[index + 1] - path.distances[index]
            guard length > 0 else { continue }
            let (alongX, alongY) = (x[index + 1] - x[index], y[index + 1] - y[index])
            let (awayX, awayY) = (place.x - x[index], place.y - y[index])
            let square = alongX * alongX + alongY * alongY
            let first = max(0, (from - path.distances[index]) / length)
            let last = max(first, min(1, (to - path.distances[index]) / length))
            let nearest = square > 0 ? (awayX * alongX + awayY * alongY) / square : 0
            let fraction = min(max(nearest, first), last)
            let (restX, restY) = (awayX - fraction * alongX, awayY - fraction * alongY)
            let here = restX * restX + restY * restY
            if here < before {
                low = (path.distances[index] + fraction * length, here)
            } else if here > before, let lowest = low {
                add(lowest.along, lowest.square)
                low = nil
            }
            before = here
        }
        if let lowest = low { add(lowest.along, lowest.square) }
        return matches
    }

    private static let matchesMax = 6

    /// The number of the segment that holds the point so many metres from the start.
    private func segment(at distance: Double) -> Int {
        var (low, high) = (0, x.count - 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if path.distances[middle] <= distance { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
