public import Primitives

/// The times at which a sample may have been measured.
public struct SampleClock: Sendable {
    /// When the sample came in, by this machine's clock; or a later time, by which the device's clock went.
    public let now: Timestamp
    private let earliest: Timestamp
    /// How far devices' clocks may be ahead.
    public static let aheadMax: Duration = .seconds(300)
    /// The first day taken. Devices whose clock was never set report the epochs of Unix (1970) and GPS (6 January 1980).
    public static let earliest = Timestamp(microseconds: 315_964_800_000_000 + 86_400_000_000)
    /// What a device's clock may show at all, set or not: 31 December 1969 (the Unix epoch in some time zone) to 2199.
    public static let deviceTimes =
        Timestamp(microseconds: -86_400_000_000)..<Timestamp(microseconds: 7_258_118_400_000_000)

    public init(now: Timestamp) {
        self.now = now
        earliest = Self.earliest
    }

    /// For people whose samples must not be lost to a wrong clock (SOS-05): what is in order by the device's own clock is
    /// taken as well as what is by this machine's. `sentAt`, the device's time of sending, must be one of `deviceTimes`.
    public init(now: Timestamp, sentAt: Timestamp) {
        self.now = max(now, sentAt)
        earliest = Self.deviceTimes.lowerBound
    }

    func check(_ time: Timestamp) throws(SampleError) {
        if time > now + Self.aheadMax { throw .future(ahead: time - now) }
        if time < earliest { throw .clockNeverSet }
    }
}
