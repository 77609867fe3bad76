public import Primitives

/// The times at which a sample may have been measured.
public struct SampleClock: Sendable {
    /// When the sample came in, by this machine's clock.
    public let now: Timestamp
    /// How far devices' clocks may be ahead.
    public static let aheadMax: Duration = .seconds(300)
    /// The first day taken. Devices whose clock was never set report the epochs of Unix (1970) and GPS (6 January 1980).
    public static let earliest = Timestamp(microseconds: 315_964_800_000_000 + 86_400_000_000)

    public init(now: Timestamp) {
        self.now = now
    }

    func check(_ time: Timestamp) throws(SampleError) {
        if time > now + Self.aheadMax { throw .future(ahead: time - now) }
        if time < Self.earliest { throw .clockNeverSet }
    }
}
