import Primitives
import Testing

@Suite struct UUIDTests {
    @Test("text in either case reads, and is written in lower case")
    func text() {
        let lower = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
        #expect(UUID(lower)?.description == lower)
        #expect(UUID("F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6")?.description == lower)
    }

    @Test(
        "anything but the 36-character form is refused",
        arguments: [
            "", "f81d4fae7dec11d0a76500a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
            "f81d4fae-7dec-11d0-a765-00a0c91e6bf6a", "g81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}", "f81d4fae-7dec-11d0-a76500-a0c91e6bf6",
            "f81d4fae-7dec-11d0-a765-00a0c91e6bé",
        ])
    func refused(text: String) {
        #expect(UUID(text) == nil)
    }

    @Test("bytes are in network order, and there are 16 of them")
    func bytes() throws {
        let id = try #require(UUID("00112233-4455-6677-8899-aabbccddeeff"))
        #expect(id.bytes == (0..<16).map { UInt8($0 * 0x11) })
        #expect(UUID(bytes: id.bytes) == id)
        #expect(UUID(bytes: id.bytes.dropLast()) == nil)
    }

    @Test("RFC 9562: random identifiers have version 4 and the variant 10")
    func random() {
        for _ in 0..<100 {
            let id = UUID.random()
            #expect(id.high >> 12 & 15 == 4)
            #expect(id.low >> 62 == 2)
        }
        #expect(UUID.random() != UUID.random())
    }

    @Test("RFC 9562: time-ordered identifiers carry the milliseconds, version 7, and sort by time")
    func timeOrdered() {
        // The example of RFC 9562, appendix A.6: 2022-02-22T19:22:22.000Z is 0x017F22E279B0.
        let id = UUID.timeOrdered(at: Timestamp(milliseconds: 0x017F_22E2_79B0))
        #expect(id.high >> 16 == 0x017F_22E2_79B0)
        #expect(id.high >> 12 & 15 == 7)
        #expect(id.low >> 62 == 2)
        #expect(id < UUID.timeOrdered(at: Timestamp(milliseconds: 0x017F_22E2_79B1)))
    }

    @Test("order is that of the bytes")
    func order() {
        #expect(UUID(high: 1, low: .max) < UUID(high: 2, low: 0))
        #expect(UUID(high: 1, low: 1) < UUID(high: 1, low: 1 << 63))
    }
}
