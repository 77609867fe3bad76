/// What a server reports to logs and metrics; called on the loops, so it must not block.
public enum RPCServerEvent: Sendable {
    /// A call ended; `code` is `nil` when it succeeded. Refused calls are reported too.
    case call(method: String, caller: String, trace: TraceContext, code: RPCError.Code?, duration: Duration)
    /// A handler threw something that its caller must not see; it may hold values of rows.
    case handlerFailed(method: String, caller: String, trace: TraceContext, any Error)
    /// A certificate that names no known client.
    case clientRefused(names: [String])
    /// A connection was closed because of what its peer sent or did not send.
    case connectionRefused(caller: String, RPCError)
}
