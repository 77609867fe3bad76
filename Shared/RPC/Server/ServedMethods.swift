import Synchronization
import Telemetry

/// What all connections of one server share.
final class ServedMethods: Sendable {
    let router: RPCRouter
    let configuration: RPCServerConfiguration
    let metrics: RPCServerMetrics
    private let callsRunning = Atomic<Int>(0)

    init(router: RPCRouter, configuration: RPCServerConfiguration, observer: Observer) {
        self.router = router
        self.configuration = configuration
        metrics = RPCServerMetrics(observer)
    }

    /// Calls that run now, on all connections.
    var callCount: Int { callsRunning.load(ordering: .relaxed) }

    /// Takes one of the server's `callsMax` places; fails with `overloaded`.
    func beginCall() throws(RPCError) {
        guard callsRunning.add(1, ordering: .relaxed).newValue <= configuration.callsMax else {
            endCall()
            throw RPCError(.overloaded, "Too many calls at the same time.")
        }
    }

    func endCall() {
        callsRunning.subtract(1, ordering: .relaxed)
    }
}
