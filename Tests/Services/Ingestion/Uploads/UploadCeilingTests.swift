import HTTP
import Primitives
import Reactor
import Synchronization
import Testing

@testable import Ingestion

@Suite struct UploadCeilingTests {
    /// A monotonic clock that stands until it is moved.
    private final class Hands: Sendable {
        private let time = Mutex(Deadline.now())
        var now: Deadline { time.withLock { $0 } }
        func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    }

    private func admitted(_ count: Int, _ ceiling: UploadCeiling, _ device: UUID) -> Int {
        (0..<count).count { _ in (try? ceiling.admit(device, bytes: 500)) != nil }
    }

    @Test("ING-02 NFR-03: a device may send so many uploads in an hour, and again in the next")
    func hour() throws {
        let hands = Hands()
        let ceiling = UploadCeiling(unitsMax: 80, cellsLog: 4) { hands.now }
        let device = UUID.random()
        #expect(admitted(100, ceiling, device) == 80)
        hands.advance(by: .seconds(3000))
        #expect(throws: UploadCeiling.Exceeded.self) { try ceiling.admit(device, bytes: 500) }
        do { try ceiling.admit(device, bytes: 500) } catch { #expect(error.retryAfter == .seconds(600)) }
        hands.advance(by: .seconds(600))
        #expect(admitted(100, ceiling, device) == 80)
    }

    @Test("NFR-03: nobody is refused for what others of the same cell send")
    func others() {
        let hands = Hands()
        let ceiling = UploadCeiling(unitsMax: 80, cellsLog: 0) { hands.now }
        #expect(admitted(1000, ceiling, .random()) == 80)
        for _ in 0..<20 { #expect(admitted(70, ceiling, .random()) == 70) }
    }

    @Test("NFR-03: however many devices there are, the memory is the same; then a cell counts for those in it")
    func bounded() {
        let hands = Hands()
        let ceiling = UploadCeiling(unitsMax: 80, cellsLog: 0, singlesMax: 1) { hands.now }
        let first = UUID.random()
        #expect(admitted(20, ceiling, first) == 20)
        #expect(admitted(200, ceiling, .random()) == 60)
        // It was there before there was no room, and counts for itself.
        #expect(admitted(200, ceiling, first) == 60)
    }

    @Test("ING-02: an upload counts by its samples, and is taken even when it is the last")
    func samples() {
        let hands = Hands()
        let ceiling = UploadCeiling(unitsMax: 80, cellsLog: 4) { hands.now }
        let device = UUID.random()
        #expect(admitted(1, ceiling, device) == 1)
        ceiling.add(samples: 249, bytes: 500, of: device)
        #expect(admitted(1, ceiling, device) == 1)
        ceiling.add(samples: 100_000, bytes: 500, of: device)
        #expect(admitted(1, ceiling, device) == 0)
    }

    @Test("NFR-03: an upload counts by its bytes, whatever can be read of them, or by its samples, whichever are more")
    func bytes() throws {
        let device = UUID.random()
        let large = UploadCeiling(unitsMax: 80, cellsLog: 4)
        try large.admit(device, bytes: 1 << 20)
        #expect(admitted(80, large, device) == 15)
        // 1000 samples in 32 kB are four units, of which the bytes were two.
        let dense = UploadCeiling(unitsMax: 80, cellsLog: 4)
        try dense.admit(device, bytes: 32 << 10)
        dense.add(samples: 1000, bytes: 32 << 10, of: device)
        #expect(admitted(80, dense, device) == 75)
    }

    @Test("NFR-03 ING-03: a person enters so many times in an hour")
    func entries() {
        func admitted(bytes: Int) -> Int {
            let ceiling = UploadCeiling(unitsMax: 80, cellsLog: 4)
            let account = UUID.random()
            return (0..<10).count { _ in (try? ceiling.admitEntry(of: account, bytes: bytes)) != nil }
        }
        #expect(admitted(bytes: 500) == 4)
        #expect(admitted(bytes: 1 << 20) == 1)
    }

    @Test("NFR-03 ING-03: who has entered as often as one may is told when to go on, whatever was in it")
    func refusedEntries() async throws {
        try await IngestionTest.with { test in
            let token = try test.token(of: .random())
            for _ in 0..<UploadCeiling.unitsMaxDefault / UploadCeiling.unitsOfEntry {
                let answer = try await test.post("samples", Array("{}".utf8), token: token)
                #expect(answer.status == .unprocessableContent)
            }
            let answer = try await test.post("samples", Array(#"{"series": []}"#.utf8), token: token)
            #expect(answer.status == .tooManyRequests && answer.fields["Retry-After"] != nil)
            #expect(try await test.code(answer) == "too-many-entries")
            // Nobody else is refused.
            let other = try await test.post(
                "samples", Array(#"{"series": []}"#.utf8), token: try test.token(of: .random()))
            #expect(other.status == .ok)
        }
    }
}
