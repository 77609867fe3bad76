public import Reactor
import Synchronization

/// Work that failed, and when it is tried again: each key has its own growing pause, so that one that keeps failing
/// holds up no other. In memory: after a restart everything is tried at once.
public final class Retries<Key: Hashable & Sendable>: Sendable {
    /// Keys with failures; further ones are tried without a pause.
    public static var keysMax: Int { 10_000 }

    private struct Entry {
        var failures = 0
        var notBefore = Deadline.now()
    }

    private let backOff: BackOff
    private let entries = Mutex<[Key: Entry]>([:])

    public init(backOff: BackOff = BackOff(base: .seconds(1), max: .seconds(300))) {
        self.backOff = backOff
    }

    /// Keys that are not to be tried now.
    public var resting: [Key] {
        entries.withLock { entries in
            entries = entries.filter { $0.value.failures > 0 || !$0.value.notBefore.hasPassed }
            return entries.filter { !$0.value.notBefore.hasPassed }.map(\.key)
        }
    }
    /// Keys that have failed: those never tried go first.
    public var failing: [Key] { entries.withLock { $0.filter { $0.value.failures > 0 }.map(\.key) } }
    /// Keys that have failed, or are being tried.
    public var count: Int { entries.withLock { $0.values.count { $0.failures > 0 } } }
    public func failures(of key: Key) -> Int { entries.withLock { $0[key]?.failures ?? 0 } }

    /// Call before a try: one that never returns counts as a failure.
    public func begin(_ key: Key) {
        entries.withLock { entries in
            guard entries[key] != nil || entries.count < Self.keysMax else { return }
            var entry = entries[key] ?? Entry()
            entry.failures += 1
            entry.notBefore = .after(backOff.delay(afterFailures: entry.failures))
            entries[key] = entry
        }
    }

    /// Call when the work is done or no longer needed. With a pause it is not done again before the pause is over.
    public func succeeded(_ key: Key, pause: Duration = .zero) {
        entries.withLock { $0[key] = pause > .zero ? Entry(notBefore: .after(pause)) : nil }
    }
}
