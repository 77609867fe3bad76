import Reactor
import Synchronization

/// What could not be done, and when it is tried again: each by itself, with a growing pause, so that one that fails again
/// and again keeps no other waiting. In memory: a process that starts anew tries everything at once.
final class Retries<Key: Hashable & Sendable>: Sendable {
    /// Failing at a time; beyond it they are tried without a pause.
    static var keysMax: Int { 10_000 }

    private struct Entry {
        var failures = 0
        var notBefore = Deadline.now()
    }

    private let backOff: BackOff
    private let entries = Mutex<[Key: Entry]>([:])

    init(backOff: BackOff = BackOff(base: .seconds(1), max: .seconds(300))) {
        self.backOff = backOff
    }

    /// Those that are not to be tried now.
    var resting: [Key] {
        entries.withLock { entries in
            entries = entries.filter { $0.value.failures > 0 || !$0.value.notBefore.hasPassed }
            return entries.filter { !$0.value.notBefore.hasPassed }.map(\.key)
        }
    }
    /// Those that have failed: what was never tried goes first.
    var failing: [Key] { entries.withLock { $0.filter { $0.value.failures > 0 }.map(\.key) } }
    /// Those that have failed, or are being tried.
    var count: Int { entries.withLock { $0.values.count { $0.failures > 0 } } }
    func failures(of key: Key) -> Int { entries.withLock { $0[key]?.failures ?? 0 } }

    /// Call before a try: one that never comes back is a failure, too.
    func begin(_ key: Key) {
        entries.withLock { entries in
            guard entries[key] != nil || entries.count < Self.keysMax else { return }
            var entry = entries[key] ?? Entry()
            entry.failures += 1
            entry.notBefore = .after(backOff.delay(afterFailures: entry.failures))
            entries[key] = entry
        }
    }

    /// Done, or no longer to be done. With a pause it is not done again before, however often it is asked for.
    func succeeded(_ key: Key, pause: Duration = .zero) {
        entries.withLock { $0[key] = pause > .zero ? Entry(notBefore: .after(pause)) : nil }
    }
}
