import Domain

/// What an ambulance service covers: a shape that stands in the hooks file, or polygons that somebody has drawn.
enum ServiceArea: Sendable {
    case shape(Area)
    case drawn(DrawnArea)

    func contains(_ point: Coordinate) -> Bool {
        switch self {
        case .shape(let shape): shape.contains(point)
        case .drawn(let area): area.contains(point)
        }
    }
}

/// Polygons with holes, as a GeoJSON file has them (RFC 7946). Edges are straight in longitude and latitude; none spans 180° of
/// longitude: what crosses the antimeridian is cut there, as the standard asks (section 3.1.9).
struct DrawnArea: Sendable {
    /// Of all rings together; an area is looked at several times for each incident.
    static let verticesMax = 20_000

    struct Vertex: Sendable, Equatable {
        var longitude: Double
        var latitude: Double
    }

    /// Without a repetition of the first vertex at the end.
    struct Ring: Sendable {
        var vertices: [Vertex]

        var edges: [(from: Vertex, to: Vertex)] {
            zip(vertices, vertices.dropFirst() + vertices.prefix(1)).map { ($0, $1) }
        }

        /// In square degrees: positive when it goes around counterclockwise.
        var signedArea: Double {
            edges.reduce(0) { $0 + ($1.from.longitude * $1.to.latitude - $1.to.longitude * $1.from.latitude) / 2 }
        }
    }

    struct Polygon: Sendable {
        var outer: Ring
        var holes: [Ring]

        var rings: [Ring] { [outer] + holes }
    }

    let polygons: [Polygon]
    let bounds: (south: Double, west: Double, north: Double, east: Double)

    init(_ polygons: [Polygon]) {
        self.polygons = polygons
        let all = polygons.flatMap(\.outer.vertices)
        bounds = (
            all.map(\.latitude).min() ?? 0, all.map(\.longitude).min() ?? 0, all.map(\.latitude).max() ?? 0,
            all.map(\.longitude).max() ?? 0
        )
    }

    func contains(_ point: Coordinate) -> Bool { contains(latitude: point.latitude, longitude: point.longitude) }

    func contains(latitude: Double, longitude: Double) -> Bool {
        guard (bounds.south...bounds.north).contains(latitude), (bounds.west...bounds.east).contains(longitude) else {
            return false
        }
        return polygons.contains { polygon in
            // The even-odd rule: a hole takes out what it holds.
            var isInside = false
            for ring in polygon.rings {
                for crossing in ring.crossings(latitude: latitude) where crossing > longitude {
                    isInside.toggle()
                }
            }
            return isInside
        }
    }
}

extension DrawnArea.Ring {
    /// The longitudes at which the parallel cuts the edges.
    func crossings(latitude: Double) -> [Double] {
        var found: [Double] = []
        var from = vertices[vertices.count - 1]
        for to in vertices {
            if (from.latitude > latitude) != (to.latitude > latitude) {
                let fraction = (latitude - from.latitude) / (to.latitude - from.latitude)
                found.append(from.longitude + fraction * (to.longitude - from.longitude))
            }
            from = to
        }
        return found
    }
}
