import JSON
import Reactor
import Telemetry

/// The metrics of the connections to one service.
struct RPCClientMetrics: Sendable {
    private let service: String
    private let observer: Observer
    private let connections: Gauge
    private let failures: Counter
    private let losses: Counter

    init(service: String, _ observer: Observer) {
        self.service = service
        self.observer = observer
        connections =
            observer.metrics.gauges(
                "trackme_rpc_client_connections", "Open connections to another service.", labels: ["service"])[service]
        failures =
            observer.metrics.counters(
                "trackme_rpc_client_connect_failures_total", "Connections to another service that could not be made.",
                labels: ["service"])[service]
        losses =
            observer.metrics.counters(
                "trackme_rpc_client_connections_lost_total", "Connections lost with calls under way.",
                labels: ["service"])[
                service]
    }

    func opened() { connections.add(1) }
    func closed() { connections.add(-1) }

    /// Nobody listens, a certificate is wrong, a name does not resolve. The address rests then, and is tried again for
    /// as long as it takes; a log line for each attempt would add nothing.
    func connectFailed(_ endpoint: Endpoint, _ error: IOError) {
        failures.increment()
        // A wrong certificate does not pass by itself.
        let level: LogLevel = if case .tls = error { .warning } else { .debug }
        observer.log.write(
            level, "rpc connection failed",
            ["service": .string(service), "endpoint": .string("\(endpoint)"), "error": .string(error.description)], nil)
    }

    func connectionLost(_ endpoint: Endpoint, pendingCalls: Int) {
        losses.increment()
        observer.log.warning(
            "rpc connection lost",
            [
                "service": .string(service), "endpoint": .string("\(endpoint)"),
                "calls": .integer(Int64(pendingCalls)),
            ])
    }

    /// A call was answered or given up.
    func ended(_ call: OutgoingCall, failed code: RPCError.Code?) {
        guard call.trace.isSampled else { return }
        observer.tracer.record(
            call.method, .client, call.trace, took: Deadline.now().since(call.began), isFailed: code != nil,
            [
                "rpc.system": .string("jsonrpc"), "rpc.method": .string(call.method), "peer.service": .string(service),
                "code": .string(code?.rawValue ?? "ok"),
            ])
    }
}
