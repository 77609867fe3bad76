/// A path on the map, such as the course of a run (RUN-02), with the distance along it.
public struct Polyline: Hashable, Sendable {
    public let points: [Coordinate]
    /// Metres from the start to each point.
    public let distances: [Double]
    /// The most points.
    public static let pointsMax = 20_000

    /// 2 to `pointsMax` points, not all the same.
    public init(_ points: [Coordinate]) throws(GeometryError) {
        guard points.count >= 2 else { throw .tooFewPoints(min: 2) }
        guard points.count <= Self.pointsMax else { throw .tooManyPoints(max: Self.pointsMax) }
        var distances = [0.0]
        distances.reserveCapacity(points.count)
        for (from, to) in zip(points, points.dropFirst()) {
            distances.append(distances[distances.count - 1] + from.distance(to: to))
        }
        guard let length = distances.last, length > 0 else { throw .noLength }
        self.points = points
        self.distances = distances
    }

    /// Metres.
    public var length: Double { distances[distances.count - 1] }

    /// The point that many metres from the start; the ends for what lies beyond them.
    public func point(at distance: Double) -> Coordinate {
        let index = segment(at: distance)
        let length = distances[index + 1] - distances[index]
        let fraction = length > 0 ? (distance - distances[index]) / length : 0
        return points[index].interpolated(to: points[index + 1], fraction: min(max(fraction, 0), 1))
    }

    /// The number of the segment that holds the point so many metres from the start.
    func segment(at distance: Double) -> Int {
        var (low, high) = (0, points.count - 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if distances[middle] <= distance { low = middle } else { high = middle - 1 }
        }
        return low
    }
}

extension Polyline: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let points = try container.decode([Coordinate].self)
        do {
            try self.init(points)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(points)
    }
}
