import Service
import Testing

@Suite struct DeflateTests {
    @Test(
        "REQ-12a: What is compressed is expanded to what it was, of any length",
        arguments: [0, 1, 1000, 65_536, 300_000])
    func whole(count: Int) throws {
        var state: UInt32 = 7
        // Digits, as in what is stored, so that it neither is all alike nor random.
        let bytes = (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(ascii: "0") + UInt8(state >> 24) % 10
        }
        let compressed = try #require(Deflate.compress(bytes))
        #expect(count < 1000 || compressed.count < count * 6 / 10)
        #expect(try Deflate.expand(compressed, bytesMax: count) == bytes)
    }

    @Test("REQ-12a: More than there may be, and what is damaged, is not expanded")
    func broken() throws {
        let compressed = try #require(Deflate.compress(Array(repeating: 0, count: 10_000_000)))
        #expect(compressed.count < 20_000)
        #expect(throws: Deflate.Broken.self) { try Deflate.expand(compressed, bytesMax: 9_999_999) }
        #expect(throws: Deflate.Broken.self) { try Deflate.expand(Array(compressed.dropLast()), bytesMax: 20_000_000) }
        #expect(throws: Deflate.Broken.self) { try Deflate.expand(compressed + [0], bytesMax: 20_000_000) }
        #expect(throws: Deflate.Broken.self) { try Deflate.expand([], bytesMax: 100) }
        #expect(throws: Deflate.Broken.self) { try Deflate.expand(Array("no deflate".utf8), bytesMax: 100) }
    }
}
