public import Reactor

/// The listener for operators and their tools: metrics, health, readiness, and acts, none of which is on the public listener.
/// Without encryption, and without a log-in for all but acts: for this machine, or a network that only operators are on.
public struct OperatorsListener: Decodable, Sendable {
    /// By default the usual port of OpenTelemetry's exporters for Prometheus, on this machine only.
    public var listen = Endpoint(host: "127.0.0.1", port: 9464)

    public init() {}
}
