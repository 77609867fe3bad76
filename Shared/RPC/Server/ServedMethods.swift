import Synchronization

/// What all connections of one server share.
final class ServedMethods: Sendable {
    let router: RPCRouter
    let configuration: RPCServerConfiguration
    let report: @Sendable (RPCServerEvent) -> Void
    private let callsRunning = Atomic<Int>(0)

    init(
        router: RPCRouter, configuration: RPCServerConfiguration, report: @escaping @Sendable (RPCServerEvent) -> Void
    ) {
        self.router = router
        self.configuration = configuration
        self.report = report
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
