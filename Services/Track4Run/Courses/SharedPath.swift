import Domain
import Glibc

/// How much of a path lies on others (RUN-03).
struct SharedPath: Sendable {
    /// Metres between two paths that count as one: the width of a street and the imprecision of drawing.
    static let tolerance = 25.0
    /// The share from which two runs on one date conflict.
    static let shareMax = 0.8
    /// Points compared.
    private static let samplesMax = 2000

    private let samples: [Coordinate]

    init(_ path: Polyline) {
        let spacing = max(Self.tolerance, path.length / Double(Self.samplesMax))
        let count = max(1, Int((path.length / spacing).rounded(.up)))
        samples = (0...count).map { path.point(at: path.length * Double($0) / Double(count)) }
    }

    /// Whether enough of this path lies near the box around another for the two to conflict.
    func mayShare(with box: PathBox) -> Bool {
        let near = samples.count { box.contains($0, within: Self.tolerance + 1) }
        return Double(near) >= Self.shareMax * Double(samples.count)
    }

    /// The part of this path that lies on `other`, 0…1.
    func share(on other: Polyline) -> Double {
        let cells = Cells(other)
        return Double(samples.count { cells.isNear($0) }) / Double(samples.count)
    }

    /// The points of a path, indexed by squares.
    private struct Cells {
        private struct Key: Hashable {
            let x: Int32
            let y: Int32
        }

        private var points: [Key: [Coordinate]] = [:]
        private let cosLatitude: Double

        init(_ path: Polyline) {
            cosLatitude = max(0.01, cos(path.points[0].latitude * .pi / 180))
            // Dense enough that a point near the path is near one of its points; long paths are sampled less densely.
            let spacing = max(SharedPath.tolerance / 2, path.length / Double(Polyline.pointsMax))
            let count = max(1, Int(path.length / spacing))
            for step in 0...count {
                let point = path.point(at: path.length * Double(step) / Double(count))
                points[key(point), default: []].append(point)
            }
        }

        private func key(_ point: Coordinate, _ right: Int32 = 0, _ up: Int32 = 0) -> Key {
            let metresPerDegree = Coordinate.earthRadius * .pi / 180
            let x = (point.longitude * cosLatitude * metresPerDegree / SharedPath.tolerance).rounded(.down)
            let y = (point.latitude * metresPerDegree / SharedPath.tolerance).rounded(.down)
            return Key(x: Int32(x) + right, y: Int32(y) + up)
        }

        func isNear(_ point: Coordinate) -> Bool {
            for right in Int32(-1)...1 {
                for up in Int32(-1)...1 {
                    for other in points[key(point, right, up)] ?? []
                    where point.distance(to: other) <= SharedPath.tolerance { return true }
                }
            }
            return false
        }
    }
}
