import Domain

/// How often each value occurred: exact statistics of any number of samples, in memory that grows with the number of
/// different values, of which a data type has few.
struct ValueCounts: Sendable {
    private var counts: [Int64: Int] = [:]
    private(set) var count = 0

    mutating func add(_ value: Int64) {
        counts[value, default: 0] += 1
        count += 1
    }

    /// Ascending.
    func sorted() -> [(value: Int64, count: Int)] {
        counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
