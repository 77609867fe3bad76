import Contracts
import Domain
import Primitives
import Reactor
import Testing

@testable import Ingestion

@Suite struct ProvisionalQueueTests {
    private let now = Deadline.now()

    private func item(_ device: UUID, _ number: Int64, samples: Int = 1, at time: Deadline? = nil)
        -> ProvisionalQueue.Item
    {
        let series = SampleSeries(
            type: .heartRate, start: IngestionTest.start, offsets: (0..<samples).map { Int64($0) },
            values: [Double](repeating: 60, count: samples))
        let live = Ingestion.LiveSamples(
            accountID: device, deviceID: device, receivedAt: IngestionTest.start, sentAt: IngestionTest.start,
            series: [series])
        return .init(device: device, number: number, receivedAt: time ?? now, samples: [live])
    }

    private func all(_ queue: inout ProvisionalQueue, at time: Deadline? = nil) -> [ProvisionalQueue.Item] {
        queue.take(uploadsMax: .max, samplesMax: .max, at: time ?? now)
    }

    @Test("SOS-05: uploads leave in the order in which they came, and each once, however often the device sends it")
    func order() {
        var queue = ProvisionalQueue()
        let (one, two) = (UUID.random(), UUID.random())
        for number in 1...5 {
            #expect(queue.add(item(one, Int64(number))) == .added)
            #expect(queue.add(item(two, Int64(10 * number))) == .added)
            #expect(queue.add(item(one, Int64(number))) == .known)
        }
        let first = queue.take(uploadsMax: 3, samplesMax: 100, at: now)
        #expect(first.map(\.number) == [1, 10, 2])
        // Also while it is under way, and after it.
        #expect(queue.add(item(one, 1)) == .known)
        #expect(all(&queue).map(\.number) == [20, 3, 30, 4, 40, 5, 50])
        #expect(queue.count == 0 && queue.samples == 0 && queue.dropped == 0)
        #expect(queue.add(item(two, 50)) == .known)
    }

    @Test("SOS-05: a call has so many samples at most, but at least one upload")
    func calls() {
        var queue = ProvisionalQueue()
        let device = UUID.random()
        for number in 1...4 { _ = queue.add(item(device, Int64(number), samples: 40)) }
        #expect(queue.take(uploadsMax: 10, samplesMax: 100, at: now).map(\.number) == [1, 2])
        #expect(queue.take(uploadsMax: 10, samplesMax: 10, at: now).map(\.number) == [3])
    }

    @Test("NFR-03b: a device that floods it takes no other's place, and keeps its newest uploads in order")
    func flood() {
        var queue = ProvisionalQueue()
        let (loud, quiet) = (UUID.random(), UUID.random())
        _ = queue.add(item(quiet, 1))
        for number in 1...100_000 { _ = queue.add(item(loud, Int64(number))) }
        _ = queue.add(item(quiet, 2))
        #expect(queue.count == ProvisionalQueue.deviceMax + 2)
        #expect(queue.dropped == 100_000 - ProvisionalQueue.deviceMax)
        let left = all(&queue)
        #expect(left.filter { $0.device == quiet }.map(\.number) == [1, 2])
        let newest = 100_001 - Int64(ProvisionalQueue.deviceMax)...100_000
        #expect(left.filter { $0.device == loud }.map(\.number) == Array(newest))
    }

    @Test("NFR-03b: many devices together take so much room at most; the oldest go, and may be sent again")
    func bounded() {
        var queue = ProvisionalQueue(uploadsMax: 10, samplesMax: 100)
        let devices = (0..<15).map { _ in UUID.random() }
        for device in devices { _ = queue.add(item(device, 1, samples: 5)) }
        #expect(queue.count == 10 && queue.dropped == 5)
        _ = queue.add(item(devices[0], 2, samples: 80))
        #expect(queue.samples <= 100)
        #expect(all(&queue).map(\.device) == Array(devices[11...]) + [devices[0]])
        // It was never passed on.
        #expect(queue.add(item(devices[0], 1)) == .added)
        // One that is larger than all of the room goes all the same.
        #expect(queue.add(item(devices[1], 2, samples: 1000)) == .added)
        #expect(all(&queue).map(\.number) == [2])
    }

    @Test("SOS-05d: what is too old to bring an ambulance is not passed on")
    func old() {
        var queue = ProvisionalQueue()
        let device = UUID.random()
        _ = queue.add(item(device, 1))
        let later = now.advanced(by: .seconds(200))
        _ = queue.add(item(device, 2, at: later))
        #expect(all(&queue, at: now.advanced(by: ProvisionalQueue.ageMax + .seconds(1))).map(\.number) == [2])
        #expect(queue.dropped == 1 && queue.count == 0)
    }
}
