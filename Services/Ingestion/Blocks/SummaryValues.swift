import Domain

/// What is kept of samples that are not read one by one: of an hour of a source, or of all that was merged with it. Numbers
/// are scaled integers (`DataType.scaled`).
///
/// A rate holds from its time until the next reading of its source, at most 5 minutes and not beyond the hour on the clock; one
/// with a duration holds for that long, in each hour for its part. Mean and variance weigh readings by how long they held. A
/// counter's interval counts for each hour in proportion. A state lasts as a rate holds.
struct SummaryValues: Equatable, Sendable {
    /// Samples that begin here and are values of the person (of sleep: that end here).
    var count = 0
    /// Samples that begin here and were taken without contact: they are in nothing else.
    var withoutContact = 0
    /// Of rates and states: how long values are known, in milliseconds. Of positions: the minutes with any.
    var weight: Int64 = 0
    /// Of rates: the sum of values times milliseconds.
    var weighted: Int64 = 0
    /// Of rates: the sum of the squares of distances to the mean, times milliseconds; in a `DaySummary` with the
    /// digits of a 32-bit number.
    var squares = 0.0
    /// Of counters: the amount.
    var sum: Int64 = 0
    /// Of the samples that begin here, unless there are none.
    var min = Int64.max
    var max = Int64.min
    /// Of states: how long each lasted, in milliseconds.
    var states: [Int64: Int64] = [:]

    var isEmpty: Bool { count == 0 && withoutContact == 0 && weight == 0 && sum == 0 }

    /// Whether anything was measured; readings without contact measure nothing.
    var hasValues: Bool { count > 0 || weight > 0 || sum != 0 }

    /// Of rates, by time; `nil` when no value is known.
    var mean: Double? { weight > 0 ? Double(weighted) / Double(weight) : nil }

    /// Of rates, by time: the mean square of the distances to the mean.
    var variance: Double? { weight > 0 ? squares / Double(weight) : nil }

    /// Adds one sample that begins here.
    mutating func count(_ value: Int64) {
        count += 1
        min = Swift.min(min, value)
        max = Swift.max(max, value)
    }

    /// The value held so long.
    mutating func hold(_ value: Int64, _ milliseconds: Int64) {
        guard milliseconds > 0 else { return }
        if let mean {
            let distance = Double(value) - mean
            let total = Double(weight) + Double(milliseconds)
            squares += distance * distance * Double(weight) * Double(milliseconds) / total
        }
        weight &+= milliseconds
        weighted &+= value &* milliseconds
    }

    /// The state lasted so long.
    mutating func last(_ state: Int64, _ milliseconds: Int64) {
        guard milliseconds > 0 else { return }
        weight &+= milliseconds
        states[state, default: 0] &+= milliseconds
    }

    /// Adds what is known of other samples (Chan, Golub and LeVeque 1979).
    mutating func merge(_ other: SummaryValues) {
        if let mean, let otherMean = other.mean {
            let distance = otherMean - mean
            let total = Double(weight) + Double(other.weight)
            squares += other.squares + distance * distance * Double(weight) * Double(other.weight) / total
        } else {
            squares += other.squares
        }
        count += other.count
        withoutContact += other.withoutContact
        weight &+= other.weight
        weighted &+= other.weighted
        sum &+= other.sum
        min = Swift.min(min, other.min)
        max = Swift.max(max, other.max)
        states.merge(other.states) { $0 &+ $1 }
    }
}

/// The sources of one person in the order in which they count: of two that have samples of a type in the same hour (of sleep: on
/// the same day) the first counts, and the other does not.
struct SourceOrder: Sendable {
    private let ranks: [Int16: Int]
    let first: Int16?

    /// The preferred one first; others follow in the order of their numbers, manual entry (0) last.
    init(_ preferred: [Int16] = []) {
        first = preferred.first
        ranks = Dictionary(preferred.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    func isPreferred(_ left: Int16, to right: Int16) -> Bool { key(left) < key(right) }

    private func key(_ source: Int16) -> (Int, Int) {
        (ranks[source] ?? ranks.count, source == 0 ? Int.max : Int(source))
    }
}
