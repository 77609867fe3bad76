import Testing

@testable import Telemetry

@Suite struct TraceContextTests {
    @Test("the recommendation's own example reads and is written again")
    func example() throws {
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let trace = try #require(TraceContext(traceparent: text.utf8))
        #expect(trace.isSampled)
        #expect(trace.span == 0x00f0_67aa_0ba9_02b7)
        #expect(trace.description == text)
    }

    @Test(
        "what the recommendation forbids is refused",
        arguments: [
            "", "00", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
        ])
    func refused(text: String) {
        #expect(TraceContext(traceparent: text.utf8) == nil)
    }

    @Test("a later version is read as far as version 00 goes")
    func laterVersion() {
        #expect(TraceContext(traceparent: "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what".utf8) != nil)
        #expect(TraceContext(traceparent: "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01.what".utf8) == nil)
    }

    @Test("other vendors' state goes along as it came, unless it is too long or not printable")
    func state() {
        let trace = TraceContext.root().with(tracestate: "a=1,b=2")
        #expect(trace.state == "a=1,b=2" && trace.child().state == "a=1,b=2")
        #expect(trace.with(tracestate: String(repeating: "x", count: 513)).state.isEmpty)
        #expect(trace.with(tracestate: "a=\u{7}").state.isEmpty)
    }

    @Test("a child keeps the trace and has a span of its own")
    func child() {
        let parent = TraceContext.root(isSampled: true)
        let children = (0..<1000).map { _ in parent.child() }
        #expect(
            children.allSatisfy {
                $0.traceHigh == parent.traceHigh && $0.traceLow == parent.traceLow && $0.isSampled
                    && $0.parent == parent.span
            })
        #expect(Set(children.map(\.span)).count == 1000)
    }
}
