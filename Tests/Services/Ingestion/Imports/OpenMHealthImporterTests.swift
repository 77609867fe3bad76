import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct OpenMHealthImporterTests {
    private func read(_ text: String, pieceBytes: Int = .max) -> (batch: ImportBatch, report: ImportReport) {
        imported(text, by: OpenMHealthImporter(clock: testClock), pieceBytes: pieceBytes)
    }

    private func lines(_ batch: ImportBatch) -> [String] {
        batch.measurements.map {
            "\($0.type) \($0.time) \($0.duration.milliseconds / 1000) \($0.zoneOffset?.description ?? "-") \($0.value)"
        }
    }

    private func point(_ schema: String, _ body: String, namespace: String = "omh") -> String {
        #"{"header":{"id":"1","schema_id":{"namespace":"\#(namespace)","name":"\#(schema)","version":"2.0"},"#
            + #""acquisition_provenance":{"source_name":"Fitband"}},"body":{\#(body)}}"#
    }

    private static let instant = #""effective_time_frame":{"date_time":"2026-07-01T08:00:00+02:00"}"#
    private static let interval =
        #""effective_time_frame":{"time_interval":{"start_date_time":"2026-07-01T08:00:00+02:00","duration":{"value":5,"unit":"min"}}}"#

    private var points: [String] {
        [
            point("heart-rate", #""heart_rate":{"value":61,"unit":"beats/min"},\#(Self.instant)"#),
            point(
                "blood-pressure",
                #""systolic_blood_pressure":{"value":121,"unit":"mmHg"},"diastolic_blood_pressure":{"value":79,"unit":"mmHg"},\#(Self.instant)"#
            ),
            point("body-weight", #""body_weight":{"value":160,"unit":"lb"},\#(Self.instant)"#),
            point("step-count", #""step_count":412,\#(Self.interval)"#),
            point("step-count", #""step_count":{"value":6,"unit":"steps"},\#(Self.interval)"#, namespace: "ieee"),
            point(
                "sleep-duration",
                #""sleep_duration":{"value":7.5,"unit":"h"},"effective_time_frame":{"time_interval":{"end_date_time":"2026-07-01T06:30:00Z","duration":{"value":7.5,"unit":"h"}}}"#
            ),
            point("physical-activity", #""activity_name":"Nordic Walking",\#(Self.interval)"#),
            point(
                "geoposition",
                #""latitude":{"value":45.5,"unit":"deg"},"longitude":{"value":9.25,"unit":"deg"},"elevation":{"value":120,"unit":"m"},\#(Self.instant)"#
            ),
        ]
    }

    private static let expected = [
        "heart-rate 2026-07-01T06:00:00Z 0 +02:00 61.0", "blood-pressure-systolic 2026-07-01T06:00:00Z 0 +02:00 121.0",
        "blood-pressure-diastolic 2026-07-01T06:00:00Z 0 +02:00 79.0",
        "weight 2026-07-01T06:00:00Z 0 +02:00 72.57477920000001", "steps 2026-07-01T06:00:00Z 300 +02:00 412.0",
        "steps 2026-07-01T06:00:00Z 300 +02:00 6.0", "sleep 2026-06-30T23:00:00Z 27000 - 450.0",
        "activity 2026-07-01T06:00:00Z 300 +02:00 3.0",
    ]

    @Test("ING-04e: points in an array, one after the other, in lines, and in a server's answer are the same points")
    func forms() {
        let forms = [
            "[\(points.joined(separator: ",\n"))]", points.joined(separator: "\n"), points.joined(separator: " "),
            #"{"shim":"x","body":[\#(points.joined(separator: ","))]}"#,
        ]
        for text in forms {
            let (batch, report) = read(text)
            #expect(report.failure == nil && report.skipped.isEmpty)
            #expect(lines(batch) == Self.expected)
            #expect(batch.groups.map(\.source) == ["Fitband"])
            #expect(batch.positions.map(\.altitude) == [120])
        }
        #expect(lines(read(points[0]).batch) == [Self.expected[0]])
    }

    @Test("ING-04e: a body may be an array of IEEE 1752.1's data series")
    func series() {
        let body = #"{"heart_rate":{"value":60,"unit":"beats/min"},\#(Self.instant)}"#
        let text = #"{"header":{"schema_id":{"namespace":"ieee","name":"heart-rate"}},"body":[\#(body),\#(body)]}"#
        #expect(read(text).batch.measurements.map(\.value) == [60, 60])
    }

    /// A point of heart rates, each body between `before` and `after`.
    private func seriesText(_ count: Int, before: String, after: String = "") -> String {
        let body = #"{"heart_rate":{"value":60,"unit":"beats/min"},\#(Self.instant)}"#
        let bodies = [String](repeating: before + body + after, count: count).joined(separator: ",")
        return #"{"header":{"schema_id":{"namespace":"ieee","name":"heart-rate"}},"body":[\#(bodies)]}"#
    }

    @Test("ING-04e: each body of a series may begin a line")
    func seriesInLines() {
        let text = seriesText(2, before: "\n", after: " \n") + "\n" + points[3]
        let (batch, report) = read(text)
        #expect(batch.measurements.map(\.value) == [60, 60, 412] && report.failure == nil && report.skipped.isEmpty)
    }

    @Test("ING-04e: a series that is longer than an object may be is read in parts")
    func longSeries() {
        let count = JSONValues.objectBytesMax / 1000
        let (batch, report) = read(seriesText(count, before: String(repeating: " ", count: 1000)), pieceBytes: 100_000)
        #expect(batch.measurements.count == count && report.failure == nil && report.skipped.isEmpty)
    }

    @Test("ING-04e: positions in other units are converted, and of unknown units said")
    func units() {
        func position(_ latitude: String, _ unit: String) -> String {
            point(
                "geoposition",
                #""latitude":{"value":\#(latitude),"unit":"\#(unit)"},"longitude":{"value":\#(latitude),"unit":"\#(unit)"},"#
                    + #""elevation":{"value":1000,"unit":"ft"},\#(Self.instant)"#)
        }
        let (batch, report) = read(
            [position("\(45.5 * Double.pi / 180)", "rad"), position("45.5", "degree-decimal"), position("50", "gon")]
                .joined(separator: "\n"))
        #expect(batch.positions.count == 2)
        #expect(batch.positions.allSatisfy { abs($0.coordinate.latitude - 45.5) < 1e-6 })
        #expect(batch.positions.allSatisfy { abs(($0.altitude ?? 0) - 304.8) < 1e-6 })
        #expect(report.skips == ["position unit 1 [\"3\"]"])
    }

    @Test("ING-04e: distance and energy of an activity are taken, the distance of those on foot only")
    func activities() {
        let amounts =
            #""distance":{"value":5,"unit":"km"},"kcal_burned":{"value":300,"unit":"kcal"},\#(Self.interval)"#
        let (batch, report) = read(
            [
                point("physical-activity", #""activity_name":"Run",\#(amounts)"#),
                point("physical-activity", #""activity_name":"Cycling",\#(amounts)"#),
            ].joined(separator: "\n"))
        #expect(
            lines(batch) == [
                "activity 2026-07-01T06:00:00Z 300 +02:00 \(Activity(.running).value)",
                "distance 2026-07-01T06:00:00Z 300 +02:00 5000.0",
                "active-energy 2026-07-01T06:00:00Z 300 +02:00 300.0",
                "activity 2026-07-01T06:00:00Z 300 +02:00 \(Activity(.cycling).value)",
                "active-energy 2026-07-01T06:00:00Z 300 +02:00 300.0",
            ])
        #expect(report.skips == ["distance not-on-foot 1 [\"2\"]"])
    }

    @Test("ING-04eh: what is not collected, no measurement or malformed is said with its line, and costs nothing else")
    func skips() {
        let text = [
            points[0], point("mood", #""mood":3,\#(Self.instant)"#),
            point(
                "heart-rate",
                #""heart_rate":{"value":180,"unit":"beats/min"},"descriptive_statistic":"maximum",\#(Self.instant)"#),
            #"{"header":{"schema_id":{"name":"heart-rate"#, points[3], #"{"a":1}"#, #"{"a":01}"#,
            point("heart-rate", Self.instant),
            point("heart-rate", #""heart_rate":{"value":61,"unit":"furlong"},\#(Self.instant)"#),
            point("heart-rate", #""heart_rate":{"value":61,"unit":"beats/min"}"#),
            point(
                "heart-rate",
                #""heart_rate":{"value":61,"unit":"beats/min"},"effective_time_frame":{"date_time":"today"}"#),
            points[2],
        ].joined(separator: "\n")
        let (batch, report) = read(text)
        #expect(lines(batch) == [Self.expected[0], Self.expected[4], Self.expected[3]])
        #expect(
            report.skips == [
                "- not-collected-mood 1 [\"2\"]", "heart-rate statistic 1 [\"3\"]",
                "- malformed-object 2 [\"4\", \"7\"]", "- no-header 1 [\"6\"]", "heart-rate no-number 1 [\"8\"]",
                "heart-rate unit 1 [\"9\"]", "heart-rate no-time 1 [\"10\"]", "heart-rate time-form 1 [\"11\"]",
            ])
    }

    @Test("ING-04eh: a file that ends in the middle, or holds no point, is said to")
    func failures() {
        let cut = read(points[0] + "\n" + points[1].dropLast(5))
        #expect(cut.batch.measurements.count == 1 && cut.report.failure?.place == .line(2))
        #expect(read("[1, 2]").report.failure != nil)
    }

    @Test("ING-04: pieces of any length make no difference")
    func pieces() {
        let text = "[\(points.joined(separator: ",\n"))]\n{\"x\n{}"
        let whole = read(text)
        for length in 1...60 {
            let pieces = read(text, pieceBytes: length)
            #expect(pieces.batch == whole.batch && pieces.report == whole.report)
        }
    }
}
