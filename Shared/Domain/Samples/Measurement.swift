public import Primitives

/// One measured value, in the canonical unit of its type.
public struct Measurement: Hashable, Sendable {
    public let type: DataType
    /// Of an interval: its beginning.
    public let time: Timestamp
    /// Zero for an instant; whole milliseconds, at most `durationMax`.
    public let duration: Duration
    public let value: Double
    /// Of the place where it was measured, where the device or file tells it.
    public let zoneOffset: ZoneOffset?

    /// The longest interval that one sample may cover.
    public static let durationMax = Duration.seconds(48 * 3600)

    /// A value that has been checked before, as one read from storage.
    public init(
        type: DataType, time: Timestamp, duration: Duration = .zero, value: Double, zoneOffset: ZoneOffset? = nil
    ) {
        self.type = type
        self.time = time
        self.duration = duration
        self.value = value
        self.zoneOffset = zoneOffset
    }

    /// Converts the unit (`nil`: the canonical one), and checks the value against what is plausible, the duration, and the
    /// times of its beginning and end against `clock`. With `clock` `nil` times are not checked, for people whose samples
    /// must not be lost to a wrong clock (SOS-05).
    public init(
        type: DataType, time: Timestamp, duration: Duration = .zero, value: Double, unit: String?,
        zoneOffset: ZoneOffset? = nil, clock: SampleClock?
    ) throws(SampleError) {
        guard duration >= .zero, duration <= Self.durationMax else { throw .duration(duration) }
        try clock?.check(time)
        if duration > .zero { try clock?.check(time + duration) }
        let canonical: Double
        do throws(UnitError) { canonical = try type.canonical(value, unit: unit) } catch { throw .unit(error) }
        guard type.plausible.contains(canonical) else { throw .implausible(type, canonical) }
        if type == .activity, Activity(value: canonical) == nil { throw .implausible(type, canonical) }
        self.init(type: type, time: time, duration: duration, value: canonical, zoneOffset: zoneOffset)
    }
}
