import Glibc

extension Polyline {
    /// Fewer points, none of those left out further than `tolerance` metres from the new path (Douglas and Peucker 1973).
    /// At worst quadratic in the number of points, which `pointsMax` bounds.
    public func simplified(tolerance: Double) -> Polyline {
        var keep = [Bool](repeating: false, count: points.count)
        keep[0] = true
        keep[points.count - 1] = true
        var pending = [(0, points.count - 1)]
        while let (first, last) = pending.popLast() {
            var (farthest, offsetMax) = (first, tolerance)
            for index in first + 1..<max(last, first + 1) {
                let offset = Self.offset(of: points[index], from: points[first], to: points[last])
                if offset > offsetMax { (farthest, offsetMax) = (index, offset) }
            }
            guard farthest > first else { continue }
            keep[farthest] = true
            pending += [(first, farthest), (farthest, last)]
        }
        let kept = zip(points, keep).filter(\.1).map(\.0)
        // A tour that never leaves the tolerance would shrink to a point; it stays as it is.
        return (try? Polyline(kept)) ?? self
    }

    /// Metres from a point to the segment between two others.
    private static func offset(of point: Coordinate, from: Coordinate, to: Coordinate) -> Double {
        let cosLatitude = cos(radians(point.latitude))
        let start = point.plane(from, cosLatitude: cosLatitude)
        let end = point.plane(to, cosLatitude: cosLatitude)
        let (x, y) = (end.x - start.x, end.y - start.y)
        let square = x * x + y * y
        let fraction = square > 0 ? min(max(-(start.x * x + start.y * y) / square, 0), 1) : 0
        return hypot(start.x + fraction * x, start.y + fraction * y)
    }
}
