import JSON
import RPC
import Reactor

/// Calls in both directions, by method and outcome.
struct RPCMetrics: Sendable {
    private let served: MetricFamily<Counter>
    private let servedTime: MetricFamily<Histogram>
    private let made: MetricFamily<Counter>
    private let madeTime: MetricFamily<Histogram>
    private let knownServed = SeriesCache<Key, (Counter, Histogram)>()
    private let knownMade = SeriesCache<Key, (Counter, Histogram)>()
    private let log: Log

    private struct Key: Hashable {
        let method: String
        /// The service at the other end.
        let peer: String
        let code: RPCError.Code?
    }

    init(_ metrics: Metrics, log: Log) {
        served = metrics.counters(
            "trackme_rpc_server_calls_total", "Calls answered.", labels: ["method", "caller", "code"])
        servedTime = metrics.histograms("trackme_rpc_server_seconds", "Time to answer a call.", labels: ["method"])
        made = metrics.counters(
            "trackme_rpc_client_calls_total", "Calls made to other services.", labels: ["service", "method", "code"])
        madeTime = metrics.histograms(
            "trackme_rpc_client_seconds", "Time until a call to another service was answered.",
            labels: ["service", "method"])
        self.log = log
    }

    /// What the RPC server reports.
    func record(_ event: RPCServerEvent) {
        switch event {
        case .call(let method, let caller, let trace, let code, let duration):
            // Whoever asks for a method that does not exist chooses its name.
            let name = code == .methodNotFound ? MetricFamily<Counter>.overflow : method
            let (counter, histogram) = knownServed.series(Key(method: name, peer: caller, code: code)) {
                (served[name, caller, code?.rawValue ?? "ok"], servedTime[name])
            }
            counter.increment()
            histogram.observe(duration)
            guard log.level <= .debug else { return }
            log.write(
                .debug, "rpc call",
                [
                    "method": .string(name), "caller": .string(caller), "code": .string(code?.rawValue ?? "ok"),
                    "ms": Log.milliseconds(duration),
                ], trace)
        case .handlerFailed(let method, let caller, let trace, let error):
            log.write(
                .error, "rpc handler failed",
                ["method": .string(method), "caller": .string(caller), "error": Log.text(of: error)], trace)
        case .clientRefused(let names):
            log.warning("rpc client refused", ["certificate": .array(names.prefix(8).map { .string($0) })])
        case .connectionRefused(let caller, let error):
            log.warning(
                "rpc connection closed", ["caller": .string(caller), "error": .string(error.description)])
        }
    }

    /// A call to another service.
    func record(service: String, method: String, code: RPCError.Code?, duration: Duration) {
        let (counter, histogram) = knownMade.series(Key(method: method, peer: service, code: code)) {
            (made[service, method, code?.rawValue ?? "ok"], madeTime[service, method])
        }
        counter.increment()
        histogram.observe(duration)
    }
}
