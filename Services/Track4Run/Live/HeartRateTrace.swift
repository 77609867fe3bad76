import Primitives

/// A runner's heart rate so far: the last value and the mean (RUN-09, RUN-11).
struct HeartRateTrace: Codable, Sendable, Hashable {
    /// Beats per minute.
    private(set) var last: Double?
    private(set) var lastAt: Timestamp?
    private var sum = 0.0
    private(set) var count = 0

    /// Beats per minute; `nil` without a value.
    var mean: Double? { count > 0 ? sum / Double(count) : nil }

    /// Ignores what is not newer, and 0, which no runner has.
    mutating func add(_ value: Double, at time: Timestamp) {
        guard value > 0, lastAt.map({ time > $0 }) ?? true else { return }
        last = value
        lastAt = time
        sum += value
        count += 1
    }

    /// The last value, unless it is older than `age`.
    func current(at now: Timestamp, age: Duration) -> Double? {
        guard let lastAt, now - lastAt <= age else { return nil }
        return last
    }
}
