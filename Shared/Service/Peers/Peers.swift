public import RPC
import Reactor

/// The neighbours of a service, by name. Nothing waits for them: a call to one that is down fails with `unavailable`.
public struct Peers: Sendable {
    /// The outcome of the last call.
    public enum Status: String, Sendable {
        case unknown, ok, unreachable
    }

    private let callers: [String: MeteredCaller]

    /// In-memory neighbours for tests, or any others.
    public init(_ callers: [String: any RPCCaller] = [:], metrics: Metrics) {
        let recorder = CallMetrics(metrics)
        self.callers = Dictionary(
            uniqueKeysWithValues: callers.map {
                ($0.key, MeteredCaller($0.value, service: $0.key, metrics: recorder))
            })
    }

    /// The neighbour of that name; one that is not configured is never available.
    public subscript(name: String) -> any RPCCaller { callers[name] ?? AbsentPeer(name: name) }

    /// Whether the configuration names it.
    public func contains(_ name: String) -> Bool { callers[name] != nil }

    /// Calls to a neighbour that the configuration names go there from now on.
    func replace(_ name: String, with caller: any RPCCaller) { callers[name]?.replace(with: caller) }

    /// The outcome of the last call to each neighbour.
    public var statuses: [(name: String, status: Status)] {
        callers.map { ($0.key, $0.value.status) }.sorted { $0.name < $1.name }
    }
}

/// A neighbour that the configuration does not name.
private struct AbsentPeer: RPCCaller {
    let name: String

    func call<M: RPCMethod>(_: M.Type, _: M.Params, deadline: Deadline?) async throws(RPCError) -> M.Result {
        throw RPCError(.unavailable, "The service \(name) is not configured.", isRetryable: false)
    }
}
