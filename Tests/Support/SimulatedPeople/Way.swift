public import Domain
import Glibc
public import SeededRandom

/// A way over ground: out and back to where it began, or from one place to another, with bends.
struct Way {
    private let origin: Coordinate
    /// `nil`: a loop.
    private let target: Coordinate?
    private let bearing: Double
    private let bends: (Double, Double)
    /// In metres; of a loop as long as is walked on it.
    let length: Double

    init(from origin: Coordinate, to target: Coordinate, using generator: inout SeededGenerator) {
        self.origin = origin
        self.target = target
        bearing = origin.bearing(to: target)
        bends = (0.12 * generator.deviation(), 0.05 * generator.deviation())
        length = origin.distance(to: target)
    }

    init(loopFrom origin: Coordinate, length: Double, using generator: inout SeededGenerator) {
        self.origin = origin
        target = nil
        bearing = 360 * generator.fraction()
        bends = (generator.value(in: 2...4).rounded(), generator.value(in: 0.05...0.2))
        self.length = length
    }

    /// Where who has gone this part of it (0 to 1) is.
    func place(_ part: Double) -> Coordinate {
        if target != nil {
            let aside = length * (bends.0 * sin(.pi * part) + bends.1 * sin(3 * .pi * part))
            return origin.moved(metres: part * length, bearing: bearing).moved(metres: aside, bearing: bearing + 90)
        }
        // A circle through the origin, dented.
        let radius = length / (2 * .pi) * (1 + bends.1 * sin(bends.0 * 2 * .pi * part)) / (1 + bends.1 * bends.1)
        let centre = origin.moved(metres: length / (2 * .pi), bearing: bearing)
        return centre.moved(metres: radius, bearing: bearing + 180 + 360 * part)
    }
}

/// What a receiver of satellite signals makes of a place: off by metres, and wandering slowly.
public struct PositionNoise: Sendable {
    private var east = 0.0
    private var north = 0.0

    public init() {}

    /// The fix that is measured at a place, `seconds` after the fix before, and the uncertainty that it states, in metres.
    public mutating func next(
        _ place: Coordinate, seconds: Double, using generator: inout SeededGenerator
    ) -> (coordinate: Coordinate, accuracy: Double) {
        let kept = exp(-seconds / 60)
        let fresh = 3.5 * (1 - kept * kept).squareRoot()
        east = east * kept + fresh * generator.deviation()
        north = north * kept + fresh * generator.deviation()
        let metres = (east * east + north * north).squareRoot()
        let coordinate = place.moved(metres: metres, bearing: atan2(east, north) * 180 / .pi)
        let rounded =
            Coordinate(
                latitude: VitalSigns.rounded(coordinate.latitude, 1e-6),
                longitude: VitalSigns.rounded(coordinate.longitude, 1e-6)) ?? coordinate
        return (rounded, 3 + (2 * generator.fraction()).rounded() + (metres / 2).rounded())
    }
}
