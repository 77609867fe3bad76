public import Primitives

/// Where somebody was at one moment (WGS 84).
public struct PositionFix: Hashable, Sendable {
    public let time: Timestamp
    public let coordinate: Coordinate
    /// Metres above sea level.
    public let altitude: Double?
    /// Radius in metres within which the true position lies with a probability of 68%.
    public let accuracy: Double?
    /// Of the place, where the device or file tells it.
    public let zoneOffset: ZoneOffset?

    /// A fix that has been checked before, as one read from storage.
    public init(
        time: Timestamp, coordinate: Coordinate, altitude: Double? = nil, accuracy: Double? = nil,
        zoneOffset: ZoneOffset? = nil
    ) {
        self.time = time
        self.coordinate = coordinate
        self.altitude = altitude
        self.accuracy = accuracy
        self.zoneOffset = zoneOffset
    }

    /// Checks the coordinates, altitude (−500…12,000 m), accuracy (0…100 km), and the time against `clock`, if any.
    /// 0° N 0° E exactly is what receivers without a fix report, and is refused.
    public init(
        time: Timestamp, latitude: Double, longitude: Double, altitude: Double? = nil, accuracy: Double? = nil,
        zoneOffset: ZoneOffset? = nil, clock: SampleClock?
    ) throws(SampleError) {
        try clock?.check(time)
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else { throw .coordinate }
        guard latitude != 0 || longitude != 0 else { throw .noFix }
        if let altitude, !(-500...12_000).contains(altitude) { throw .altitude(altitude) }
        if let accuracy, !(0...100_000).contains(accuracy) { throw .accuracy(accuracy) }
        self.init(
            time: time, coordinate: coordinate, altitude: altitude, accuracy: accuracy, zoneOffset: zoneOffset)
    }
}
