/// A part of the map that somebody names: where people were (GRP-01), or what an emergency service covers (SOS-06).
/// In JSON an object with one member: `circle`, `box` or `polygon`.
public enum Area: Hashable, Sendable {
    case circle(Circle)
    case box(BoundingBox)
    case polygon(Polygon)

    public func contains(_ point: Coordinate) -> Bool {
        switch self {
        case .circle(let circle): circle.contains(point)
        case .box(let box): box.contains(point)
        case .polygon(let polygon): polygon.contains(point)
        }
    }
}

extension Area: Codable {
    private enum CodingKeys: String, CodingKey {
        case circle, box, polygon
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard container.allKeys.count == 1, let key = container.allKeys.first else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "an area is exactly one of \"circle\", \"box\" and \"polygon\""))
        }
        switch key {
        case .circle: self = .circle(try container.decode(Circle.self, forKey: key))
        case .box: self = .box(try container.decode(BoundingBox.self, forKey: key))
        case .polygon: self = .polygon(try container.decode(Polygon.self, forKey: key))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .circle(let circle): try container.encode(circle, forKey: .circle)
        case .box(let box): try container.encode(box, forKey: .box)
        case .polygon(let polygon): try container.encode(polygon, forKey: .polygon)
        }
    }
}
