/// The points within a distance of a centre.
public struct Circle: Hashable, Sendable {
    public let center: Coordinate
    /// Metres.
    public let radius: Double

    /// The largest radius, in metres.
    public static let radiusMax = 2_000_000.0

    /// `nil` when the radius is not above 0 and at most `radiusMax` metres.
    public init?(center: Coordinate, radius: Double) {
        guard radius > 0, radius <= Self.radiusMax else { return nil }
        self.center = center
        self.radius = radius
    }

    public func contains(_ point: Coordinate) -> Bool { center.distance(to: point) <= radius }
}

extension Circle: Codable {
    private enum CodingKeys: String, CodingKey {
        case center
        case radius = "radius_m"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let center = try container.decode(Coordinate.self, forKey: .center)
        guard let circle = Circle(center: center, radius: try container.decode(Double.self, forKey: .radius)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .radius, in: container,
                debugDescription: "the radius must be above 0 and at most \(Self.radiusMax) m")
        }
        self = circle
    }
}
