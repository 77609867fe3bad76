import Reactor
import Synchronization

/// The right to write to a third party for a moment. It ends a second after consent was last checked, so that a withdrawal
/// that waits for a second is answered when nothing flows any more, whichever replica writes (REQ-10).
enum Lease {
    static let time = Duration.seconds(1)

    /// Runs `work` under a lease: halfway through it `renew` gets the next one. When `renew` throws or does not answer in time,
    /// the work is cancelled. Work that needs no lease for the rest calls `release`. Errors: those of the work and of `renew`,
    /// `IOError.timedOut`. Call on a loop.
    static func hold<T: Sendable>(
        until first: Deadline, renew: @escaping @Sendable () async throws -> Deadline,
        _ work: @escaping @Sendable (_ release: @escaping @Sendable () -> Void) async throws -> T
    ) async throws -> T {
        guard let loop = EventLoop.current else { preconditionFailure("Lease.hold outside an event loop") }
        let isOld = first.advanced(by: .zero - time / 2).hasPassed
        let end = isOld ? try await renew() : first
        guard !end.hasPassed else { throw IOError.timedOut }
        return try await HeldLease(until: end, on: loop, renew: renew).run(work)
    }
}

/// A lease with work under it. Timers look after it, not tasks beside the work: nearly all work is done long before the first one.
private final class HeldLease: Sendable {
    private struct State {
        var end: Deadline
        var timer: EventLoop.Timer?
        var renewal: Task<Void, Never>?
        /// Cancels the work.
        var cancel: (@Sendable () -> Void)?
        var failure: (any Error)?
        /// The work is done, or needs the lease no more.
        var isReleased = false
    }

    private let loop: EventLoop
    private let renew: @Sendable () async throws -> Deadline
    private let state: Mutex<State>

    init(until end: Deadline, on loop: EventLoop, renew: @escaping @Sendable () async throws -> Deadline) {
        self.loop = loop
        self.renew = renew
        state = Mutex(State(end: end))
    }

    /// Call on the loop.
    func run<T: Sendable>(
        _ work: @escaping @Sendable (_ release: @escaping @Sendable () -> Void) async throws -> T
    ) async throws -> T {
        let task = loop.throwingTask {
            // What is done needs it no more, whenever its caller goes on.
            defer { self.release() }
            return try await work { self.release() }
        }
        state.withLock { $0.cancel = { task.cancel() } }
        watch()
        defer { release() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        if let failure = state.withLock(\.failure) { throw failure }
        return try result.get()
    }

    /// Renews it halfway. On the loop, as all below.
    private func watch() {
        state.withLock { state in
            guard !state.isReleased, state.failure == nil else { return }
            state.timer = loop.schedule(at: state.end.advanced(by: .zero - Lease.time / 2)) { self.beginRenewal() }
        }
    }

    private func beginRenewal() {
        guard !state.withLock(\.isReleased) else { return }
        let renewal = loop.task {
            do { self.renewed(until: try await self.renew()) } catch { self.fail(error) }
        }
        state.withLock { state in
            state.renewal = renewal
            state.timer = loop.schedule(at: state.end) { self.fail(IOError.timedOut) }
        }
    }

    private func renewed(until end: Deadline) {
        let timer = state.withLock { state in
            state.end = end
            return state.timer.take()
        }
        if let timer { loop.cancel(timer) }
        watch()
    }

    private func fail(_ error: any Error) {
        let cancel = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isReleased, state.failure == nil else { return nil }
            state.failure = error
            return state.cancel
        }
        cancel?()
    }

    /// From any thread.
    private func release() {
        guard EventLoop.current === loop else {
            loop.execute { self.release() }
            return
        }
        let (timer, renewal) = state.withLock { state in
            state.isReleased = true
            return (state.timer.take(), state.renewal.take())
        }
        if let timer { loop.cancel(timer) }
        renewal?.cancel()
    }
}
