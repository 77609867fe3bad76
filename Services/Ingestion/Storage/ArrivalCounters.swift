import Primitives
import Reactor
import Synchronization

/// An `EventCounter` for each person whose next samples somebody in this process waits for.
final class ArrivalCounters: Sendable {
    /// People whose samples are waited for at the same time.
    static let peopleMax = 20_000

    private struct Entry {
        let counter = EventCounter()
        var waiters = 0
    }

    private let entries = Mutex<[UUID: Entry]>([:])
    private let stopping = Atomic<Bool>(false)

    /// Whether the service stops: nobody waits any more.
    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// Wakes everybody who waits.
    func stopWaiting() {
        stopping.store(true, ordering: .relaxed)
        for entry in entries.withLock({ Array($0.values) }) { entry.counter.raise() }
    }

    /// Call after samples of this person were committed.
    func raise(_ account: UUID) {
        entries.withLock { $0[account]?.counter }?.raise()
    }

    /// Runs `body` with the person's counter. Errors: `IOError.limit` when too many people are waited for, and the body's.
    func waiting<R>(for account: UUID, _ body: (EventCounter) async throws -> R) async throws -> R {
        let counter = try entries.withLock { entries in
            guard entries[account] != nil || entries.count < Self.peopleMax else {
                throw IOError.limit("people waited for: \(Self.peopleMax)")
            }
            var entry = entries[account] ?? Entry()
            entry.waiters += 1
            entries[account] = entry
            return entry.counter
        }
        defer {
            entries.withLock { entries in
                entries[account]?.waiters -= 1
                if entries[account]?.waiters == 0 { entries[account] = nil }
            }
        }
        return try await body(counter)
    }
}
