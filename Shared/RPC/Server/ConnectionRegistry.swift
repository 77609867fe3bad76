import Synchronization

/// The open connections of one server.
final class ConnectionRegistry: Sendable {
    private struct State {
        var open: [UInt64: ServerConnection] = [:]
        var lastID: UInt64 = 0
        var isStopping = false
    }

    private let state = Mutex(State())

    func nextID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// True when the server is stopping, of which the connection must be told.
    func add(_ connection: ServerConnection, id: UInt64) -> Bool {
        state.withLock { state in
            state.open[id] = connection
            return state.isStopping
        }
    }

    func remove(_ id: UInt64) {
        state.withLock { $0.open[id] = nil }
    }

    /// The connections that are to be told that the server stops.
    func stop() -> [ServerConnection] {
        state.withLock { state in
            state.isStopping = true
            return Array(state.open.values)
        }
    }
}
