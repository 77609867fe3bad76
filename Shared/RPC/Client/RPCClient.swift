import JSON
public import Reactor
import Synchronization
public import Telemetry

/// Calls the methods of one service, over connections that are made when needed, one per loop and address. Safe from any
/// task; calls made on a loop of the group stay on it.
public final class RPCClient: RPCCaller {
    private let configuration: RPCClientConfiguration
    private let clients: [LoopClient]
    private let metrics: RPCClientMetrics
    private let turn = Atomic<Int>(0)

    /// Without `tls`, only endpoints on this machine can be called.
    public init(
        _ configuration: RPCClientConfiguration, loops: EventLoopGroup, tls: TLSContext?,
        observer: Observer = .silent
    ) {
        self.configuration = configuration
        let metrics = RPCClientMetrics(service: configuration.service, observer)
        self.metrics = metrics
        clients = loops.loops.map { LoopClient(configuration: configuration, tls: tls, loop: $0, metrics: metrics) }
    }

    /// Errors: what the service answers, and `unavailable`, `overloaded`, `deadline` and `cancelled`. Calls again by
    /// itself as `RetryPolicy` says.
    public func call<M: RPCMethod>(
        _ method: M.Type, _ params: M.Params, deadline: Deadline?
    ) async throws(RPCError) -> M.Result {
        let call = try OutgoingCall(method, params, deadline: deadline, default: configuration.callTimeout)
        guard call.frameBytesMax <= configuration.requestBytesMax else {
            throw RPCError(.invalidParams, "The request is larger than \(configuration.requestBytesMax) bytes.")
        }
        guard !call.deadline.hasPassed else { throw RPCError(.deadline) }
        guard !Task.isCancelled else { throw RPCError(.cancelled) }
        let reply: Reply
        do throws(RPCError) {
            reply = try await client().call(call)
            metrics.ended(call, failed: nil)
        } catch {
            metrics.ended(call, failed: error.code)
            throw error
        }
        do {
            return try reply.frame.scanner.decode(M.Result.self, from: reply.value)
        } catch {
            throw RPCError(.internal, "The answer of \(M.name) does not have the agreed form.")
        }
    }

    /// Closes all connections; pending and later calls fail with `unavailable`.
    public func close() async {
        for client in clients { await client.close() }
    }

    private func client() -> LoopClient {
        if let loop = EventLoop.current, let own = clients.first(where: { $0.loop === loop }) { return own }
        return clients[(turn.wrappingAdd(1, ordering: .relaxed).oldValue & .max) % clients.count]
    }
}
