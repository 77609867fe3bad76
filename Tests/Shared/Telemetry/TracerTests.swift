import JSON
import Primitives
import Telemetry
import Testing

@Suite struct TracerTests {
    private let tracer = Tracer()

    @Test("Of new traces the set share is sampled")
    func share() {
        #expect((0..<100).allSatisfy { _ in !tracer.begin().isSampled })
        tracer.set(sampling: 1, isExported: true)
        #expect((0..<100).allSatisfy { _ in tracer.begin().isSampled })
        tracer.set(sampling: 0.25, isExported: true)
        let sampled = (0..<20_000).count { _ in tracer.begin().isSampled }
        #expect((4500...5500).contains(sampled))
    }

    @Test("A stranger decides neither by a flag nor by the number of a trace what is sampled")
    func strangers() {
        tracer.set(sampling: 0.25, isExported: true)
        let foreign = TraceContext.root(isSampled: true)
        let sampled = (0..<20_000).count { _ in tracer.begin(foreign, trusted: false).isSampled }
        #expect((4500...5500).contains(sampled))
    }

    @Test("a trusted caller's decision holds, and the work is a child of its span")
    func trusted() {
        let caller = TraceContext.root(isSampled: true).with(tracestate: "vendor=1")
        let own = tracer.begin(caller)
        #expect(own.isSampled && own.parent == caller.span && own.state == "vendor=1")
        #expect(own.traceHigh == caller.traceHigh && own.traceLow == caller.traceLow && own.span != caller.span)
    }

    @Test("spans of sampled traces wait for the exporter; what is more than fits is counted")
    func spans() throws {
        let trace = TraceContext.root(isSampled: true)
        tracer.record("unheard", .server, trace, took: .zero)
        #expect(tracer.waitingCount == 0)
        tracer.set(sampling: 0, isExported: true)
        tracer.record("unsampled", .server, .root(), took: .zero)
        tracer.record("GET /x", .server, trace, took: .milliseconds(3), isFailed: true, ["http.route": .string("/x")])
        let span = try #require(tracer.take(10).first)
        #expect(span.name == "GET /x" && span.trace == trace && span.isFailed)
        #expect(span.ended - span.began == .milliseconds(3))
        for _ in 0..<Tracer.waitingMax + 5 { tracer.record("x", .internal, trace, took: .zero) }
        #expect(tracer.waitingCount == Tracer.waitingMax && tracer.droppedCount == 5)
        #expect(tracer.take(10).count == 10 && tracer.waitingCount == Tracer.waitingMax - 10)
    }
}
