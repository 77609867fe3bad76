import JSON
import Reactor
import Telemetry

/// The metrics, log lines and spans of an RPC server's calls, by method, caller and outcome.
struct RPCServerMetrics: Sendable {
    private let calls: MetricFamily<Counter>
    private let time: MetricFamily<Histogram>
    private let known = SeriesCache<Key, (Counter, Histogram)>()
    private let observer: Observer

    private struct Key: Hashable {
        let method: String
        let caller: String
        let code: RPCError.Code?
    }

    init(_ observer: Observer) {
        self.observer = observer
        calls = observer.metrics.counters(
            "trackme_rpc_server_calls_total", "Calls answered.", labels: ["method", "caller", "code"])
        time = observer.metrics.histograms("trackme_rpc_server_seconds", "Time to answer a call.", labels: ["method"])
    }

    /// The context of a call's own work.
    func begin(_ caller: TraceContext?) -> TraceContext { observer.tracer.begin(caller) }

    /// A call ended; `code` is `nil` when it succeeded. Refused calls count too.
    func ended(_ method: String, from caller: String, _ trace: TraceContext, _ code: RPCError.Code?, took: Duration) {
        // The name of a method that does not exist is chosen by the caller.
        let name = code == .methodNotFound ? MetricFamily<Counter>.overflow : method
        let (counter, histogram) = known.series(Key(method: name, caller: caller, code: code)) {
            (calls[name, caller, code?.rawValue ?? "ok"], time[name])
        }
        counter.increment()
        histogram.observe(took)
        observer.tracer.record(
            name, .server, trace, took: took, isFailed: code == .internal,
            ["rpc.system": .string("jsonrpc"), "rpc.method": .string(name), "client": .string(caller)])
        observer.log.write(
            .debug, "rpc call",
            [
                "method": .string(name), "caller": .string(caller), "code": .string(code?.rawValue ?? "ok"),
                "ms": Log.milliseconds(took),
            ], trace)
    }

    /// A handler threw an error that its caller must not see. When nobody waits any more (the peer is gone, or gave up)
    /// the error follows from that, and is no fault.
    func handlerFailed(
        _ method: String, for caller: String, _ trace: TraceContext, _ error: any Error, isAwaited: Bool
    ) {
        observer.log.write(
            isAwaited ? .error : .debug, isAwaited ? "rpc handler failed" : "rpc handler cancelled",
            ["method": .string(method), "caller": .string(caller), "error": Log.text(of: error)], trace)
    }

    /// A certificate that names no known client.
    func clientRefused(_ names: [String]) {
        observer.log.warning("rpc client refused", ["certificate": .array(names.prefix(8).map { .string($0) })])
    }

    /// A connection was closed because of what its peer sent or did not send.
    func connectionRefused(_ caller: String, _ error: RPCError) {
        observer.log.warning(
            "rpc connection closed", ["caller": .string(caller), "error": .string(error.description)])
    }
}
