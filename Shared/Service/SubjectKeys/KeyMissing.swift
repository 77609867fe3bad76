public import Edge
public import HTTP
public import RPC

/// The key store has no key of a person, and no trace of one that was destroyed, although something of the person is sealed: it is an
/// older one than it was, or another one. Once it is back, so is the person.
public struct KeyMissing: Error, CustomStringConvertible, RPCErrorConvertible, ProblemConvertible {
    public init() {}

    private static let words = "the key that this is sealed with cannot be found"

    public var description: String { "the person's key is not in the key store" }

    public var rpcError: RPCError? { RPCError(.unavailable, Self.words) }

    public var problem: Problem {
        Problem(
            .serviceUnavailable, code: "key-missing",
            detail: "\(Self.words); nothing is read or stored: try again later", retryAfter: .seconds(600))
    }
}
