import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct SentTimesTests {
    private func batch(_ times: [Int64], _ durations: [Int64]? = nil) -> SampleBatch {
        SampleBatch(values: [
            ValueColumn(type: .heartRate, times: times, durations: durations, values: times.map { _ in 60 })
        ])
    }

    /// Of each arrival, one after the other, whether it may repeat what was sent before.
    private func marks(_ sent: SentTimes, _ batches: [SampleBatch]) -> [Bool] {
        var sent = sent
        return batches.enumerated().map { sent.add($1, arrival: Int32($0 + 1)) }
    }

    @Test("REQ-07: what begins after all that was sent before cannot repeat any of it; the rest may")
    func instants() {
        let batches = [[1000, 2000], [2001, 5000], [5000, 6000], [10], [6001]].map { batch($0) }
        // An older one changes nothing for what comes.
        #expect(marks(.nothing, batches) == [false, false, true, true, false])
    }

    @Test("REQ-07: intervals are compared with intervals, since they begin long before they are sent")
    func intervals() {
        let batches = [
            batch([1000, 9000]), batch([2000], [3000]), batch([5000], [3000]), batch([5000], [1000]), batch([9001]),
            // Of both kinds: each is compared with its own.
            batch([6000, 9500], [0, 10]), batch([9600, 9700], [10, 10]), SampleBatch(),
        ]
        #expect(marks(.nothing, batches) == [false, false, false, true, false, true, false, false])
    }

    @Test("REQ-07: of a device of which nothing is known all that it can have sent by now may come again")
    func unknown() {
        let now = Timestamp("2026-11-20T10:00:00Z")!
        let last = (now + SampleClock.aheadMax).milliseconds
        #expect(marks(.unknown(at: now), [batch([last]), batch([last + 1])]) == [true, false])
    }
}
