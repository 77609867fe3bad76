import RPC
import Telemetry

/// Calls to other services, by method and outcome.
struct CallMetrics: Sendable {
    private let calls: MetricFamily<Counter>
    private let time: MetricFamily<Histogram>
    private let known = SeriesCache<Key, (Counter, Histogram)>()

    private struct Key: Hashable {
        let service: String
        let method: String
        let code: RPCError.Code?
    }

    init(_ metrics: Metrics) {
        calls = metrics.counters(
            "trackme_rpc_client_calls_total", "Calls made to other services.", labels: ["service", "method", "code"])
        time = metrics.histograms(
            "trackme_rpc_client_seconds", "Time until a call to another service was answered.",
            labels: ["service", "method"])
    }

    func record(service: String, method: String, code: RPCError.Code?, duration: Duration) {
        let (counter, histogram) = known.series(Key(service: service, method: method, code: code)) {
            (calls[service, method, code?.rawValue ?? "ok"], time[service, method])
        }
        counter.increment()
        histogram.observe(duration)
    }
}
