import Domain
import Primitives

/// Values of one data type, summed up per bucket of time.
struct Buckets: Sendable {
    /// Buckets in one answer.
    static let countMax = 50_000

    struct Bucket: Sendable, Equatable {
        var count = 0
        var sum = 0.0
        var min = Double.infinity
        var max = -Double.infinity
        /// For states: the number of samples of each value.
        var states: [Int64: Int] = [:]
    }

    let type: DataType
    let granularity: Granularity
    private(set) var buckets: [Int64: Bucket] = [:]
    /// More buckets than `countMax` were needed; those beyond are missing.
    private(set) var isOverfull = false

    init(type: DataType, granularity: Granularity) {
        self.type = type
        self.granularity = granularity
    }

    /// Readings without contact do not count.
    mutating func add(_ index: Int, of column: ValueColumn) {
        guard column.hasContact(index) else { return }
        let value = column.values[index]
        let start = granularity.bucket(of: column.times[index])
        guard buckets[start] != nil || buckets.count < Self.countMax else {
            isOverfull = true
            return
        }
        let number = type.value(scaled: value)
        let isState = type.kind == .state
        Self.add(number, isState ? value : nil, to: &buckets[start, default: Bucket()])
    }

    private static func add(_ number: Double, _ state: Int64?, to bucket: inout Bucket) {
        bucket.count += 1
        bucket.sum += number
        bucket.min = Swift.min(bucket.min, number)
        bucket.max = Swift.max(bucket.max, number)
        if let state { bucket.states[state, default: 0] += 1 }
    }

    /// In the order of time.
    var ordered: [(start: Int64, bucket: Bucket)] {
        buckets.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
