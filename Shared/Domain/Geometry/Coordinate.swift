import Glibc

/// A point on the Earth in degrees (WGS 84). Distances are on the sphere of the mean radius, within 0.6% of the ellipsoid's.
public struct Coordinate: Hashable, Sendable, CustomStringConvertible {
    /// -90…90, north positive.
    public let latitude: Double
    /// -180…180, east positive.
    public let longitude: Double

    /// Mean radius of the Earth, R₁ of the IUGG, in metres.
    public static let earthRadius = 6_371_008.8
    /// Length of a degree of a great circle, in metres.
    static let metresPerDegree = earthRadius * .pi / 180

    /// `nil` outside of the ranges, and for what is not a number.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Latitude within range; any longitude, which is brought into range.
    init(latitude: Double, wrapping longitude: Double) {
        self.latitude = min(max(latitude, -90), 90)
        self.longitude = (-180...180).contains(longitude) ? longitude : remainder(longitude, 360)
    }

    /// Great-circle distance in metres (haversine formula: exact for near points too).
    public func distance(to other: Coordinate) -> Double {
        let sinLatitude = sin(radians(other.latitude - latitude) / 2)
        let sinLongitude = sin(radians(other.longitude - longitude) / 2)
        let square =
            sinLatitude * sinLatitude
            + cos(radians(latitude)) * cos(radians(other.latitude)) * sinLongitude * sinLongitude
        return 2 * Self.earthRadius * asin(min(1, square.squareRoot()))
    }

    /// Direction of the great circle to `other` where it leaves here: degrees clockwise from north, 0 ..< 360.
    public func bearing(to other: Coordinate) -> Double {
        let (from, to) = (radians(latitude), radians(other.latitude))
        let east = radians(other.longitude - longitude)
        let angle = atan2(sin(east) * cos(to), cos(from) * sin(to) - sin(from) * cos(to) * cos(east)) * 180 / .pi
        return angle < 0 ? angle + 360 : angle
    }

    /// The point that many metres away, leaving in the direction `bearing` (degrees clockwise from north).
    public func moved(metres: Double, bearing: Double) -> Coordinate {
        let (from, direction, angle) = (radians(latitude), radians(bearing), metres / Self.earthRadius)
        let sine = sin(from) * cos(angle) + cos(from) * sin(angle) * cos(direction)
        let latitude = asin(min(max(sine, -1), 1))
        let east = atan2(sin(direction) * sin(angle) * cos(from), cos(angle) - sin(from) * sine)
        return Coordinate(latitude: latitude * 180 / .pi, wrapping: longitude + east * 180 / .pi)
    }

    /// Metres east and north of this point, in the plane that touches the Earth here: for distances of a few kilometres,
    /// across the antimeridian too.
    func plane(_ other: Coordinate, cosLatitude: Double) -> (x: Double, y: Double) {
        (
            remainder(other.longitude - longitude, 360) * cosLatitude * Self.metresPerDegree,
            (other.latitude - latitude) * Self.metresPerDegree
        )
    }

    /// Between this point (0) and `other` (1), the short way; for neighbours on a path.
    func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
        Coordinate(
            latitude: latitude + (other.latitude - latitude) * fraction,
            wrapping: longitude + remainder(other.longitude - longitude, 360) * fraction)
    }

    public var description: String { "\(latitude),\(longitude)" }
}

func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

extension Coordinate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let latitude = try container.decode(Double.self, forKey: .latitude)
        let longitude = try container.decode(Double.self, forKey: .longitude)
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            throw DecodingError.dataCorruptedError(
                forKey: .latitude, in: container, debugDescription: SampleError.coordinate.description)
        }
        self = coordinate
    }
}
