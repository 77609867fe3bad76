import Domain
import JSON
import Testing

@Suite("Names of time zones")
struct TimeZoneNameTests {
    @Test(
        "ACC-02: names have the form of the IANA data base",
        arguments: ["Europe/Rome", "UTC", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "Etc/GMT+1"])
    func taken(text: String) throws {
        #expect(try JSONDecoder().decode([TimeZoneName].self, from: Array("[\"\(text)\"]".utf8))[0].description == text)
    }

    @Test(
        "ACC-02: no name leads out of the folder of zones, or to something else in it",
        arguments: [
            "", "/Europe/Rome", "Europe/", "Europe//Rome", "Europe/../../etc/passwd", "../Rome", "posix/Europe/Rome",
            "right/UTC", "zone.tab", "Europe/Rome\0", "A/B/C/D", "Europe/Româ", "E" + String(repeating: "u", count: 64),
        ])
    func refused(text: String) {
        #expect(TimeZoneName(text) == nil)
    }
}
