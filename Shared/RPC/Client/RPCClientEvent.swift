public import Reactor

/// What a client reports to logs and metrics; called on the loops, so it must not block.
public enum RPCClientEvent: Sendable {
    /// A connection could not be made: nobody listens, a certificate is wrong, a name does not resolve.
    case connectFailed(service: String, Endpoint, reason: String)
    /// A connection with calls under way was lost.
    case connectionLost(service: String, Endpoint, pendingCalls: Int)
}
