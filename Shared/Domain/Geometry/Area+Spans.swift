import Glibc

extension Area {
    /// The parallels that the area lies between, in degrees.
    var latitudes: ClosedRange<Double> {
        switch self {
        case .circle(let circle):
            let reach = circle.radius / Coordinate.metresPerDegree
            return max(-90, circle.center.latitude - reach)...min(90, circle.center.latitude + reach)
        case .box(let box): return box.south...box.north
        case .polygon(let polygon):
            let all = polygon.vertices.map(\.latitude)
            return (all.min() ?? 0)...(all.max() ?? 0)
        }
    }

    /// The longitudes at which the area has points between two parallels, as ranges that may overlap and go past ±180°.
    func spans(south: Double, north: Double) -> [ClosedRange<Double>] {
        let all = latitudes
        guard south <= all.upperBound, north >= all.lowerBound else { return [] }
        switch self {
        case .circle(let circle): return [circle.span(south: south, north: north)]
        case .box(let box): return [box.west...(box.west <= box.east ? box.east : box.east + 360)]
        case .polygon(let polygon): return polygon.spans(south: south, north: north)
        }
    }
}

extension Circle {
    /// How far the circle reaches east and west between two parallels that it meets.
    fileprivate func span(south: Double, north: Double) -> ClosedRange<Double> {
        let (middle, angle) = (radians(center.latitude), radius / Coordinate.earthRadius)
        // It is widest a little nearer to the pole than its centre, where a meridian touches it.
        let widest = asin(min(max(sin(middle) / cos(angle), -1), 1))
        let parallel = min(max(widest, radians(south)), radians(north))
        let cosine = (cos(angle) - sin(middle) * sin(parallel)) / (cos(middle) * cos(parallel))
        // Not a number or below -1: the parallel is inside altogether, around a pole.
        let half = cosine >= -1 ? acos(min(cosine, 1)) * 180 / .pi : 180
        return center.longitude - half...center.longitude + half
    }
}

extension Polygon {
    /// Edges cover what they pass over; between them a whole piece of the strip is inside or outside, so one parallel tells.
    fileprivate func spans(south: Double, north: Double) -> [ClosedRange<Double>] {
        var result: [ClosedRange<Double>] = []
        forEachEdge { from, to in
            let (low, high) = from.latitude <= to.latitude ? (from, to) : (to, from)
            guard low.latitude <= north, high.latitude >= south else { return }
            let rise = high.latitude - low.latitude
            func longitude(_ latitude: Double) -> Double {
                low.longitude + (latitude - low.latitude) / rise * (high.longitude - low.longitude)
            }
            let first = low.latitude < south ? longitude(south) : low.longitude
            let last = high.latitude > north ? longitude(north) : high.longitude
            result.append(min(first, last)...max(first, last))
        }
        var crossings: [Double] = []
        forEachCrossing(latitude: (south + north) / 2) { crossings.append($0) }
        crossings.sort()
        for index in stride(from: 0, to: crossings.count - 1, by: 2) {
            result.append(crossings[index]...crossings[index + 1])
        }
        return result
    }
}
