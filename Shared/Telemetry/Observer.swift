/// Where a part of a process tells what it does: log, metrics and spans. Whoever opens, serves or follows something gets one
/// when it is made.
public struct Observer: Sendable {
    public let log: Log
    public let metrics: Metrics
    public let tracer: Tracer

    public init(log: Log, metrics: Metrics = Metrics(), tracer: Tracer = Tracer()) {
        self.log = log
        self.metrics = metrics
        self.tracer = tracer
    }

    /// Writes no log and shows its metrics to nobody.
    public static var silent: Observer {
        Observer(log: Log(service: "", level: .error, sink: NoLogSink()))
    }
}
