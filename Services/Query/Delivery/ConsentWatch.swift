import Primitives
import Reactor
import Synchronization

/// Wakes, inside this process, whoever is delivering data of a request when the request's state changes. Between replicas
/// the database tells: consent is checked there before each delivery.
final class ConsentWatch: Sendable {
    private struct Entry {
        let signal = EventCounter()
        var watchers = 0
    }

    private let entries = Mutex<[UUID: Entry]>([:])

    /// Lends the signal of a request to `body`.
    func watching<R>(_ id: UUID, _ body: (EventCounter) async throws -> R) async throws -> R {
        let signal = entries.withLock { entries in
            entries[id, default: Entry()].watchers += 1
            return entries[id]?.signal ?? EventCounter()
        }
        defer {
            entries.withLock { entries in
                entries[id]?.watchers -= 1
                if entries[id]?.watchers == 0 { entries[id] = nil }
            }
        }
        return try await body(signal)
    }

    /// The request's state has changed, and that is committed.
    func changed(_ id: UUID) {
        entries.withLock { $0[id]?.signal }?.raise()
    }

    /// Requests that are being watched.
    var count: Int { entries.withLock(\.count) }
}
