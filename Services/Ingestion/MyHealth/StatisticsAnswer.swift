import Domain
import Primitives

/// `GET /me/statistics`.
struct StatisticsAnswer: Encodable, Sendable {
    /// What the statistics are computed from.
    enum Basis: String, Encodable, Sendable {
        /// Each reading: percentiles are exact.
        case samples
        /// Days, of which 21 readings each tell how the others are spread: percentiles are near.
        case daySummaries = "day-summaries"
        /// For counters: of the local days that lie in the span as a whole; where none does, of such hours.
        case daySums = "day-sums"
        case hourSums = "hour-sums"
        /// For states: how long each lasted.
        case stateTimes = "state-times"
    }

    /// What mean and variance weigh.
    enum Weights: String, Encodable, Sendable {
        /// How long each reading held: until the next of its source, at most 5 minutes and to the end of the hour.
        case time
        case none
    }

    let type: DataType
    let unit: String
    let from: Timestamp
    let to: Timestamp
    let basis: Basis
    let weights: Weights
    let statistics: Statistics
    /// Number of readings of a sensor that did not touch the person, which are no values; for rates only.
    var withoutContact: Int?
    /// Of states: seconds by value.
    var states: [String: Double]?

    init(_ span: Span, basis: Basis, weights: Weights, _ statistics: Statistics) {
        type = span.type
        unit = span.type.unit.description
        from = span.from
        to = span.to
        self.basis = basis
        self.weights = weights
        self.statistics = statistics
    }
}
