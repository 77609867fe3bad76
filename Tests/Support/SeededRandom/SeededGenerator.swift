/// Numbers that look random and are the same for the same seed, on every machine and with every compiler (SplitMix64,
/// Steele, Lea and Flood 2014), so that a failure can be repeated. Not for secrets.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    @inlinable
    public init(seed: UInt64) {
        state = seed
    }

    /// The generator of one of many things, independent of the others'.
    @inlinable
    public init(seed: UInt64, stream: Int) {
        var mixer = SeededGenerator(seed: seed &+ UInt64(truncatingIfNeeded: stream) &* 0x9e37_79b9_7f4a_7c15)
        state = mixer.next()
    }

    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
