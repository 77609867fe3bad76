@testable import Telemetry
import Testing

@Suite struct MetricsTests {
    private let metrics = Metrics()

    private func text() async -> String { String(decoding: await metrics.text(), as: UTF8.self) }

    @Test("counters and gauges with help and type, sorted by name and labels")
    func format() async {
        let calls = metrics.counters("calls_total", "Calls\nmade.", labels: ["method", "code"])
        calls["b", "ok"].increment(by: 2)
        calls["a", "ok"].increment()
        metrics.gauge("bytes", "Bytes.").set(1.5)
        metrics.gauge("alive", "Read when asked for.") { 3 }
        #expect(
            await text() == """
                # HELP alive Read when asked for.
                # TYPE alive gauge
                alive 3
                # HELP bytes Bytes.
                # TYPE bytes gauge
                bytes 1.5
                # HELP calls_total Calls\\nmade.
                # TYPE calls_total counter
                calls_total{method="a",code="ok"} 1
                calls_total{method="b",code="ok"} 2

                """)
    }

    @Test("label values are escaped")
    func escaping() async {
        metrics.counters("odd_total", "Odd.", labels: ["name"])["a\"b\\c\nd"].increment()
        #expect(await text().contains(#"odd_total{name="a\"b\\c\nd"} 1"#))
    }

    @Test("a histogram's buckets are cumulative and inclusive, with sum and count")
    func histogram() async {
        let histogram = metrics.histogram("seconds", "Time.", buckets: [0.1, 1])
        for value in [0.05, 0.1, 0.5, 2] { histogram.observe(value) }
        #expect(
            await text() == """
                # HELP seconds Time.
                # TYPE seconds histogram
                seconds_bucket{le="0.1"} 2
                seconds_bucket{le="1"} 3
                seconds_bucket{le="+Inf"} 4
                seconds_sum 2.65
                seconds_count 4

                """)
    }

    @Test("more series than allowed are counted together")
    func cardinality() async {
        let family = metrics.counters("requests_total", "Requests.", labels: ["route"], seriesMax: 2)
        for name in ["a", "b", "c", "d", "a"] { family[name].increment() }
        #expect(family["a"].value == 2)
        #expect(family["whatever"].value == 2)
        #expect(await text().contains(#"requests_total{route="other"} 2"#))
    }

    @Test("the same name gives the same metric")
    func same() {
        metrics.counter("one_total", "One.").increment()
        metrics.counter("one_total", "One.").increment()
        #expect(metrics.counter("one_total", "One.").value == 2)
    }

    @Test("counting from several threads loses nothing")
    func threads() async {
        let counter = metrics.counter("many_total", "Many.")
        let histogram = metrics.histogram("many", "Many.")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        counter.increment()
                        histogram.observe(1.0)
                    }
                }
            }
        }
        #expect(counter.value == 8000)
        #expect(await text().contains("many_sum 8000"))
    }

    @Test("a process tells its memory, descriptors and processor time")
    func process() async throws {
        ProcessMetrics.register(in: metrics)
        let lines = await text().split(separator: "\n").filter { !$0.hasPrefix("#") }
        let names = [
            "process_cpu_seconds_total", "process_max_fds", "process_open_fds", "process_resident_memory_bytes",
        ]
        for name in names {
            let line = try #require(lines.first { $0.hasPrefix("\(name) ") })
            #expect(Double(line.split(separator: " ")[1]).map { $0 > 0 } == true, "\(line)")
        }
    }
}
