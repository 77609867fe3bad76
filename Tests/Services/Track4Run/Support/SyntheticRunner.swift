import Domain
import Glibc
import Primitives
import SeededRandom

@testable import Track4Run

extension SeededGenerator {
    /// Normally distributed, with standard deviation 1 (Box and Muller 1958).
    mutating func normal() -> Double {
        let first = Double.random(in: Double.leastNonzeroMagnitude...1, using: &self)
        let second = Double.random(in: 0..<1, using: &self)
        return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
    }
}

/// Somebody who runs along a path at an even pace, seen by a receiver that is wrong by about 10 m, slowly drifting
/// as real ones do.
struct SyntheticRunner {
    struct Seen {
        let fix: PositionFix
        /// Where the runner really is, in metres from the start.
        let along: Double
    }

    var path: Polyline
    /// Metres per second.
    var speed = 3.0
    /// Root mean square of the receiver's error in metres.
    var noise = 10.0
    /// Seconds after which the error has half forgotten what it was.
    var noiseTime = 10.0
    /// Seconds between fixes.
    var interval = 1.0
    var seed: UInt64 = 1
    /// Metres at which the runner stops for good.
    var stopsAt = Double.infinity

    /// What the receiver sees from `start` until `extra` seconds after the end of the path was reached.
    func seen(from start: Timestamp, extra: Double = 20) -> [Seen] {
        var generator = SeededGenerator(seed: seed)
        let memory = pow(0.5, interval / noiseTime)
        let innovation = noise / 2.0.squareRoot() * (1 - memory * memory).squareRoot()
        var (east, north) = (0.0, 0.0)
        let last = min(path.length, stopsAt)
        return (1...Int((last / speed + extra) / interval)).map { step in
            let seconds = Double(step) * interval
            let along = min(seconds * speed, last)
            east = east * memory + generator.normal() * innovation
            north = north * memory + generator.normal() * innovation
            let wrong = path.point(at: along).moved(metres: east, bearing: 90).moved(metres: north, bearing: 0)
            let time = start + .milliseconds(Int64(seconds * 1000))
            return Seen(fix: PositionFix(time: time, coordinate: wrong), along: along)
        }
    }
}

/// Paths to run along.
enum Paths {
    static let start = Coordinate(latitude: 45.4642, longitude: 9.19)!

    /// Straight on, in corners of the given way (bearing, metres).
    static func path(_ ways: [(bearing: Double, metres: Double)], from start: Coordinate = start) -> Polyline {
        var points = [start]
        for way in ways { points.append(points.last!.moved(metres: way.metres, bearing: way.bearing)) }
        return try! Polyline(points)
    }

    /// There and the same way back.
    static func outAndBack(metres: Double) -> Polyline { path([(60, metres), (240, metres)]) }

    /// Laps on a circle, ending where they began.
    static func laps(_ count: Int, metres: Double) -> Polyline {
        let radius = metres / 2 / .pi
        let center = start.moved(metres: radius, bearing: 0)
        let points = (0...72 * count).map { center.moved(metres: radius, bearing: 180 + Double($0) * 5) }
        return try! Polyline(points)
    }

    /// A figure of eight that crosses itself in its middle.
    static func eight(metres: Double) -> Polyline {
        let side = metres / 8
        return path([
            (45, side), (135, side), (225, side), (315, side), (225, side), (135, side), (45, side), (315, side),
        ])
    }
}
