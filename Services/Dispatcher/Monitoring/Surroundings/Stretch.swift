import Primitives

/// A time through which something went on, as far as it is known.
struct Stretch: Sendable, Equatable {
    private(set) var from: Timestamp
    private(set) var through: Timestamp

    init(_ range: ClosedRange<Timestamp>) {
        from = range.lowerBound
        through = range.upperBound
    }

    var duration: Duration { through - from }

    /// Whether it goes on at `time`, or ended at most `hold` before.
    func reaches(_ time: Timestamp, hold: Duration) -> Bool { time >= from && time <= through + hold }
}

extension Stretch? {
    /// Adds a sign of it. Signs with at most `hold` between them are one stretch; the last stretch is kept.
    mutating func add(_ range: ClosedRange<Timestamp>, hold: Duration) {
        guard let known = self else {
            self = Stretch(range)
            return
        }
        guard range.upperBound >= known.from - hold else { return }
        self =
            range.lowerBound > known.through + hold
            ? Stretch(range) : Stretch(min(known.from, range.lowerBound)...max(known.through, range.upperBound))
    }

    mutating func add(_ time: Timestamp, hold: Duration) { add(time...time, hold: hold) }
}
