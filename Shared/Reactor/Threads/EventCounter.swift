import Synchronization

/// A counter that only grows and that tasks can wait on: "something new since I last looked". From any thread.
public final class EventCounter: Sendable {
    private struct State {
        var value: UInt64 = 0
        var lastID: UInt64 = 0
        var waiters: [UInt64: UnsafeContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    public var value: UInt64 { state.withLock { $0.value } }

    /// Adds one and wakes everybody who waits, who came first first.
    public func raise() {
        let waiters = state.withLock { state in
            state.value += 1
            defer { state.waiters = [:] }
            return state.waiters
        }
        guard waiters.count > 1 else {
            waiters.first?.value.resume()
            return
        }
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.resume() }
    }

    /// Returns the value once it is above `seen`, at the deadline, or when the task is cancelled. Call on a loop.
    public func wait(after seen: UInt64, deadline: Deadline = .never) async -> UInt64 {
        guard let loop = EventLoop.current else { preconditionFailure("EventCounter.wait outside an event loop") }
        guard value <= seen else { return value }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let timer = deadline == .never ? nil : loop.schedule(at: deadline) { self.wake(id) }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.value <= seen, !Task.isCancelled else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            loop.execute { self.wake(id) }
        }
        if let timer, loop.isCurrent { loop.cancel(timer) }
        return value
    }

    private func wake(_ id: UInt64) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
}
