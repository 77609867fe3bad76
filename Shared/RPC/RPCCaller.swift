public import Reactor

/// Something that calls methods of one service: over the network (`RPCClient`), or in memory (`LocalCaller`).
public protocol RPCCaller: Sendable {
    /// Calls and waits for the answer, until `deadline` or the one of the current `RequestScope`, whichever is earlier.
    /// Without either, the caller's own default holds.
    func call<M: RPCMethod>(_ method: M.Type, _ params: M.Params, deadline: Deadline?) async throws(RPCError)
        -> M.Result
}

extension RPCCaller {
    public func call<M: RPCMethod>(_ method: M.Type, _ params: M.Params) async throws(RPCError) -> M.Result {
        try await call(method, params, deadline: nil)
    }
}
