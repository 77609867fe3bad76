import Glibc
import Primitives

/// A point on the monotonic clock (`CLOCK_MONOTONIC`, nanoseconds) by which something must be done. Never sent to
/// another machine: what crosses the wire is `remaining`.
public struct Deadline: Comparable, Hashable, Sendable {
    /// Nanoseconds since an arbitrary start; `UInt64.max` is `never`.
    let nanoseconds: UInt64

    public static let never = Deadline(nanoseconds: .max)

    public static func now() -> Deadline {
        if let simulation = Simulation.current { return Deadline(nanoseconds: simulation.nanoseconds) }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Deadline(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// `duration` from now; a negative duration has passed already, one of more than about 500 years is `never`.
    public static func after(_ duration: Duration) -> Deadline { now().advanced(by: duration) }

    public func advanced(by duration: Duration) -> Deadline {
        let (seconds, attoseconds) = duration.components
        if self == .never || seconds > 9_000_000_000 { return .never }
        let shift = seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue + attoseconds / 1_000_000_000
        if shift < 0 { return Deadline(nanoseconds: nanoseconds > shift.magnitude ? nanoseconds - shift.magnitude : 0) }
        return Deadline(nanoseconds: min(nanoseconds.addingReportingOverflow(UInt64(shift)).partialValue, .max - 1))
    }

    /// What is left: zero when it has passed; about 292 years for `never`.
    public var remaining: Duration {
        let now = Deadline.now()
        return now >= self ? .zero : .nanoseconds(Int64(clamping: nanoseconds - now.nanoseconds))
    }

    public var hasPassed: Bool { self != .never && Deadline.now() >= self }

    /// Time from `earlier` to this; zero when `earlier` is later.
    public func since(_ earlier: Deadline) -> Duration {
        .nanoseconds(Int64(clamping: nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0))
    }

    public static func < (left: Deadline, right: Deadline) -> Bool { left.nanoseconds < right.nanoseconds }
}
