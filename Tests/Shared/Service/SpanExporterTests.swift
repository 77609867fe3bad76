import HTTP
import JSON
import Reactor
@testable import Service
import Synchronization
import Testing

@Suite struct SpanExporterTests {
    /// A collector that keeps what it gets, and refuses when told to.
    private final class Collector: Sendable {
        let received = Mutex<[JSONValue]>([])
        let status = Mutex(HTTPStatus.ok)

        var router: HTTPRouter {
            var router = HTTPRouter()
            router.on(.post, "/v1/traces") { (request) throws(Problem) in
                let message = try request.json(JSONValue.self)
                self.received.withLock { $0.append(message) }
                return try .json([String: String](), status: self.status.withLock { $0 })
            }
            return router
        }
    }

    private func with(
        _ body: @escaping @Sendable (Collector, SpanExporter, Observer) async throws -> Void
    ) async throws {
        try await EventLoopGroup.withLoops(1) { loops in
            let collector = Collector()
            let server = try await HTTPServer.start(
                at: Endpoint(host: "127.0.0.1", port: 0), router: collector.router, loops: loops)
            let settings = try JSONDecoder().decode(
                TracingSettings.self, from: Array(#"{"endpoint": "http://127.0.0.1:\#(server.port)/v1/traces"}"#.utf8))
            let observer = Observer(log: Log(service: "s", sink: MemoryLogSink()))
            observer.tracer.set(sampling: 1, isExported: true)
            let exporter = try SpanExporter(
                settings, service: "accounts", instance: "10.0.0.7:9101", loop: loops.loops[0], observer)
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(collector, exporter, observer)) } catch { outcome = .failure(error) }
            await server.shutdown(grace: .zero)
            try outcome.get()
        }
    }

    @Test("spans leave in OTLP's JSON, with their trace, parent, times and attributes")
    func message() async throws {
        try await with { collector, exporter, observer in
            let parent = TraceContext(
                traceHigh: 0x0af7_6519_16cd_43dd, traceLow: 0x8448_eb21_1c80_319c, span: 0xb7ad_6b71_6920_3331,
                isSampled: true)
            observer.tracer.record(
                "GET /x", .server, parent.child(), took: .milliseconds(2), isFailed: true,
                ["http.response.status_code": .integer(500)])
            #expect(try await exporter.export() == 1)
            let message = try #require(collector.received.withLock { $0.first })
            guard case .array(let resources)? = message["resourceSpans"], let resource = resources.first,
                case .array(let scopes)? = resource["scopeSpans"], case .array(let spans)? = scopes.first?["spans"],
                let span = spans.first
            else {
                Issue.record("\(message)")
                return
            }
            #expect("\(resource["resource"] ?? .null)".contains("trackme-accounts"))
            #expect(span["traceId"] == .string("0af7651916cd43dd8448eb211c80319c"))
            #expect(span["parentSpanId"] == .string("b7ad6b7169203331"))
            #expect(span["name"] == .string("GET /x") && span["kind"] == .integer(2))
            #expect(span["status"]?["code"] == .integer(2))
            guard case .string(let from)? = span["startTimeUnixNano"], case .string(let to)? = span["endTimeUnixNano"],
                let began = Int64(from), let ended = Int64(to)
            else {
                Issue.record("\(span)")
                return
            }
            #expect(ended - began == 2_000_000)
            #expect(
                span["attributes"]
                    == .array([
                        .object([
                            "key": .string("http.response.status_code"), "value": .object(["intValue": .string("500")]),
                        ])
                    ]))
        }
    }

    @Test("what the collector does not take is tried again, then dropped and counted")
    func refused() async throws {
        try await with { collector, exporter, observer in
            collector.status.withLock { $0 = .serviceUnavailable }
            observer.tracer.record("x", .internal, .root(isSampled: true), took: .zero)
            try await exporter.export()
            #expect(collector.received.withLock { $0.count } == SpanExporter.attemptsMax)
            #expect(observer.tracer.droppedCount == 1 && observer.tracer.waitingCount == 0)
            let text = String(decoding: await observer.metrics.text(), as: UTF8.self)
            #expect(text.contains("trackme_spans_dropped_total 1"))
        }
    }
}
