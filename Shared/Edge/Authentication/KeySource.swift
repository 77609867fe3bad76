public import RPC
public import Security

/// Where the keys that check tokens come from.
public protocol KeySource: Sendable {
    /// The keys as they are known.
    func keys() async throws(RPCError) -> JSONWebKeySet
    /// The keys again, after a token named one that is not among them. May answer the same as before, so that invented
    /// names cause no load.
    func keysAnew() async throws(RPCError) -> JSONWebKeySet
}

/// Keys that are at hand: the accounts service's own.
public struct LocalKeySource: KeySource {
    private let read: @Sendable () -> JSONWebKeySet

    public init(_ read: @escaping @Sendable () -> JSONWebKeySet) {
        self.read = read
    }

    public func keys() async throws(RPCError) -> JSONWebKeySet { read() }
    public func keysAnew() async throws(RPCError) -> JSONWebKeySet { read() }
}
