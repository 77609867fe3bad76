public import RPC
public import Security
public import Service

/// Keys that are at hand.
public struct LocalKeySource: KeySource {
    private let read: @Sendable () -> JSONWebKeySet

    public init(_ read: @escaping @Sendable () -> JSONWebKeySet) {
        self.read = read
    }

    public func keys() async throws(RPCError) -> JSONWebKeySet { read() }
    public func keysAnew() async throws(RPCError) -> JSONWebKeySet { read() }
}
