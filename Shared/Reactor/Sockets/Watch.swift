/// The readiness of one descriptor, on one loop. Level-triggered: a wait ends at once when the descriptor is ready.
/// At most one task waits for reading and one for writing. All calls are made on the loop; it is not Sendable.
public final class Watch {
    public let loop: EventLoop
    private let key: EventLoop.Table.Key
    private var isClosed = false
    /// The task inside `withCancellation`; kept for comparison only.
    private var scope: UnsafeCurrentTask?

    /// Registers a non-blocking descriptor, which stays the caller's and must outlive the watch.
    public init(descriptor: Int32, on loop: EventLoop) throws(IOError) {
        self.loop = loop
        key = try loop.register(descriptor)
    }

    /// A read would not block (it may report the end, or an error). Errors: `timedOut`, `cancelled`, `closed`.
    public func readable(deadline: Deadline = .never) async throws(IOError) {
        try await wait(.read, deadline)
    }

    /// As `readable`, but cancelling the task does not end it: cheaper, for waits whose deadline is near.
    public func readableSoon(deadline: Deadline) async throws(IOError) {
        guard !isClosed else { throw .closed }
        try Self.check(await loop.waitInScope(key, .read, deadline: deadline))
    }

    /// A write would not block (it may report an error). Errors: `timedOut`, `cancelled`, `closed`.
    public func writable(deadline: Deadline = .never) async throws(IOError) {
        try await wait(.write, deadline)
    }

    /// Makes the calling task's waits on this descriptor cancellable once for all of `body`, instead of anew in each wait,
    /// which costs a fifth of an echo. Waits of other tasks, child tasks among them, look after themselves.
    public func withCancellation<R>(_ body: () async -> R) async -> R {
        let outer = scope
        defer { scope = outer }
        scope = withUnsafeCurrentTask { $0 }
        let (loop, key) = (loop, key)
        return await withTaskCancellationHandler {
            await body()
        } onCancel: {
            loop.execute { loop.endWaits(key, .cancelled) }
        }
    }

    /// No event has come that nobody waited for: as far as the loop has seen, there is nothing to read.
    var isQuiet: Bool { loop.isArmedForReading(key) }

    /// Deregisters the descriptor and ends the waits with `closed`. A second call does nothing.
    public func close() {
        guard !isClosed else { return }
        isClosed = true
        loop.deregister(key)
    }

    @inline(__always)
    private func wait(_ direction: EventLoop.Table.Interest, _ deadline: Deadline) async throws(IOError) {
        guard !isClosed else { throw .closed }
        let outcome =
            scope != nil && scope == withUnsafeCurrentTask { $0 }
            ? await loop.waitInScope(key, direction, deadline: deadline)
            : await loop.wait(key, direction, deadline: deadline)
        try Self.check(outcome)
    }

    @inline(__always)
    private static func check(_ outcome: EventLoop.WaitOutcome) throws(IOError) {
        switch outcome {
        case .ready: return
        case .timedOut: throw .timedOut
        case .cancelled: throw .cancelled
        case .closed: throw .closed
        case .occupied: preconditionFailure("two tasks wait for the same direction of one descriptor")
        }
    }
}
