import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct ImportPartsTests {
    /// Heart rates at these seconds.
    private func batch(of source: String?, _ seconds: some Sequence<Int>) -> ImportBatch {
        let begin = Timestamp("2026-05-01T07:00:00Z")!
        var batch = ImportBatch()
        let group = batch.group(of: source)
        for second in seconds {
            batch.append(Measurement(type: .heartRate, time: begin + .seconds(second), value: 60), to: group)
        }
        return batch
    }

    @Test("ING-04: a batch of any size is cut into parts of one size, and the rest comes at the end")
    func cuts() {
        var parts = ImportParts(samplesMax: 3)
        let none = parts.add(batch(of: "a", 0..<2))
        let whole = parts.add(batch(of: "a", 2..<10))
        let rest = parts.finish()
        #expect(none.isEmpty && whole.map(\.batch.count) == [3, 3, 3] && rest.map(\.batch.count) == [1])
        let times = (whole + rest).flatMap { $0.batch.values.flatMap(\.times) }
        #expect(times == times.sorted() && Set(times).count == 10)
    }

    @Test("ING-04 NFR-02: of all files of an import 32 sources are told apart, the first ones; others are of none")
    func sources() {
        var parts = ImportParts()
        var whole: [ImportParts.Part] = []
        for number in 0..<40 { whole += parts.add(batch(of: "source \(number)", [number])) }
        whole += parts.add(batch(of: "source 3", [100]))
        let rest = parts.finish()
        #expect(whole.isEmpty)
        #expect(rest.map(\.source) == (0..<32).map { Optional("source \($0)") } + [nil])
        #expect(rest[3].batch.count == 2 && rest[32].batch.count == 8)
    }

    @Test("ING-04h: what stands in a file more than once is reported as taken once")
    func doubled() {
        var parts = ImportParts()
        let rest = parts.add(batch(of: nil, [1, 1, 2, 1])) + parts.finish()
        #expect(rest.map(\.batch.count) == [2])
        #expect(parts.doubled == [.heartRate: 2])
        var report = ImportReport()
        for _ in 0..<4 { report.take(.heartRate) }
        report.take(.steps)
        var answer = ImportAnswer()
        answer.set(report, doubledInParts: parts.doubled)
        #expect(answer.taken == ["heart-rate": 2, "steps": 1] && answer.doubled == 2)
    }
}
