import Synchronization

extension EventLoop {
    /// Waits on the loop's timers. Errors: `cancelled`. Call on the loop.
    public func sleep(until deadline: Deadline) async throws(IOError) {
        preconditionCurrent()
        let sleeper = Sleeper()
        let woke: Bool = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: false) }
                sleeper.start(continuation, timer: schedule(at: deadline) { sleeper.finish(true) })
            }
        } onCancel: {
            execute { if let timer = sleeper.finish(false) { self.cancel(timer) } }
        }
        guard woke else { throw .cancelled }
    }

    /// Lets everything else that is due on the loop come first: jobs, events and timers.
    func nextTurn() async {
        preconditionCurrent()
        await withUnsafeContinuation { continuation in
            _ = schedule(at: .now()) { continuation.resume() }
        }
    }

    /// As `sleep(until:)`.
    public func sleep(for duration: Duration) async throws(IOError) { try await sleep(until: .after(duration)) }
}

/// One sleeping task: resumed once, by its timer or its cancellation.
private final class Sleeper: Sendable {
    private let state = Mutex<(continuation: UnsafeContinuation<Bool, Never>, timer: EventLoop.Timer)?>(nil)

    func start(_ continuation: UnsafeContinuation<Bool, Never>, timer: EventLoop.Timer) {
        state.withLock { $0 = (continuation, timer) }
    }

    @discardableResult
    func finish(_ woke: Bool) -> EventLoop.Timer? {
        let taken = state.withLock { state in
            defer { state = nil }
            return state
        }
        taken?.continuation.resume(returning: woke)
        return taken?.timer
    }
}
