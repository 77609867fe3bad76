import Domain

/// What is wrong with the rings of polygons: errors, with which nobody can say what is inside, and remarks about what RFC 7946 asks
/// otherwise. Sentences of both name the place.
struct RingFaults {
    private(set) var errors: [String] = []
    private(set) var remarks: [String] = []

    /// Of one kind in one file.
    private static let toldMax = 20

    init(_ polygons: [DrawnArea.Polygon]) {
        for (number, polygon) in polygons.enumerated() {
            let place = polygons.count == 1 ? "" : " of polygon \(number + 1)"
            check(polygon.outer, "the outer ring\(place)", isHole: false)
            for (hole, ring) in polygon.holes.enumerated() {
                let name = "hole \(hole + 1)\(place)"
                check(ring, name, isHole: true)
                let outer = DrawnArea([.init(outer: polygon.outer, holes: [])])
                let isOutside = ring.vertices.allSatisfy {
                    !outer.contains(latitude: $0.latitude, longitude: $0.longitude)
                }
                if isOutside { errors.append("\(name) lies outside of the outer ring.") }
            }
        }
        errors = Array(errors.prefix(Self.toldMax))
        remarks = Array(remarks.prefix(Self.toldMax))
    }

    private mutating func check(_ ring: DrawnArea.Ring, _ name: String, isHole: Bool) {
        let distinct = Set(ring.vertices.map { [$0.longitude, $0.latitude] })
        guard distinct.count >= 3 else {
            errors.append("\(name) has \(distinct.count) different corners, and needs three.")
            return
        }
        for (from, to) in ring.edges where abs(to.longitude - from.longitude) >= 180 {
            errors.append(
                "\(name) goes from longitude \(from.longitude) to \(to.longitude) in one step: an area across the "
                    + "antimeridian is two polygons, cut at 180.")
            return
        }
        let repeated = ring.edges.count { $0.from == $0.to }
        if repeated > 0 { remarks.append("\(name) has \(repeated) corners twice in a row.") }
        if let place = ring.selfCrossing {
            errors.append("\(name) crosses itself near \(place.latitude) north, \(place.longitude) east.")
            return
        }
        let area = ring.signedArea
        guard area != 0 else {
            errors.append("\(name) holds nothing: its corners lie on a line.")
            return
        }
        if (area > 0) == isHole {
            remarks.append(
                "\(name) goes around \(isHole ? "counterclockwise" : "clockwise"), and RFC 7946 asks for the other way."
            )
        }
    }
}

extension DrawnArea.Ring {
    /// A place where two edges cross that are no neighbours; `nil` when none do. The edges are gone through from south to north, each
    /// with those only that reach as far.
    var selfCrossing: DrawnArea.Vertex? {
        let edges = edges.filter { $0.from != $0.to }
        let order = edges.indices.sorted { low(edges[$0]) < low(edges[$1]) }
        var active: [Int] = []
        for index in order {
            let edge = edges[index]
            active.removeAll { high(edges[$0]) < low(edge) }
            for other in active where !areNeighbours(index, other, of: edges.count) {
                if Self.cross(edge, edges[other]) { return edge.from }
            }
            active.append(index)
        }
        return nil
    }

    private func low(_ edge: (from: DrawnArea.Vertex, to: DrawnArea.Vertex)) -> Double {
        min(edge.from.latitude, edge.to.latitude)
    }

    private func high(_ edge: (from: DrawnArea.Vertex, to: DrawnArea.Vertex)) -> Double {
        max(edge.from.latitude, edge.to.latitude)
    }

    private func areNeighbours(_ one: Int, _ other: Int, of count: Int) -> Bool {
        let distance = abs(one - other)
        return distance == 1 || distance == count - 1
    }

    /// Whether they cross in a point that is inside of both; touching is no crossing.
    private static func cross(
        _ one: (from: DrawnArea.Vertex, to: DrawnArea.Vertex), _ other: (from: DrawnArea.Vertex, to: DrawnArea.Vertex)
    ) -> Bool {
        func side(_ point: DrawnArea.Vertex, _ line: (from: DrawnArea.Vertex, to: DrawnArea.Vertex)) -> Double {
            (line.to.longitude - line.from.longitude) * (point.latitude - line.from.latitude)
                - (line.to.latitude - line.from.latitude) * (point.longitude - line.from.longitude)
        }
        return side(other.from, one) * side(other.to, one) < 0 && side(one.from, other) * side(one.to, other) < 0
    }
}
