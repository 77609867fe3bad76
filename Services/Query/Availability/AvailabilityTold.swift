import Primitives

/// What a third party was told of the availability of one request's data, and what it is to be told next. Without I/O.
struct AvailabilityTold: Sendable, Equatable {
    /// A mask of the types that it was told are no longer available.
    var unavailable: Int64 = 0
    /// When it was told last that some are not, and that some are again.
    var unavailableAt: Timestamp?
    var availableAt: Timestamp?

    struct Next: Sendable, Equatable {
        /// Masks of the types to tell of now.
        var gone: Int64 = 0
        var back: Int64 = 0
        /// When the rest may be told, if there is any.
        var restAt: Timestamp?
    }

    /// Notes what is told now that the types of `missing` are not available, each of the two at most once in `pause`. A time that is
    /// ahead was set before the clock was set back, and counts as passed.
    mutating func tell(missing: Int64, at now: Timestamp, pause: Duration) -> Next {
        var next = Next()
        func isFree(_ last: Timestamp?) -> Bool { last.map { $0 > now || $0 + pause <= now } ?? true }
        func wait(_ last: Timestamp?) {
            guard let last else { return }
            next.restAt = min(next.restAt ?? last + pause, last + pause)
        }
        let (gone, back) = (missing & ~unavailable, unavailable & ~missing)
        let (goneAt, backAt) = (unavailableAt, availableAt)
        if gone != 0 {
            if isFree(goneAt) { (next.gone, unavailableAt) = (gone, now) } else { wait(goneAt) }
        }
        if back != 0 {
            if isFree(backAt) { (next.back, availableAt) = (back, now) } else { wait(backAt) }
        }
        unavailable = (unavailable | next.gone) & ~next.back
        return next
    }
}
