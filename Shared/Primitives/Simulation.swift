import Glibc
import Synchronization

/// A simulated machine: while `run` is on a thread, the clocks and the chance of what runs there are this object's, so that a run
/// can be repeated by its seed. Nothing of a service makes one. For the thread that made it.
package final class Simulation: @unchecked Sendable {
    /// `CLOCK_MONOTONIC`.
    package private(set) var nanoseconds: UInt64
    /// How far the wall clock is ahead of the monotonic one.
    package var wallMicroseconds: Int64
    private var state: UInt64
    /// Whether jobs that are ready at the same time run in an order of chance.
    package var isShuffling = false

    package init(seed: UInt64, at nanoseconds: UInt64, wallMicroseconds: Int64) {
        (state, self.nanoseconds, self.wallMicroseconds) = (seed, nanoseconds, wallMicroseconds)
    }

    package func advance(to time: UInt64) { nanoseconds = max(nanoseconds, time) }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    package func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    // MARK: Where am I

    /// Simulations that run in this process: the real clock costs one look at it more.
    private static let running = Atomic(0)
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("no thread-local storage left") }
        return key
    }()

    /// The one that runs on this thread.
    package static var current: Simulation? {
        guard running.load(ordering: .relaxed) > 0 else { return nil }
        return pthread_getspecific(key).map { Unmanaged<Simulation>.fromOpaque($0).takeUnretainedValue() }
    }

    package func run<R>(_ body: () throws -> R) rethrows -> R {
        begin()
        defer { end() }
        return try body()
    }

    /// From here on, on this thread, until `end`.
    package func begin() {
        Self.running.add(1, ordering: .relaxed)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    }

    package func end() {
        pthread_setspecific(Self.key, nil)
        Self.running.subtract(1, ordering: .relaxed)
    }
}

/// Chance: the system's, or the simulation's.
package struct MachineRandom: RandomNumberGenerator {
    package init() {}

    package mutating func next() -> UInt64 {
        if let simulation = Simulation.current { return simulation.next() }
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
