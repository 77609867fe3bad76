/// Numbers that look random and are the same for the same seed, on every machine and with every compiler (SplitMix64,
/// Steele, Lea and Flood 2014). Not for secrets.
public struct SeededGenerator: Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    /// The generator of one of many things, independent of the others'.
    public init(seed: UInt64, stream: Int) {
        var mixer = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: stream) &* 0x9e37_79b9_7f4a_7c15)
        state = mixer.next()
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

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
