/// The points between two parallels and two meridians. With `west` greater than `east` it crosses the antimeridian.
public struct BoundingBox: Hashable, Sendable {
    public let south: Double
    public let west: Double
    public let north: Double
    public let east: Double

    /// Degrees; `nil` outside of the ranges of coordinates, or with `south` above `north`.
    public init?(south: Double, west: Double, north: Double, east: Double) {
        guard let low = Coordinate(latitude: south, longitude: west),
            let high = Coordinate(latitude: north, longitude: east), low.latitude <= high.latitude
        else { return nil }
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }

    /// Bounds in order that rounding may have pushed out of the ranges.
    init(clamping south: Double, _ west: Double, _ north: Double, _ east: Double) {
        (self.south, self.west, self.north, self.east) = (
            max(south, -90), max(west, -180), min(north, 90), min(east, 180)
        )
    }

    public func contains(_ point: Coordinate) -> Bool {
        guard south <= point.latitude, point.latitude <= north else { return false }
        return west <= east
            ? west <= point.longitude && point.longitude <= east
            : point.longitude >= west || point.longitude <= east
    }
}

extension BoundingBox: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let (south, west) = (
            try container.decode(Double.self, forKey: .south), try container.decode(Double.self, forKey: .west)
        )
        let (north, east) = (
            try container.decode(Double.self, forKey: .north), try container.decode(Double.self, forKey: .east)
        )
        guard let box = BoundingBox(south: south, west: west, north: north, east: east) else {
            throw DecodingError.dataCorruptedError(
                forKey: .south, in: container,
                debugDescription: "not a box: \(SampleError.coordinate) South must not be above north.")
        }
        self = box
    }
}
