import JSON
import Telemetry

/// The metrics of a listener's connections.
struct ConnectionMetrics: Sendable {
    private static let reasonsMax = 100

    private let listener: String
    private let log: Log
    private let open: Gauge
    private let refused: Counter
    private let handshakeFailures: MetricFamily<Counter>

    init(listener: String, _ observer: Observer) {
        self.listener = listener
        log = observer.log
        open =
            observer.metrics.gauges(
                "trackme_connections", "Connections that a listener has.", labels: ["listener"])[listener]
        refused =
            observer.metrics.counters(
                "trackme_connections_refused_total", "Connections turned away because there were too many.",
                labels: ["listener"])[listener]
        handshakeFailures = observer.metrics.counters(
            "trackme_tls_handshake_failures_total", "TLS handshakes that failed, by reason.",
            labels: ["listener", "reason"], seriesMax: Self.reasonsMax)
    }

    func opened() { open.add(1) }
    func closed() { open.add(-1) }
    func wasRefused() { refused.increment() }

    /// Anybody on the internet can cause these: they are counted, and in the log at `debug` only.
    func handshakeFailed(_ error: IOError) {
        handshakeFailures[listener, error.description].increment()
        log.debug(
            "tls handshake failed", ["listener": .string(listener), "error": .string(error.description)])
    }
}
