/// The log, metrics and tracer of a part of a process. Clients, servers and readers of feeds get one when they are
/// made.
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
