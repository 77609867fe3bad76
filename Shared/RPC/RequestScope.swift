public import Reactor

/// What a piece of work was given by whoever asked for it: how long it may take and which trace it belongs to. The RPC
/// server sets it for its handlers, the HTTP edge for its own; a client takes it from here, so that no hop can outlive
/// or lose the request that caused it.
public struct RequestScope: Sendable {
    public let deadline: Deadline
    public let trace: TraceContext

    public init(deadline: Deadline, trace: TraceContext) {
        self.deadline = deadline
        self.trace = trace
    }

    @TaskLocal public static var current: RequestScope?
}
