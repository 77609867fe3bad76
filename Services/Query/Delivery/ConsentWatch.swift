import HTTP
import Primitives
import Reactor
import Synchronization

/// Wakes the deliveries of a request in this process when the request's state changes. Between replicas the database
/// does: consent is checked there before each delivery.
final class ConsentWatch: Sendable {
    private struct Entry {
        let signal = EventCounter()
        var watchers = 0
    }

    private let entries = Mutex<[UUID: Entry]>([:])

    /// Calls `body` with the counter of a request's changes, which the end of the server raises, too.
    func watching<R>(
        _ id: UUID, until end: HTTPServerEnd, _ body: (EventCounter) async throws -> R
    ) async throws -> R {
        try await watching(id) { signal in
            try await end.calling {
                signal.raise()
            } during: {
                try await body(signal)
            }
        }
    }

    /// Calls `body` with the counter of a request's changes.
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

    /// Call after a change of the request's state is committed.
    func changed(_ id: UUID) {
        entries.withLock { $0[id]?.signal }?.raise()
    }

    /// Requests that are being watched.
    var count: Int { entries.withLock(\.count) }
}
