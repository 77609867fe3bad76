public import Reactor
public import Telemetry

/// What a handler knows about the call it answers.
public struct RPCContext: Sendable {
    /// The calling service, from its certificate (or from the configuration where there is none).
    public let caller: String
    /// When the caller no longer waits; the handler's task is cancelled then.
    public let deadline: Deadline
    /// This call's own span; its parent is the caller's.
    public let trace: TraceContext
    /// Tells connections of this process apart; 0 for a call in memory.
    public let connection: UInt64

    public init(caller: String, deadline: Deadline, trace: TraceContext, connection: UInt64) {
        self.caller = caller
        self.deadline = deadline
        self.trace = trace
        self.connection = connection
    }

    /// What calls made for this one inherit.
    var scope: RequestScope { RequestScope(deadline: deadline, trace: trace) }
}
