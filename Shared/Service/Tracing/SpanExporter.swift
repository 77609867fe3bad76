import HTTP
import JSON
import Primitives
import Reactor
import Synchronization
import Telemetry

/// Sends the spans of sampled traces to an OpenTelemetry collector: OTLP over HTTP, in its JSON encoding
/// (opentelemetry-proto, `ExportTraceServiceRequest`), a batch at a time. What cannot be sent is tried a few times, then
/// dropped and counted: traces are never worth a service's memory or its time.
final class SpanExporter: Sendable {
    static let batchMax = 512
    static let attemptsMax = 3
    private static let interval = Duration.seconds(1)
    private static let pause = BackOff(base: .milliseconds(500), max: .seconds(5))
    private static let time = Duration.seconds(5)

    private let endpoint: HTTPURL
    private let resource: JSONValue
    private let client: HTTPClient
    private let observer: Observer
    private let exported: Counter
    private let isFailing = Mutex(false)

    /// `instance` tells replicas apart.
    init(_ settings: TracingSettings, service: String, instance: String, loop: EventLoop, _ observer: Observer)
        throws(ConfigurationError)
    {
        endpoint = settings.endpoint
        resource = .object([
            "attributes": Self.attributes([
                "service.name": .string("trackme-\(service)"), "service.version": .string(ServiceVersion.current),
                "service.instance.id": .string(instance),
            ])
        ])
        var configuration = HTTPClient.Configuration()
        // A collector is the operator's own.
        configuration.allowPrivateAddresses = true
        configuration.connectionsPerOriginMax = 1
        do throws(IOError) {
            let tls: TLSContext? = settings.endpoint.isSecure ? try .client(authorityFile: settings.authorityFile) : nil
            client = HTTPClient(on: loop, tls: tls, configuration: configuration)
        } catch { throw ConfigurationError("The authority of the collector of traces cannot be used: \(error).") }
        self.observer = observer
        let (metrics, tracer) = (observer.metrics, observer.tracer)
        exported = metrics.counter("trackme_spans_exported_total", "Spans that the collector has taken.")
        metrics.counter(
            "trackme_spans_dropped_total", "Spans that were lost: too many waited, or the collector failed."
        ) {
            Double(tracer.droppedCount)
        }
        metrics.gauge("trackme_spans_waiting", "Spans that wait to be sent.") { Double(tracer.waitingCount) }
    }

    var task: BackgroundTask {
        BackgroundTask("spans") { [self] in
            while true {
                try await EventLoop.current?.sleep(for: Self.interval)
                while try await export() == Self.batchMax {}
            }
        }
    }

    /// Sends what waits, at most one batch; the number of spans taken.
    @discardableResult
    func export() async throws(IOError) -> Int {
        let spans = observer.tracer.take(Self.batchMax)
        guard !spans.isEmpty else { return 0 }
        for attempt in 1...Self.attemptsMax {
            if let failure = await send(spans) {
                let wasFailing = isFailing.withLock { isFailing in
                    defer { isFailing = true }
                    return isFailing
                }
                if !wasFailing { observer.log.warning("spans not exported", ["error": .string(failure)]) }
            } else {
                isFailing.withLock { $0 = false }
                exported.increment(by: spans.count)
                return spans.count
            }
            guard attempt < Self.attemptsMax else { break }
            do throws(IOError) {
                try await EventLoop.current?.sleep(for: Self.pause.delay(afterFailures: attempt))
            } catch {
                observer.tracer.drop(spans.count)
                throw error
            }
        }
        observer.tracer.drop(spans.count)
        return spans.count
    }

    /// Why it failed; `nil` when the collector took them.
    private func send(_ spans: [Span]) async -> String? {
        do {
            let request = try HTTPClientRequest.json(.post, endpoint, Self.message(spans, resource))
            let answer = try await client.send(request, deadline: .after(Self.time))
            return (200..<300).contains(answer.status.rawValue) ? nil : "status \(answer.status.rawValue)"
        } catch { return "\(error)" }
    }

    // MARK: The message

    static func message(_ spans: [Span], _ resource: JSONValue) -> JSONValue {
        let scope: JSONValue = .object(["name": .string("trackme"), "version": .string(ServiceVersion.current)])
        return .object([
            "resourceSpans": .array([
                .object([
                    "resource": resource,
                    "scopeSpans": .array([
                        .object(["scope": scope, "spans": .array(spans.map(Self.value))])
                    ]),
                ])
            ])
        ])
    }

    private static func value(_ span: Span) -> JSONValue {
        var value: JSONObject = [
            "traceId": .string(span.trace.identifier),
            "spanId": .string(TraceContext.identifier(ofSpan: span.trace.span)),
            "name": .string(span.name), "kind": .integer(Int64(span.kind.rawValue)),
            // 64-bit integers are texts in protobuf's JSON.
            "startTimeUnixNano": .string("\(span.began.microseconds)000"),
            "endTimeUnixNano": .string("\(span.ended.microseconds)000"),
            "attributes": attributes(span.attributes),
        ]
        if span.trace.parent != 0 {
            value["parentSpanId"] = .string(TraceContext.identifier(ofSpan: span.trace.parent))
        }
        if !span.trace.state.isEmpty { value["traceState"] = .string(span.trace.state) }
        if span.isFailed { value["status"] = .object(["code": .integer(2)]) }
        return .object(value)
    }

    private static func attributes(_ object: JSONObject) -> JSONValue {
        .array(
            object.members.map { member in
                let value: JSONObject =
                    switch member.value {
                    case .string(let text): ["stringValue": .string(text)]
                    case .integer(let number): ["intValue": .string("\(number)")]
                    case .number(let number): ["doubleValue": .number(number)]
                    case .bool(let flag): ["boolValue": .bool(flag)]
                    case .null, .array, .object: [:]
                    }
                return .object(["key": .string(member.key), "value": .object(value)])
            })
    }
}
