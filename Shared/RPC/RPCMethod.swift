/// One method of a service as a type, so that caller and callee cannot disagree about names and shapes.
public protocol RPCMethod: Sendable {
    associatedtype Params: Codable & Sendable
    associatedtype Result: Codable & Sendable
    /// The name on the wire, `service.method`; names that begin with `rpc.` are the protocol's own (JSON-RPC 2.0).
    static var name: String { get }
    /// Whether calling twice does no more than calling once; only then does a client call again by itself.
    static var isIdempotent: Bool { get }
    /// Whether such a call is a long poll: mostly waits for something to happen. No unless the method says otherwise.
    static func isLongPoll(_ params: Params) -> Bool
}

extension RPCMethod {
    public static func isLongPoll(_: Params) -> Bool { false }
}

/// The parameters or result of a method that has none: `{}`.
public struct Empty: Codable, Sendable, Hashable {
    public init() {}
}
