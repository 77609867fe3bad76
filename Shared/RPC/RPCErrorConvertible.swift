/// An error of a layer below that has a meaning for callers: a method whose database cannot be reached is `unavailable`,
/// not faulty.
public protocol RPCErrorConvertible: Error {
    /// `nil` for what callers must not see: `internal` is answered then, and the error is logged.
    var rpcError: RPCError? { get }
}
