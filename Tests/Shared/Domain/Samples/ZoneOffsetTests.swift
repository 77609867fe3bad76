import Domain
import JSON
import Testing

@Suite("Offsets from UTC")
struct ZoneOffsetTests {
    @Test(
        "ING-02: an offset is read in the forms of ISO 8601 and written in one",
        arguments: [
            ("Z", 0, "Z"), ("+00:00", 0, "Z"), ("+02:00", 120, "+02:00"), ("+0545", 345, "+05:45"),
            ("-03", -180, "-03:00"),
            ("-18:00", -1080, "-18:00"),
        ])
    func forms(text: String, minutes: Int, written: String) throws {
        let offset = try #require(ZoneOffset(text))
        #expect(offset.minutes == Int16(minutes) && offset.description == written)
        #expect(offset.milliseconds == Int64(minutes) * 60_000)
        let decoded = try JSONDecoder().decode([ZoneOffset].self, from: Array("[\"\(text)\"]".utf8))
        #expect(decoded == [offset])
    }

    @Test(
        "anything else is refused",
        arguments: ["", "+", "2", "+2", "+2:00", "+18:01", "+02:60", "+02:0", "02:00", "+٠٢:٠٠", "+02:00 "])
    func refused(text: String) {
        #expect(ZoneOffset(text) == nil)
    }
}
