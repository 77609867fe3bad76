/// What a piece of work was given by whoever asked for it: how long it may take and which trace it belongs to. The RPC
/// server sets it for its handlers, the HTTP edge for its own; a client takes it from here, so that no hop can outlive
/// or lose the request that caused it.
public struct RequestScope: Sendable {
    /// On the monotonic clock; `UInt64.max` is never. Reactor's `Deadline` wraps it.
    public let deadlineNanoseconds: UInt64
    public let trace: TraceContext

    public init(deadlineNanoseconds: UInt64, trace: TraceContext) {
        self.deadlineNanoseconds = deadlineNanoseconds
        self.trace = trace
    }

    @TaskLocal public static var current: RequestScope?
}
