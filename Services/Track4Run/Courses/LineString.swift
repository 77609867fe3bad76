import Domain

/// A path as GeoJSON writes it (RFC 7946 §3.1.4): `{"type": "LineString", "coordinates": [[longitude, latitude],
/// …]}`; a height as third number is passed over.
struct LineString: Codable, Sendable, Hashable {
    var points: [Coordinate]

    private enum CodingKeys: String, CodingKey { case type, coordinates }

    init(_ points: [Coordinate]) {
        self.points = points
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(String.self, forKey: .type) == "LineString" else {
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: container, debugDescription: "expected \"LineString\"")
        }
        points = try container.decode([[Double]].self, forKey: .coordinates).map { numbers in
            guard let point = Self.point(numbers) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .coordinates, in: container, debugDescription: "expected pairs of longitude and latitude")
            }
            return point
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("LineString", forKey: .type)
        try container.encode(points.map { [$0.longitude, $0.latitude] }, forKey: .coordinates)
    }

    /// `[longitude, latitude]`, perhaps with a height.
    static func point(_ numbers: [Double]) -> Coordinate? {
        (2...3).contains(numbers.count) ? Coordinate(latitude: numbers[1], longitude: numbers[0]) : nil
    }
}
