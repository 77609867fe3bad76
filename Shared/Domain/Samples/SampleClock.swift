public import Primitives

/// The times at which a sample may have been measured.
public struct SampleClock: Sendable {
    /// When the sample came in, by this machine's clock; or a later time, by which the device's clock went.
    public let now: Timestamp
    /// The first and the last time that are taken.
    public let first: Timestamp
    public let last: Timestamp
    /// How far devices' clocks may be ahead.
    public static let aheadMax: Duration = .seconds(300)
    /// How far a device's clock may be behind when it sends, as `sent_at` shows: an hour, and what an upload takes.
    public static let behindMax: Duration = .seconds(3660)
    /// The first day taken. Devices whose clock was never set report the epochs of Unix (1970) and GPS (6 January 1980).
    public static let earliest = Timestamp(microseconds: 315_964_800_000_000 + 86_400_000_000)
    /// What a device's clock may show at all, set or not: 31 December 1969 (the Unix epoch in some time zone) to 2199.
    public static let deviceTimes =
        Timestamp(microseconds: -86_400_000_000)..<Timestamp(microseconds: 7_258_118_400_000_000)

    public init(now: Timestamp) {
        self.init(now, first: Self.earliest)
    }

    /// For people whose samples must not be lost to a wrong clock (SOS-05): what is in order by the device's own clock is
    /// taken as well as what is by this machine's. `sentAt`, the device's time of sending, must be one of `deviceTimes`.
    public init(now: Timestamp, sentAt: Timestamp) {
        self.init(max(now, sentAt), first: Self.deviceTimes.lowerBound)
    }

    private init(_ now: Timestamp, first: Timestamp) {
        self.now = now
        self.first = first
        last = now + Self.aheadMax
    }

    /// What has to be added to the times of a device whose clock is far off, as what it sent at `sentAt` was received at
    /// `receivedAt`; zero for one that is about right.
    public static func correction(sentAt: Timestamp, receivedAt: Timestamp) -> Duration {
        let behind = receivedAt - sentAt
        return behind > behindMax || .zero - behind > aheadMax ? behind : .zero
    }

    func check(_ time: Timestamp) throws(SampleError) {
        if time > last { throw .future(ahead: time - now) }
        if time < first { throw .clockNeverSet }
    }
}
