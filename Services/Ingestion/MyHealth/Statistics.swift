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

    /// Of ascending values with their counts.
    init(_ values: [(value: Double, count: Int)]) {
        count = values.reduce(0) { $0 + $1.count }
        guard let first = values.first, let last = values.last, count > 0 else {
            tooFew = ["mean", "median", "min", "max", "variance", "percentiles"]
            return
        }
        (min, max) = (first.value, last.value)
        let mean = values.reduce(0.0) { $0 + $1.value * Double($1.count) } / Double(count)
        self.mean = mean
        median = Self.quantile(0.5, values, count)
        if count > 1 {
            // Computed about the mean, so that large values with small differences keep their digits.
            let squares = values.reduce(0.0) { $0 + ($1.value - mean) * ($1.value - mean) * Double($1.count) }
            let variance = squares / Double(count - 1)
            self.variance = variance
            standardDeviation = variance.squareRoot()
            standardError = (variance / Double(count)).squareRoot()
        } else {
            tooFew.append("variance")
        }
        for (name, fraction, countMin) in Self.percentiles {
            if count >= countMin {
                percentiles[name] = Self.quantile(fraction, values, count)
            } else {
                tooFew.append(name)
            }
        }
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
