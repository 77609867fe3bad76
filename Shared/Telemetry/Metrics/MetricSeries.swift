import Synchronization

/// One time series, counted without locks from any thread.
protocol MetricSeries: Sendable {
    func write(_ name: String, _ labels: [(name: String, value: String)], into text: inout [UInt8])
}

/// A number that only grows. Its metric's name ends in `_total`.
public final class Counter: MetricSeries {
    private let count = Atomic<Int>(0)

    init() {}

    public func increment(by amount: Int = 1) { count.add(amount, ordering: .relaxed) }

    public var value: Int { count.load(ordering: .relaxed) }

    func write(_ name: String, _ labels: [(name: String, value: String)], into text: inout [UInt8]) {
        MetricText.sample(name, labels, Double(value), into: &text)
    }
}

/// A number that goes up and down.
public final class Gauge: MetricSeries {
    private let bits = Atomic<UInt64>(0)

    init() {}

    public func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    public func add(_ amount: Double) { bits.add(amount) }

    public var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func write(_ name: String, _ labels: [(name: String, value: String)], into text: inout [UInt8]) {
        MetricText.sample(name, labels, value, into: &text)
    }
}

/// How often values fell into each of a fixed set of buckets.
public final class Histogram: MetricSeries {
    /// One bucket: not cumulative here, since one value should touch one counter only.
    private final class Bucket: Sendable {
        let count = Atomic<Int>(0)
    }

    /// For durations in seconds.
    public static let secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// Inclusive upper bounds, ascending; there is one more bucket for all above.
    let bounds: [Double]
    private let buckets: [Bucket]
    private let sum = Atomic<UInt64>(0)

    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Bucket() }
    }

    public func observe(_ value: Double) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        buckets[index].count.add(1, ordering: .relaxed)
        sum.add(value)
    }

    /// In seconds.
    public func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(Double(seconds) + Double(attoseconds) * 1e-18)
    }

    public var count: Int { buckets.reduce(0) { $0 + $1.count.load(ordering: .relaxed) } }

    func write(_ name: String, _ labels: [(name: String, value: String)], into text: inout [UInt8]) {
        var total = 0
        for (bound, bucket) in zip(bounds + [.infinity], buckets) {
            total += bucket.count.load(ordering: .relaxed)
            let labels = labels + [(name: "le", value: MetricText.number(bound))]
            MetricText.sample("\(name)_bucket", labels, Double(total), into: &text)
        }
        MetricText.sample(
            "\(name)_sum", labels, Double(bitPattern: sum.load(ordering: .relaxed)), into: &text)
        MetricText.sample("\(name)_count", labels, Double(total), into: &text)
    }
}

extension Atomic where Value == UInt64 {
    /// Adds to the `Double` whose bits these are.
    fileprivate borrowing func add(_ amount: Double) {
        var old = load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, original) = weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }
}
