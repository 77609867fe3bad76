import Glibc

/// A simple polygon on the map: its edges are straight in longitude and latitude, the last vertex joins the first. It may cross
/// the antimeridian, but not hold a pole; no edge may span 180° of longitude or more.
public struct Polygon: Hashable, Sendable {
    /// Without a repetition of the first at the end.
    public let vertices: [Coordinate]
    /// The most vertices.
    public static let verticesMax = 1000

    /// Longitudes that go on past ±180° where the polygon crosses the antimeridian.
    private let longitudes: [Double]

    /// 3 to `verticesMax` vertices; the first may be repeated at the end.
    public init(_ vertices: [Coordinate]) throws(GeometryError) {
        var ring = vertices
        if ring.count > 1, ring.first == ring.last { ring.removeLast() }
        guard ring.count >= 3 else { throw .tooFewPoints(min: 3) }
        guard ring.count <= Self.verticesMax else { throw .tooManyPoints(max: Self.verticesMax) }
        var longitudes = [ring[0].longitude]
        for (from, to) in zip(ring, ring.dropFirst()) {
            let last = longitudes[longitudes.count - 1]
            longitudes.append(last + remainder(to.longitude - from.longitude, 360))
        }
        let closing = longitudes[ring.count - 1] + remainder(ring[0].longitude - ring[ring.count - 1].longitude, 360)
        guard abs(closing - longitudes[0]) < 1 else { throw .polygonAroundPole }
        self.vertices = ring
        self.longitudes = longitudes
    }

    /// Ray casting (even-odd rule). What lies exactly on an edge counts as inside or outside, but of two polygons that share
    /// the edge it is in exactly one.
    public func contains(_ point: Coordinate) -> Bool {
        // The ring may lie a turn to the west or east of where its first vertex puts it.
        var inside = (here: false, west: false, east: false)
        forEachCrossing(latitude: point.latitude) { crossing in
            if crossing > point.longitude { inside.here.toggle() }
            if crossing > point.longitude - 360 { inside.west.toggle() }
            if crossing > point.longitude + 360 { inside.east.toggle() }
        }
        return inside.here || inside.west || inside.east
    }

    /// Where the parallel cuts the edges, in degrees of longitude that may go past ±180°.
    func forEachCrossing(latitude: Double, _ body: (Double) -> Void) {
        forEachEdge { from, to in
            guard (from.latitude > latitude) != (to.latitude > latitude) else { return }
            let fraction = (latitude - from.latitude) / (to.latitude - from.latitude)
            body(from.longitude + fraction * (to.longitude - from.longitude))
        }
    }

    typealias Vertex = (latitude: Double, longitude: Double)

    func forEachEdge(_ body: (Vertex, Vertex) -> Void) {
        for index in vertices.indices {
            let next = index + 1 == vertices.count ? 0 : index + 1
            body((vertices[index].latitude, longitudes[index]), (vertices[next].latitude, longitudes[next]))
        }
    }
}

extension Polygon: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let vertices = try container.decode([Coordinate].self)
        do {
            try self.init(vertices)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(vertices)
    }
}
