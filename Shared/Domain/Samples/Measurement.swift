public import Primitives

/// One measured value, in the canonical unit of its type.
public struct Measurement: Hashable, Sendable {
    public let type: DataType
    public let time: Timestamp
    public let value: Double

    /// A value that has been checked before, as one read from storage.
    public init(type: DataType, time: Timestamp, value: Double) {
        self.type = type
        self.time = time
        self.value = value
    }

    /// Converts the unit (`nil`: the canonical one), and checks the value against what is plausible and the time against
    /// `clock`. With `clock` `nil` the time is not checked, for people whose samples must not be lost to a wrong clock (SOS-05).
    public init(
        type: DataType, time: Timestamp, value: Double, unit: String?, clock: SampleClock?
    ) throws(SampleError) {
        try clock?.check(time)
        let canonical: Double
        do throws(UnitError) { canonical = try type.canonical(value, unit: unit) } catch { throw .unit(error) }
        guard type.plausible.contains(canonical) else { throw .implausible(type, canonical) }
        if type == .activity, Activity(value: canonical) == nil { throw .implausible(type, canonical) }
        self.init(type: type, time: time, value: canonical)
    }
}
