import Synchronization

/// Tells handlers that wait for news, long polls and streams of events, that their server stops: they answer, or end their
/// stream in order, at once, and their clients come back to another server. Everything else is finished as usual.
public final class HTTPServerEnd: Sendable {
    private struct State {
        var isReached = false
        var lastNumber: UInt64 = 0
        var actions: [UInt64: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    init() {}

    /// Whether the server stops. Look after having taken what is waited with, such as the value of a counter that `action`
    /// raises.
    public var isReached: Bool { state.withLock(\.isReached) }

    /// Calls `action` once, from any thread, when the server stops before `body` has returned, or stops already.
    public func calling<R>(
        _ action: @escaping @Sendable () -> Void, during body: () async throws -> R
    ) async rethrows -> R {
        let number = state.withLock { state -> UInt64? in
            guard !state.isReached else { return nil }
            state.lastNumber += 1
            state.actions[state.lastNumber] = action
            return state.lastNumber
        }
        if number == nil { action() }
        defer { if let number { state.withLock { _ = $0.actions.removeValue(forKey: number) } } }
        return try await body()
    }

    func reach() {
        let actions = state.withLock { state in
            state.isReached = true
            defer { state.actions = [:] }
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }
}
