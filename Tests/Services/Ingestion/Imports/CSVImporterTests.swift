import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct CSVImporterTests {
    private func read(_ text: String, pieceBytes: Int = .max) -> (batch: ImportBatch, report: ImportReport) {
        imported(text, by: CSVImporter(clock: testClock), pieceBytes: pieceBytes)
    }

    private func lines(_ batch: ImportBatch) -> [String] {
        batch.measurements.map {
            "\($0.type) \($0.time) \($0.duration.milliseconds) \($0.zoneOffset?.description ?? "-") \($0.value)"
        }
    }

    /// As the query service and My Health write them.
    private static let export = """
        type,time,value,unit,latitude,longitude,altitude,accuracy,contact,duration_ms,zone_offset\r
        heart-rate,2026-07-01T06:00:00.250Z,61.5,/min,,,,,true,,+02:00\r
        heart-rate,2026-07-01T06:00:01Z,0,/min,,,,,false,,+02:00\r
        steps,2026-07-01T06:00:00Z,412,{steps},,,,,,300000,+02:00\r
        position,2026-07-01T06:00:00Z,,,45.5,9.25,120.5,8,,,\r

        """

    @Test("ING-04f: what this service exports is read as it was, with durations and zones")
    func export() {
        let (batch, report) = read(Self.export)
        #expect(report.failure == nil)
        #expect(
            lines(batch) == [
                "heart-rate 2026-07-01T06:00:00.250Z 0 +02:00 61.5", "steps 2026-07-01T06:00:00Z 300000 +02:00 412.0",
            ])
        #expect(
            batch.positions.map { [$0.coordinate.latitude, $0.coordinate.longitude, $0.altitude, $0.accuracy] } == [
                [45.5, 9.25, 120.5, 8]
            ])
        #expect(report.skips == ["heart-rate no-contact 1 [\"3\"]"])
    }

    @Test("ING-04f: columns in any order, separators and decimal commas of spreadsheets, units, sources, local times")
    func spreadsheet() {
        let text =
            "\u{FEFF}Time;End;Type;Value;Unit;Source;zone_offset;note\r"
            + "2026-07-01 08:00;2026-07-01 08:30;distance;\"1,5\";km;\"Anna's \"\"old\"\" watch\";+02:00;\r"
            + "2026-07-01T08:00:00+02:00;;body-temperature;97,7;°F;;;x\r" + "2026-07-01 08:00;;weight;70;;;;\r"
        let (batch, report) = read(text)
        #expect(report.failure == nil && report.skipped.isEmpty)
        #expect(batch.groups.map(\.source) == ["Anna's \"old\" watch", nil])
        #expect(
            lines(batch) == [
                "distance 2026-07-01T06:00:00Z 1800000 +02:00 1500.0",
                "body-temperature 2026-07-01T06:00:00Z 0 +02:00 36.5", "weight 2026-07-01T08:00:00Z 0 - 70.0",
            ])
    }

    @Test("ING-04fh: a line that is broken is said, with its number, and costs no other")
    func broken() {
        let text = """
            type,time,value,latitude,longitude,duration_ms,zone_offset
            heart-rate,2026-07-01T06:00:00Z,"61,,,,
            heart-rate,2026-07-01T06:00:01Z,61
            pulse,2026-07-01T06:00:02Z,61
            heart-rate,1.7.2026,61
            heart-rate,,61
            heart-rate,2026-07-01T06:00:03Z,x
            heart-rate,2026-07-01T06:00:04Z,62,,,-5
            heart-rate,2026-07-01T06:00:04Z,62,,,,CET

            heart-rate,2026-07-01T06:00:05Z,63
            """
        let (batch, report) = read(text)
        #expect(batch.measurements.map(\.value) == [61, 63] && report.failure == nil)
        #expect(
            report.skips == [
                "- malformed-line 1 [\"2\"]", "- no-data-type 1 [\"4\"]", "heart-rate time-form 2 [\"5\", \"9\"]",
                "heart-rate no-time 1 [\"6\"]", "heart-rate no-number 1 [\"7\"]", "heart-rate duration 1 [\"8\"]",
            ])
        let long = read(
            "type,time,value\nsteps,\(String(repeating: "x", count: 70_000))\nsteps,2026-07-01T06:00:05Z,6\n")
        #expect(long.batch.measurements.count == 1 && long.report.skips == ["- malformed-line 1 [\"2\"]"])
    }

    @Test("ING-04f: a table whose first line does not name the columns is refused")
    func otherTable() {
        for text in ["Name,Date\nx,y\n", "type,value\n", "", "time,value,type"] {
            let (batch, report) = read(text)
            #expect(batch == ImportBatch())
            #expect((report.failure != nil) == (text != "time,value,type"))
        }
    }

    @Test("ING-04: pieces of any length make no difference")
    func pieces() {
        let whole = read(Self.export)
        for length in 1...50 {
            let pieces = read(Self.export, pieceBytes: length)
            #expect(pieces.batch == whole.batch && pieces.report == whole.report)
        }
    }
}
