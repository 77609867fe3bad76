import Domain

/// Statistics of values (ING-06). Those that need more values are `nil` and named in `tooFew` (ING-13).
struct Statistics: Sendable, Equatable, Encodable {
    /// Percentiles that are given: for each the least number of values that it needs, so that it is between two of them.
    private static let percentiles: [(name: String, fraction: Double, countMin: Int)] = [
        ("p5", 0.05, 20), ("p25", 0.25, 4), ("p75", 0.75, 4), ("p95", 0.95, 20),
    ]

    var count = 0
    var mean: Double?
    var median: Double?
    var percentiles: [String: Double] = [:]
    /// Of the sample, with n − 1.
    var variance: Double?
    var standardDeviation: Double?
    /// Of the mean.
    var standardError: Double?
    var min: Double?
    var max: Double?
    var tooFew: [String] = []

    /// Of values that have no others.
    init(count: Int) {
        self.count = count
    }

    /// Of ascending values with their counts, each of which counts the same.
    init(_ values: [(value: Double, count: Int)]) {
        let count = values.reduce(0) { $0 + $1.count }
        let mean = values.reduce(0.0) { $0 + $1.value * Double($1.count) } / Double(Swift.max(1, count))
        // Computed about the mean, so that large values with small differences keep their digits.
        let squares = values.reduce(0.0) { $0 + ($1.value - mean) * ($1.value - mean) * Double($1.count) }
        self.init(
            count: count, mean: mean, variance: squares / Double(Swift.max(1, count)), min: values.first?.value,
            max: values.last?.value
        ) { fractions in fractions.map { Self.quantile($0, values, count) } }
    }

    /// Of a rate's readings: mean and variance weigh how long each held (`SummaryValues`), percentiles count each the same,
    /// by ascending values with their counts.
    init(_ total: SummaryValues, of type: DataType, _ values: [(value: Int64, count: Int)]) {
        let values = values.map { (value: type.value(scaled: $0.value), count: $0.count) }
        let count = values.reduce(0) { $0 + $1.count }
        self.init(total, of: type) { fractions in fractions.map { Self.quantile($0, values, count) } }
    }

    /// The same from summaries of days.
    init(_ total: SummaryValues, of type: DataType, _ spread: ValueSpread) {
        let one = Double(type.scaled(1))
        self.init(total, of: type) { fractions in spread.quantiles(fractions).map { $0 / one } }
    }

    private init(_ total: SummaryValues, of type: DataType, quantiles: ([Double]) -> [Double]) {
        let one = Double(type.scaled(1))
        self.init(
            count: total.count, mean: (total.mean ?? 0) / one, variance: (total.variance ?? 0) / (one * one),
            min: total.count > 0 ? type.value(scaled: total.min) : nil,
            max: total.count > 0 ? type.value(scaled: total.max) : nil, quantiles: quantiles)
    }

    /// `variance` is the mean of squares; `quantiles` gives for ascending fractions as many values.
    private init(
        count: Int, mean: Double, variance: Double, min: Double?, max: Double?, quantiles: ([Double]) -> [Double]
    ) {
        self.count = count
        guard count > 0 else {
            tooFew = ["mean", "median", "min", "max", "variance", "percentiles"]
            return
        }
        (self.mean, self.min, self.max) = (mean, min, max)
        median = quantiles([0.5]).first
        if count > 1 {
            let variance = variance * Double(count) / Double(count - 1)
            self.variance = variance
            standardDeviation = variance.squareRoot()
            standardError = (variance / Double(count)).squareRoot()
        } else {
            tooFew.append("variance")
        }
        let given = Self.percentiles.filter { count >= $0.countMin }
        for (percentile, value) in zip(given, quantiles(given.map(\.fraction))) { percentiles[percentile.name] = value }
        tooFew += Self.percentiles.filter { count < $0.countMin }.map(\.name)
    }

    /// Linear between the two nearest values (Hyndman and Fan 1996, type 7).
    private static func quantile(_ fraction: Double, _ values: [(value: Double, count: Int)], _ count: Int) -> Double {
        let place = fraction * Double(count - 1)
        let rank = Int(place)
        let low = value(ranked: rank, values)
        let high = rank + 1 < count ? value(ranked: rank + 1, values) : low
        return low + (high - low) * (place - Double(rank))
    }

    private static func value(ranked rank: Int, _ values: [(value: Double, count: Int)]) -> Double {
        var before = 0
        for (value, count) in values {
            before += count
            if rank < before { return value }
        }
        return values.last?.value ?? 0
    }
}
