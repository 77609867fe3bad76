import JSON
import Primitives
import Reactor
import Telemetry

/// The metrics, spans and access log of an HTTP server: counts by route and status, and times. Only route patterns are
/// kept, neither ids in paths nor query strings. Answers of 500 and above are logged as warnings, others at `debug`:
/// the proxy in front has an access log.
struct HTTPMetrics: Sendable {
    private static let noRoute = "none"

    private let requests: MetricFamily<Counter>
    private let refused: MetricFamily<Counter>
    private let time: MetricFamily<Histogram>
    private let known = SeriesCache<Key, (Counter, Histogram)>()
    private let observer: Observer

    private struct Key: Hashable {
        let method: HTTPMethod
        let route: String?
        let status: HTTPStatus
    }

    init(_ observer: Observer) {
        self.observer = observer
        requests = observer.metrics.counters(
            "trackme_http_requests_total", "HTTP requests answered.", labels: ["method", "route", "status"])
        refused = observer.metrics.counters(
            "trackme_http_heads_refused_total",
            "Requests whose head is not HTTP, of an unknown version or method, or too large: faults of clients.",
            labels: ["status"])
        time = observer.metrics.histograms(
            "trackme_http_request_seconds", "Time to answer a request.", labels: ["route"])
    }

    /// The context of a request's own work. This server and the proxies in front decide whether a trace is sampled.
    func begin(_ head: HTTPRequestHead, from peer: HTTPPeer) -> TraceContext {
        observer.tracer.begin(TraceContext(of: head), trusted: peer.isTrustedProxy)
    }

    /// A request whose head was refused. Whatever the status (501 and 505 among them), the client is at fault.
    func recordRefusal(_ status: HTTPStatus) {
        refused[String(status.rawValue)].increment()
        observer.log.debug("http head refused", ["status": .integer(Int64(status.rawValue))])
    }

    func record(_ exchange: HTTPExchange) {
        let key = Key(method: exchange.request.method, route: exchange.route, status: exchange.status)
        let (counter, histogram) = known.series(key) {
            let route = key.route ?? Self.noRoute
            let method = key.method.description
            return (requests[method, route, String(key.status.rawValue)], time[route])
        }
        counter.increment()
        histogram.observe(exchange.duration)
        let isFailed = exchange.status.rawValue >= 500
        observer.tracer.record(
            "\(key.method) \(key.route ?? Self.noRoute)", .server, exchange.request.trace, took: exchange.duration,
            isFailed: isFailed,
            [
                "http.request.method": .string(key.method.description),
                "http.route": .string(key.route ?? Self.noRoute),
                "http.response.status_code": .integer(Int64(exchange.status.rawValue)),
            ])
        observer.log.write(
            isFailed ? .warning : .debug, "http request",
            [
                "method": .string(key.method.description), "route": .string(key.route ?? Self.noRoute),
                "status": .integer(Int64(exchange.status.rawValue)), "ms": Log.milliseconds(exchange.duration),
                "request_bytes": .integer(Int64(exchange.requestBodyBytes)),
                "response_bytes": .integer(Int64(exchange.responseBodyBytes)),
                "broken_off": .bool(exchange.failure != nil),
            ], exchange.request.trace)
    }
}

/// One request and its outcome.
struct HTTPExchange {
    let request: HTTPRequest
    /// The pattern of the route; `nil` when there was none.
    let route: String?
    let status: HTTPStatus
    /// From the end of the head to the end of the response's writing (of its making, for short responses).
    let duration: Duration
    let requestBodyBytes: Int
    /// 0 when a body that was made in one piece broke off.
    let responseBodyBytes: Int
    /// Why the response was broken off; `nil` when it was complete. May hold what must not be shown to clients.
    let failure: String?
}

extension TraceContext {
    /// The caller's, from `traceparent` and `tracestate`.
    init?(of head: HTTPRequestHead) {
        let found = head.withValue(of: "traceparent") { $0.flatMap { TraceContext(traceparent: $0) } }
        guard let found else { return nil }
        self = head.value(of: "tracestate").map { found.with(tracestate: $0) } ?? found
    }
}
