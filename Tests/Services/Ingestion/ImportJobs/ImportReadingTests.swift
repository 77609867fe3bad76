import Domain
import Primitives
import Reactor
import Testing

@testable import Ingestion

@Suite struct ImportReadingTests {
    /// Steps taken in so many seconds, a line each.
    private func table(_ seconds: Int) -> [UInt8] {
        let begin = Timestamp("2026-05-01T07:00:00Z")!
        var text = "type,time,value\n"
        for second in 0..<seconds { text += "steps,\(begin + .seconds(second)),1\n" }
        return Array(text.utf8)
    }

    /// The sizes of the parts that each step completes.
    private func sizes(_ file: [UInt8]) async throws -> [[Int]] {
        let reading = ImportReading(clock: testClock, pool: .shared)
        reading.add(file)
        reading.end()
        var sizes: [[Int]] = []
        while true {
            let step = try await reading.read()
            #expect(!step.isOver)
            if !step.parts.isEmpty { sizes.append(step.parts.map(\.batch.count)) }
            guard step.hasMore else { return sizes }
        }
    }

    @Test("ING-04 NFR-02: a file is read a part at a time, also one that expands to many")
    func steps() async throws {
        let file = table(25_000)
        for bytes in [file, ZipBuilder.deflated(file, gzip: true), ZipBuilder.archive([.init("a.csv", file)])] {
            #expect(try await sizes(bytes) == [[10_000], [10_000], [5000]])
        }
    }

    @Test("ING-04: a file that is none of the formats is over at once, and one that is short when it ends")
    func unknown() async throws {
        let reading = ImportReading(clock: testClock, pool: .shared)
        reading.add(Array("hello".utf8))
        let first = try await reading.read()
        #expect(!first.isOver && !first.hasMore)
        reading.end()
        let last = try await reading.read()
        #expect(last.isOver && !last.hasMore)
        let long = ImportReading(clock: testClock, pool: .shared)
        long.add([UInt8](repeating: 0x20, count: ImportFormat.detectionBytesMax))
        let outcome = try await long.read()
        #expect(outcome.isOver && !outcome.hasMore)
    }
}
