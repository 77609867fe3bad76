import Primitives
import Telemetry
import Testing

@testable import Service

@Suite struct UnreadableRowsTests {
    private struct Damaged: Error {}

    @Test("NFR-03: a row that cannot be read gives nothing, and is logged and counted once, whoever asks")
    func once() async throws {
        let (sink, metrics) = (MemoryLogSink(), Metrics())
        let rows = UnreadableRows(log: Log(service: "s", sink: sink), metrics: metrics)
        let (first, second) = (UUID.random(), UUID.random())
        for _ in 0..<3 {
            for id in [first, second] { #expect(rows.read("s.table", id) { throw Damaged() } as Int? == nil) }
            #expect(rows.read("s.table", .random()) { 7 } == 7)
        }
        #expect(sink.lines.count == 2)
        #expect(sink.lines.contains { $0.contains(first.description) })
        let text = String(decoding: await metrics.text(), as: UTF8.self)
        #expect(text.contains("trackme_unreadable_rows_total{table=\"s.table\"} 2\n"))
    }

    @Test("However many rows cannot be read, those that are remembered have a limit")
    func limit() {
        let rows = UnreadableRows(log: Log(service: "s", sink: MemoryLogSink()), metrics: Metrics())
        for _ in 0...UnreadableRows.rowsMax {
            _ = rows.read("s.table", .random()) { throw Damaged() } as Int?
        }
        #expect(rows.rememberedCount == 1)
    }
}
