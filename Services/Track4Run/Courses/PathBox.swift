import Domain
import Glibc

/// The box around a path, in degrees.
struct PathBox: Sendable {
    let south: Double
    let west: Double
    let north: Double
    let east: Double

    init(south: Double, west: Double, north: Double, east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    init(_ path: Polyline) {
        let first = path.points[0]
        var (south, west, north, east) = (first.latitude, first.longitude, first.latitude, first.longitude)
        for point in path.points {
            south = min(south, point.latitude)
            west = min(west, point.longitude)
            north = max(north, point.latitude)
            east = max(east, point.longitude)
        }
        self.init(south: south, west: west, north: north, east: east)
    }

    /// Whether the point lies in the box, or not more than about so many metres outside.
    func contains(_ point: Coordinate, within metres: Double) -> Bool {
        let up = metres / (Coordinate.earthRadius * .pi / 180)
        let right = up / max(0.01, cos(point.latitude * .pi / 180))
        return point.latitude >= south - up && point.latitude <= north + up && point.longitude >= west - right
            && point.longitude <= east + right
    }
}
