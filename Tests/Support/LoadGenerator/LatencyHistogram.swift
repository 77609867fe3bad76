/// Latencies in classes less than 1% wide, from a microsecond to an hour, in a memory of fixed size.
public struct LatencyHistogram: Sendable {
    private static let partsBits = 7
    private static let parts = 1 << partsBits
    private var counts: [UInt32]
    public private(set) var count = 0

    public init() { counts = [UInt32](repeating: 0, count: 26 * Self.parts) }

    public mutating func add(microseconds: Int64) {
        counts[min(counts.count - 1, Self.index(max(0, microseconds)))] += 1
        count += 1
    }

    public mutating func add(_ other: LatencyHistogram) {
        for index in counts.indices { counts[index] += other.counts[index] }
        count += other.count
    }

    /// In microseconds, the value below which this share of the latencies lies; 0 of none.
    public func percentile(_ share: Double) -> Double {
        guard count > 0 else { return 0 }
        var left = max(1, Int((Double(count) * share).rounded(.up)))
        for (index, number) in counts.enumerated() {
            left -= Int(number)
            if left <= 0 { return Self.middle(index) }
        }
        return Self.middle(counts.count - 1)
    }

    /// Values below 128 have a class each; then each doubling has as many again.
    private static func index(_ value: Int64) -> Int {
        guard value >= Int64(parts) else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount - partsBits
        return exponent << partsBits + Int(value >> Int64(exponent))
    }

    private static func middle(_ index: Int) -> Double {
        guard index >= 2 * parts else { return Double(index) }
        let exponent = index >> partsBits - 1
        let low = (index & (parts - 1) + parts) << exponent
        return Double(low) + Double(1 << exponent) / 2
    }
}
