import Domain
import Primitives
import SeededRandom
import Testing

@Suite("Rules of time zones")
struct TimeZoneRulesTests {
    private let zones = TimeZones()

    private func rules(_ name: String) throws -> TimeZoneRules {
        try zones.rules(of: try #require(TimeZoneName(name)))
    }

    @Test(
        "ING-06c: local time is that of the zone, today, long ago and far ahead",
        arguments: [
            ("Europe/Rome", "2026-03-29T00:59:59Z", 60), ("Europe/Rome", "2026-03-29T01:00:00Z", 120),
            ("Europe/Rome", "2026-10-25T00:59:59Z", 120), ("Europe/Rome", "2026-10-25T01:00:00Z", 60),
            ("Europe/Rome", "2120-07-01T00:00:00Z", 120), ("Europe/Rome", "2120-12-01T00:00:00Z", 60),
            ("Europe/Rome", "1942-07-01T00:00:00Z", 120), ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 345),
            ("Australia/Lord_Howe", "2026-01-01T00:00:00Z", 660), ("Australia/Lord_Howe", "2026-07-01T00:00:00Z", 630),
            ("Europe/Dublin", "2050-01-01T00:00:00Z", 0), ("Europe/Dublin", "2050-07-01T00:00:00Z", 60),
            ("Pacific/Kiritimati", "2026-01-01T00:00:00Z", 840), ("America/St_Johns", "2026-01-01T00:00:00Z", -210),
            ("UTC", "2026-01-01T00:00:00Z", 0), ("Etc/GMT+12", "2026-01-01T00:00:00Z", -720),
        ])
    func offsets(zone: String, time: String, minutes: Int) throws {
        let offset = try rules(zone).offset(at: try #require(Timestamp(time)))
        #expect(Int(offset.minutes) == minutes)
    }

    @Test(
        "A local day begins at its first moment, also where clocks change at midnight",
        arguments: [
            ("Europe/Rome", "2026-05-01", "2026-04-30T22:00:00Z"),
            ("Europe/Rome", "2026-10-25", "2026-10-24T22:00:00Z"),
            ("Europe/Rome", "2026-10-26", "2026-10-25T23:00:00Z"),
            // There is no midnight: 23:59:59 is followed by 01:00:00.
            ("America/Havana", "2026-03-08", "2026-03-08T05:00:00Z"),
            // Midnight comes twice: 00:59:59 is followed by 00:00:00.
            ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),
            // The day before was left out.
            ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"), ("UTC", "1970-01-01", "1970-01-01T00:00:00Z"),
        ])
    func days(zone: String, day: String, start: String) throws {
        let rules = try rules(zone)
        let day = try #require(CalendarDate(day))
        #expect(rules.start(of: day).description == start)
        #expect(rules.day(of: rules.start(of: day)) == day)
        #expect(rules.day(of: rules.start(of: day) - .seconds(1)) < day)
    }

    @Test("What is no zone of this machine is an error that names the file")
    func unknown() throws {
        #expect(throws: SmallFile.Failure.self) { try rules("Europe/Atlantis") }
        #expect(throws: SmallFile.Failure.self) { try rules("Europe") }
        let elsewhere = TimeZones(directory: "/nowhere")
        #expect(throws: SmallFile.Failure.self) { try elsewhere.rules(of: .rome) }
    }

    @Test("Files are read as RFC 9636 says: version 1 alone, and a rule without an entry before it")
    func files() throws {
        let header: (UInt8, UInt8, UInt8) -> [UInt8] = { version, times, types in
            Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 27) + [
                0, 0, 0, times, 0, 0, 0, types, 0, 0, 0, 4,
            ]
        }
        let hour: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0]
        let zero: [UInt8] = [0, 0, 0, 0, 0, 0]
        let name = Array("ABC\0".utf8)
        let old = try TimeZoneRules(file: header(0, 1, 2) + [0, 0, 0, 100, 1] + zero + hour + name)
        #expect(old.minutes(at: 99_999) == 0 && old.minutes(at: 100_000) == 60)
        func ruled(_ rule: String) throws(TimeZoneFileError) -> TimeZoneRules {
            let footer = Array("\n\(rule)\n".utf8)
            return try TimeZoneRules(file: header(0x32, 0, 1) + zero + name + header(0x32, 0, 1) + zero + name + footer)
        }
        let summer = Timestamp("2026-07-01T00:00:00Z")!.milliseconds
        #expect(try ruled("CET-1CEST,M3.5.0,M10.5.0/3").minutes(at: summer) == 120)
        #expect(try ruled("<+03>-3").minutes(at: summer) == 0)
        // Fifty hours before and after a Sunday, and days counted from 0 and from 1.
        #expect(try ruled("<-02>2<-01>,M3.5.0/-1,M10.5.0/0").minutes(at: summer) == -60)
        #expect(try ruled("AAA5BBB,J60/0,J300/0").minutes(at: Timestamp("2028-03-01T05:00:00Z")!.milliseconds) == -240)
        #expect(try ruled("AAA5BBB,59/0,299/0").minutes(at: Timestamp("2028-02-29T05:00:00Z")!.milliseconds) == -240)
        for rule in [
            "CET", "CET-1CEST", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.5.0", "CET-1CEST,M3.6.0,M10.5.0", "C-1",
        ] {
            #expect(throws: TimeZoneFileError(reason: "an unknown rule")) { try ruled(rule) }
        }
        #expect(throws: TimeZoneFileError(reason: "an entry of no type")) {
            try TimeZoneRules(file: header(0, 1, 2) + [0, 0, 0, 100, 2] + zero + hour + name)
        }
    }

    @Test("Altered and cut files are refused or read as some rules, and do no harm", arguments: 0..<20)
    func garbage(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let file = try SmallFile.read("/usr/share/zoneinfo/Europe/Rome", bytesMax: TimeZoneRules.fileBytesMax)
        let readable = (0..<file.count - 1).filter { end in
            end % 7 == seed % 7 && (try? TimeZoneRules(file: Array(file[..<end]))) != nil
        }
        #expect(readable.isEmpty)
        for _ in 0..<100 {
            var altered = file
            altered[.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random)
            guard let rules = try? TimeZoneRules(file: altered) else { continue }
            let time = Timestamp(milliseconds: .random(in: -1 << 41...1 << 43, using: &random))
            _ = rules.start(of: rules.day(of: time))
        }
    }
}
