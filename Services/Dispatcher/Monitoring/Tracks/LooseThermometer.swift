import Primitives

/// Tells a thermometer that no longer touches the skin from a body that cools: it falls by degrees within minutes.
struct LooseThermometer: Sendable, Equatable {
    /// In °C a minute. People under an avalanche, the fastest case known, cool by up to 9 °C an hour (Brugger and others,
    /// Resuscitation of avalanche victims, Resuscitation 2013, 84:539).
    private static let fallMax = 0.15
    /// Noise of two readings.
    private static let tolerance = 0.5
    /// What was read longer ago says nothing of now …
    private static let distanceMax = Duration.seconds(3600)
    /// … and so does what a sensor that reads more often gave before such a silence: it was off, and from any normal temperature
    /// the fastest body could be at the limit by then.
    private static let silenceMax = Duration.seconds(600)
    /// A thermometer that has come loose shows the air, until it is put back or this time is over.
    private static let looseMax = Duration.seconds(3 * 3600)
    /// So far above the limit a fall to it is seen as one.
    static let warmMargin = 0.8
    /// After a watch was put on its thermometer warms up; if it takes longer, the sensor is lost.
    static let warmingMax = Duration.seconds(1800)

    /// What a monitor reads first is believed down to here: whoever is colder is hardly conscious (the Swiss stage II, 28 to 32 °C,
    /// Brugger and others 2013), and puts on no watch.
    private static let firstMin = 32.0

    /// The temperature below which the body cannot be, falling from the last valid readings as fast as a body can.
    private var lowest: Double?
    private var at: Timestamp?

    private func bound(at time: Timestamp, within distance: Duration = distanceMax) -> Double? {
        guard let lowest, let at, time >= at, time - at <= distance else { return nil }
        return lowest - Self.fallMax * (time - at).seconds / 60
    }

    mutating func follow(_ value: Double, at time: Timestamp) {
        lowest = max(value, bound(at: time) ?? value)
        at = time
    }

    /// Whether a reading that is critical, or close to `limit`, is one of the air. `lost` are the readings that did not count since
    /// the last one that did, `period` is the time between the sensor's readings, when it is known.
    func isLoose(
        _ value: Double, limit: Double, isCritical: Bool, at time: Timestamp, lost: VitalTrack.Run?, period: Duration?
    ) -> Bool {
        let silence = Self.silence(period)
        if let lost, lost.confirmed != nil, time - lost.last <= silence {
            guard time - lost.first <= Self.looseMax else { return false }
            return isCritical || value < warm(above: limit, at: time)
        }
        guard isCritical else { return false }
        guard let at else { return value < Self.firstMin }
        // Whoever puts it on again begins with the air.
        return bound(at: time, within: silence).map { value < $0 - Self.tolerance } ?? (time >= at)
    }

    /// What a thermometer has to reach again, once it was off: what it had before, or so much that a new fall would be seen.
    private func warm(above limit: Double, at time: Timestamp) -> Double {
        guard let lowest, let at, time - at <= Self.distanceMax else { return limit + Self.warmMargin }
        return min(limit + Self.warmMargin, lowest - Self.tolerance)
    }

    private static func silence(_ period: Duration?) -> Duration {
        guard let period else { return distanceMax }
        return min(distanceMax, max(silenceMax, period * 2))
    }
}

extension LooseThermometer {
    func pack(into packer: inout Packer) {
        packer.add(lowest ?? .nan)
        packer.add(optional: at)
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        let lowest = try unpacker.decimal()
        self.lowest = lowest.isNaN ? nil : lowest
        at = try unpacker.optionalTime()
    }
}
