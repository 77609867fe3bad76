import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct GPXImporterTests {
    static let document = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx xmlns="http://www.topografix.com/GPX/1/1" xmlns:ns3="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"
             version="1.1" creator="test &amp; co">
          <metadata><time>2020-01-01T00:00:00Z</time></metadata>
          <wpt lat="1" lon="1"><time>2020-01-01T00:00:00Z</time></wpt>
          <trk><name>Città ☀</name><trkseg>
            <trkpt lat="45.5" lon="9.25"><ele>120.5</ele><time>2020-08-09T09:47:14.372000Z</time>
              <extensions><ns3:TrackPointExtension><ns3:hr>93</ns3:hr><ns3:cad>80</ns3:cad></ns3:TrackPointExtension></extensions>
            </trkpt>
            <trkpt lat="45.6" lon="9.26"><time>2020-08-09T11:47:15+02:00</time></trkpt>
          </trkseg><trkseg>
            <trkpt lat="45.7" lon="9.27"/>
            <trkpt lat="91" lon="9.27"><time>2020-08-09T09:47:17Z</time></trkpt>
            <trkpt lat="45.7"><time>2020-08-09T09:47:17Z</time></trkpt>
            <trkpt lat="45.7" lon="9.27"><time>yesterday</time></trkpt>
          </trkseg></trk>
          <trk><trkseg>
            <trkpt lat="45.8" lon="9.28"><ele>99999</ele><time>2020-08-09T09:47:18</time>
              <extensions><hr xmlns="urn:x"> 400 </hr></extensions></trkpt>
          </trkseg></trk>
        </gpx>
        """

    @Test(
        "ING-04bh: tracks and segments with altitude and heart rate under any prefix, and a report of what was skipped and why"
    )
    func reads() throws {
        let (batch, report) = imported(Self.document, by: GPXImporter(clock: testClock))
        #expect(report.failure == nil)
        #expect(
            batch.positions.map { [$0.coordinate.latitude, $0.coordinate.longitude, $0.altitude ?? -1] } == [
                [45.5, 9.25, 120.5], [45.6, 9.26, -1], [45.8, 9.28, -1],
            ])
        #expect(
            batch.positions.map(\.time.description) == [
                "2020-08-09T09:47:14.372Z", "2020-08-09T09:47:15Z", "2020-08-09T09:47:18Z",
            ])
        #expect(batch.measurements == [.init(type: .heartRate, time: batch.positions[0].time, value: 93)])
        #expect(report.taken == [.position: 3, .heartRate: 1])
        #expect(
            report.skips == [
                "- not-collected-cad 1 [\"8\"]", "position no-time 1 [\"12\"]", "position coordinate 1 [\"13\"]",
                "position no-number 1 [\"14\"]", "position time-form 1 [\"15\"]", "heart-rate implausible 1 [\"18\"]",
            ])
        // Z says UTC, not where somebody was.
        #expect(batch.positions.map { $0.zoneOffset?.minutes } == [nil, 120, nil])
    }

    @Test("ING-04: a document split anywhere gives the same result")
    func splits() {
        let bytes = Array(Self.document.utf8)
        let whole = imported(bytes, by: GPXImporter(clock: testClock))
        for position in 1..<bytes.count {
            let importer = GPXImporter(clock: testClock)
            var batch = importer.consume(Array(bytes[..<position]))
            batch.append(importer.consume(Array(bytes[position...])))
            batch.append(importer.finish())
            #expect(batch == whole.batch && importer.report == whole.report)
        }
        let single = imported(bytes, by: GPXImporter(clock: testClock), pieceBytes: 1)
        #expect(single.batch == whole.batch && single.report == whole.report)
    }

    @Test("ING-04b: GPX 1.0, without a namespace, after white space")
    func oldVersion() {
        let text = """
            \n  <?xml version="1.0"?>
            <gpx version="1.0"><trk><trkseg><trkpt lon="-36.5" lat="-8.25"><time>2021-03-21T09:11:21Z</time></trkpt>
            <trkpt lon="-36.5" lat="-8.25"/></trkseg></trk></gpx>
            """
        let (batch, report) = imported(text, by: GPXImporter(clock: testClock))
        #expect(batch.positions.count == 1 && report.failure == nil)
        #expect(report.skips == ["position no-time 1 [\"4\"]"])
    }

    @Test("ING-04h: of a file cut in the middle what came before is taken, and the error says where it ends")
    func truncated() {
        let bytes = Array(Self.document.utf8)
        let whole = imported(bytes, by: GPXImporter(clock: testClock)).batch
        for count in 0..<bytes.count {
            let (batch, report) = imported(Array(bytes[..<count]), by: GPXImporter(clock: testClock))
            #expect(report.failure != nil)
            #expect(whole.positions.starts(with: batch.positions))
        }
        let cut = Self.document.prefix(upTo: Self.document.firstRange(of: "</trkseg><trkseg>")!.lowerBound)
        let (batch, report) = imported(String(cut), by: GPXImporter(clock: testClock))
        #expect(batch.positions.count == 2)
        #expect(
            report.failure
                == .init(place: .line(11), reason: .truncated, explanation: "The file ends in the middle, at line 11."))
    }

    @Test(
        "ING-04h: what is good after a broken place is taken as well, and the report says where the broken places are")
    func malformed() {
        let text = Self.document.split(separator: "<trkpt lat=\"45.7\" lon=\"9.27\"/>")
            .joined(separator: "<trkpt lat=\"45.7 <name></trkseg>\u{1}&nbsp; < <trkseg>")
        let (batch, report) = imported(text, by: GPXImporter(clock: testClock))
        let whole = imported(Self.document, by: GPXImporter(clock: testClock)).batch
        #expect(batch == whole)
        #expect(report.failure == nil)
        #expect(report.skips.contains { $0.hasPrefix("- malformed-tag 2 ") })
        #expect(report.skips.contains { $0.hasPrefix("- malformed-end 1 ") })
    }

    @Test("ING-04h: points without an end are taken, however many there are")
    func missingEnds() {
        let begin = Timestamp("2026-05-01T07:00:00Z")!
        let points = (0..<200).map { "<trkpt lat='45.5' lon='9.25'><time>\(begin + .seconds($0))</time>\n" }.joined()
        let (batch, report) = imported(
            "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>", by: GPXImporter(clock: testClock))
        #expect(batch.positions.count == 200 && report.failure == nil)
        #expect(report.skipped.map(\.reason) == ["malformed-end"] && report.skipped.map(\.count) == [200])
    }

    @Test("ING-04: another kind of document is refused")
    func otherFormat() {
        let report = imported("<html><trkpt lat='1' lon='1'/></html>", by: GPXImporter(clock: testClock)).report
        #expect(
            report.failure
                == .init(
                    place: .line(1), reason: .otherFormat,
                    explanation: "The element at line 1 is not the beginning of a GPX file."))
    }

    @Test("ING-04h: only the first few lines of each kind of skip are kept")
    func manySkips() {
        let points = String(repeating: "<trkpt lat='1' lon='1'/>\n", count: 1000)
        let report = imported("<gpx>\n\(points)</gpx>", by: GPXImporter(clock: testClock)).report
        #expect(report.skipped.map(\.count) == [1000])
        #expect(report.skipped.map(\.places) == [(2...6).map { .line($0) }])
    }
}
