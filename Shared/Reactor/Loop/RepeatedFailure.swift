/// Decides which of the failures in a row are logged: the first eight, then one a minute. A neighbour that is away for a
/// day, tried five times a second, then fills some 1,500 lines instead of 400,000. Counters count all of them.
public struct RepeatedFailure: Sendable {
    static let linesAtOnce = 8
    static let interval = Duration.seconds(60)

    private var failures = 0
    private var toldAt: Deadline?

    public init() {}

    /// Whether to log this failure. `now` is the monotonic time.
    public mutating func isToBeTold(at now: Deadline = .now()) -> Bool {
        failures += 1
        if failures > Self.linesAtOnce, let toldAt, now.since(toldAt) < Self.interval { return false }
        toldAt = now
        return true
    }

    /// What failed works: the next failure is the first of a new row, unless the last line is less than a minute old. What
    /// works and fails in turn writes no more than what only fails.
    public mutating func succeeded(at now: @autoclosure () -> Deadline = .now()) {
        guard let toldAt, now().since(toldAt) >= Self.interval else { return }
        failures = 0
        self.toldAt = nil
    }
}
