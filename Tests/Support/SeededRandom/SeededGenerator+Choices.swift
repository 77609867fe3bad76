extension SeededGenerator {
    /// 0 ..< `count`, which is positive.
    public mutating func index(below count: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// 0 ..< 1.
    public mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// Between the ends.
    public mutating func value(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
    }

    /// About normal, with mean 0 and standard deviation 1, within ±3.5.
    public mutating func deviation() -> Double {
        (fraction() + fraction() + fraction() + fraction() - 2) * 3.0.squareRoot()
    }

    public mutating func element<T>(of list: [T]) -> T { list[index(below: list.count)] }

    /// An element, each as often as its weight says.
    public mutating func weighted<T>(_ list: [(weight: Int, value: T)]) -> T {
        var left = index(below: list.reduce(0) { $0 + $1.weight })
        for (weight, value) in list {
            if left < weight { return value }
            left -= weight
        }
        return list[list.count - 1].value
    }
}
