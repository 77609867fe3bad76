import Domain
import Primitives

/// A position as it is stored with incidents.
struct StoredFix: Sendable, Equatable, Codable {
    var time: Timestamp
    var coordinate: Coordinate
    var altitude: Double?
    var accuracy: Double?

    init(_ fix: PositionFix) {
        time = fix.time
        coordinate = fix.coordinate
        altitude = fix.altitude
        accuracy = fix.accuracy
    }

    var fix: PositionFix {
        PositionFix(time: time, coordinate: coordinate, altitude: altitude, accuracy: accuracy)
    }
}
