import Reactor

/// Makes work that can wait (sealing, the closing of days, reading imported files) give way to uploads: it rests after each
/// piece, the longer the more of the piece's time uploads were being committed. While there are none it does not rest.
struct Throttle: Sendable {
    /// A piece is followed by a rest of up to so many times its own length: four pieces at a time then take less than one
    /// processor while uploads come without a break. Sealing them takes a thirtieth of their own work, so it does not fall
    /// behind.
    static let restsMax = 4.0
    /// The longest rest: less than what leases are held for while work goes on.
    static let restMax = Duration.seconds(5)

    /// The commits of uploads.
    let uploads: BusyMeter

    /// Does a piece of work, and rests. Call on a loop. Errors: those of `work`; a rest that is cancelled is over.
    @discardableResult
    func run<T: Sendable>(_ work: () async throws -> T) async throws -> T {
        let (start, busy) = (Deadline.now(), uploads.total)
        let result = try await work()
        let rest = Self.rest(after: Deadline.now().since(start), busy: uploads.total - busy)
        if rest > .zero, let loop = EventLoop.current { try? await loop.sleep(for: rest) }
        return result
    }

    /// The rest after a piece of work that took `elapsed`, of which uploads were being committed for `busy`.
    static func rest(after elapsed: Duration, busy: Duration) -> Duration {
        min(min(busy, elapsed) * restsMax, restMax)
    }
}
