public import Postgres
public import RPC

/// What the caller of an RPC method learns of the service's own database. The pool reports a database that is away once,
/// so that a call that fails for it needs no line of its own.
extension PostgresError: RPCErrorConvertible {
    public var rpcError: RPCError? {
        switch self {
        case .overloaded: RPCError(.overloaded)
        case .timedOut: RPCError(.deadline)
        case .connection, .closed: RPCError(.unavailable, "The service's database cannot be reached.")
        case .server(let error) where error.sqlState.concernsServer:
            RPCError(.unavailable, "The service's database cannot do this at the moment.")
        case .outcomeUnknown, .cancelled, .server, .decoding, .usage: nil
        }
    }
}

extension TransactionError: RPCErrorConvertible {
    public var rpcError: RPCError? { (underlying as? any RPCErrorConvertible)?.rpcError ?? underlying as? RPCError }
}
