public import RPC
public import Security

/// The source of the keys that check tokens.
public protocol KeySource: Sendable {
    /// The keys that are known.
    func keys() async throws(RPCError) -> JSONWebKeySet
    /// The keys, fetched again after a token named an unknown one. May answer the same as before, so that invented
    /// names cause no load.
    func keysAnew() async throws(RPCError) -> JSONWebKeySet
}
