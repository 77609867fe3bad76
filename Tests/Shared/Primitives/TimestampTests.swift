import Primitives
import Testing

@Suite struct TimestampTests {
    @Test(
        "the examples of RFC 3339 section 5.8 read as what they mean",
        arguments: [
            ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
            ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57Z"),
            ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00Z"),
            ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00Z"),
            ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
        ])
    func standard(text: String, meaning: String) {
        #expect(Timestamp(text)?.description == meaning)
    }

    @Test(
        "known instants",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2001-09-09T01:46:40Z", 1_000_000_000),
            ("2038-01-19T03:14:08Z", 2_147_483_648),
            ("1969-12-31T23:59:59Z", -1), ("2000-02-29T00:00:00Z", 951_782_400),
            ("2000-03-01t02:00:00+02:00", 951_868_800),
        ])
    func instants(text: String, seconds: Int64) {
        #expect(Timestamp(text) == Timestamp(microseconds: seconds * 1_000_000))
    }

    @Test("fractions: written with 0, 3 or 6 digits, read up to nanoseconds and cut")
    func fractions() {
        #expect(Timestamp(microseconds: 1).description == "1970-01-01T00:00:00.000001Z")
        #expect(Timestamp(microseconds: 120_000).description == "1970-01-01T00:00:00.120Z")
        #expect(Timestamp("1970-01-01T00:00:00.123456999Z")?.microseconds == 123_456)
    }

    @Test("before 1970 everything rounds down")
    func floor() {
        let instant = Timestamp(microseconds: -1)
        #expect(instant.description == "1969-12-31T23:59:59.999999Z")
        #expect(instant.milliseconds == -1)
        #expect(instant.dateUTC == CalendarDate("1969-12-31"))
        #expect(Timestamp(microseconds: -86_400_000_000).dateUTC == CalendarDate("1969-12-31"))
        #expect(Timestamp(instant.description) == instant)
    }

    @Test(
        "other texts are refused",
        arguments: [
            "", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31T12:00Z", "2026-02-29T12:00:00Z",
            "2026-01-31T24:00:00Z",
            "2026-01-31T12:60:00Z", "2026-01-31T12:00:61Z", "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00+0100",
            "2026-01-31T12:00:00+24:00", "2026-01-31T12:00:00Z ", " 2026-01-31T12:00:00Z", "0000-01-01T00:00:00Z",
            "2026-01-31T12:00:00.1", "0001-01-01T00:30:00+01:00", "9999-12-31T23:30:00-01:00", "2026-01-31T1２:00:00Z",
        ])
    func refused(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("any instant of years 1 to 9999 survives its text")
    func roundTrip() {
        var state: UInt64 = 42
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let span: UInt64 = 315_537_897_600_000_000
            let instant = Timestamp(microseconds: Int64(state % span) - 62_135_596_800_000_000)
            #expect(Timestamp(instant.description) == instant)
        }
    }

    @Test("arithmetic with durations")
    func arithmetic() {
        let start = Timestamp(microseconds: 0)
        #expect((start + .seconds(90)).description == "1970-01-01T00:01:30Z")
        #expect((start - .milliseconds(1)).microseconds == -1000)
        #expect((start + .seconds(3)) - start == .seconds(3))
    }

    @Test("arithmetic stays at the ends of what can be counted")
    func ends() {
        let (first, last) = (Timestamp(microseconds: .min), Timestamp(microseconds: .max))
        #expect(last + .seconds(1) == last && first - .seconds(1) == first)
        #expect(last - first == .microseconds(Int64.max) && first - last == .microseconds(Int64.min))
        #expect(last + (first - last) == Timestamp(microseconds: -1))
        #expect(last - (first - last) == last)
        #expect(Timestamp(milliseconds: .max) == last && Timestamp(milliseconds: .min) == first)
        #expect([first, last].allSatisfy { $0.dateUTC.startUTC <= $0 && !$0.description.isEmpty })
        #expect(Duration.milliseconds(Int64.max).microseconds == .max)
        #expect(Duration.milliseconds(Int64.min).microseconds == .min)
    }
}
