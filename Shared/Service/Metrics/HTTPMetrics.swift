import HTTP
import JSON
import Primitives
import RPC

/// Requests by route and status, and the access log: route patterns only, so that neither ids in paths nor query
/// strings are kept. Answers of 500 and above are logged as warnings, others at `debug`: the proxy in front has an
/// access log.
struct HTTPMetrics: Sendable {
    private static let noRoute = "none"

    private let requests: MetricFamily<Counter>
    private let time: MetricFamily<Histogram>
    private let known = SeriesCache<Key, (Counter, Histogram)>()
    private let log: Log

    private struct Key: Hashable {
        let method: HTTPMethod?
        let route: String?
        let status: HTTPStatus
    }

    init(_ metrics: Metrics, log: Log) {
        requests = metrics.counters(
            "trackme_http_requests_total", "HTTP requests answered.", labels: ["method", "route", "status"])
        time = metrics.histograms("trackme_http_request_seconds", "Time to answer a request.", labels: ["route"])
        self.log = log
    }

    func record(_ exchange: HTTPExchange) {
        let key = Key(method: exchange.request?.method, route: exchange.route, status: exchange.status)
        let (counter, histogram) = known.series(key) {
            let route = key.route ?? Self.noRoute
            let method = key.method?.description ?? Self.noRoute
            return (requests[method, route, String(key.status.rawValue)], time[route])
        }
        counter.increment()
        histogram.observe(exchange.duration)
        let level: LogLevel = exchange.status.rawValue >= 500 ? .warning : .debug
        guard level >= log.level else { return }
        log.write(
            level, "http request",
            [
                "method": .string(key.method?.description ?? Self.noRoute), "route": .string(key.route ?? Self.noRoute),
                "status": .integer(Int64(exchange.status.rawValue)), "ms": Log.milliseconds(exchange.duration),
                "request_bytes": .integer(Int64(exchange.requestBodyBytes)),
                "response_bytes": .integer(Int64(exchange.responseBodyBytes)),
                "broken_off": .bool(exchange.failure != nil),
            ], exchange.request.flatMap(TraceContext.init(of:)))
    }
}

extension TraceContext {
    /// The caller's, from `traceparent`.
    init?(of request: HTTPRequest) {
        let found = request.head.withValue(of: "traceparent") { $0.flatMap { TraceContext(traceparent: $0) } }
        guard let found else { return nil }
        self = found
    }
}
