/// The deadline and trace of a piece of work, given by whoever asked for it. The RPC server and the HTTP edge set it
/// for their handlers; clients take it from here, so that no call outlives the request that caused it or leaves its
/// trace.
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
