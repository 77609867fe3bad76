import Contracts
import Domain
import JSON
import Primitives
import ServiceTesting
import Testing

@testable import Ingestion
@testable import Query

@Suite struct OpenMHealthPointsTests {
    private typealias Samples = FormSamples

    private func parsed(_ series: [SampleSeries]) throws -> [JSONValue] {
        try Samples.parsed(try Samples.openMHealth(series))
    }

    @Test("REQ-12b: a heart rate is a data point of Open mHealth, in the local time of its device")
    func heartRate() throws {
        let line = try Samples.openMHealth([Samples.heartRates([61.5], zone: "+02:00")])
        let id = try #require(try Samples.parsed(line)[0]["header"]?["id"]?.text)
        let time = "2026-03-29T01:30:00+02:00"
        #expect(
            line == """
                {"header":{"id":"\(id)","uuid":"\(id)","schema_id":{"namespace":"omh","name":"heart-rate",\
                "version":"2.0"},"creation_date_time":"\(time)","source_creation_date_time":"\(time)",\
                "user_id":"\(Samples.subject)"},"body":{"heart_rate":{"value":61.5,"unit":"beats/min"},\
                "effective_time_frame":{"date_time":"\(time)"}}}

                """)
    }

    @Test("REQ-12b: points of all data types conform to the schemas of Open mHealth and IEEE 1752.1")
    func schemas() async throws {
        let samples = Samples.all()
        var file = try Samples.openMHealth(samples)
        for statistic in ReadingStatistic.allCases { file += try Samples.openMHealth(samples, as: statistic) }
        #expect(try await Samples.check("open-mhealth", [file]) == ["good"])
        let names = Set(try Samples.parsed(file).map { $0["header"]?["schema_id"]?["name"]?.text })
        // Distances and activities are both physical activities.
        #expect(names.count == DataType.allCases.count - 2)
    }

    @Test("REQ-12b: what the schemas refuse is told from what they take")
    func refused() async throws {
        try await Samples.checkSpoiled(
            "open-mhealth", try Samples.openMHealth([Samples.heartRates([61], zone: "+02:00")]),
            [
                ("beats/min", "bpm"), (#""value":61"#, #""value":"61""#),
                (#""effective_time_frame""#, #""time_frame""#), (#""date_time""#, #""start_date_time""#),
                (#""id":""#, #""key":""#), (#""uuid":""#, #""uuid":"x"#), (#""version":"2.0""#, #""version":"9.0""#),
                ("T01:30:00+02:00", " in the night"), (#""source_creation_date_time""#, #""time""#),
                (#""creation_date_time""#, #""time""#), ("heart_rate", "rate"),
            ])
    }

    @Test("REQ-12b ING-04e: what was written as Open mHealth is read by the importer as the same samples")
    func roundTrip() throws {
        // A time in UTC does not tell the importer where the person was.
        let zoned = Samples.all().filter { series in
            series.zoneOffset.map { $0 != .utc && abs(Int($0.minutes)) <= 14 * 60 } ?? false
        }
        let importer = OpenMHealthImporter(clock: SampleClock(now: Samples.start + .seconds(30 * 86_400)))
        var batch = importer.consume(Array(try Samples.openMHealth(zoned).utf8))
        batch.append(importer.finish())
        #expect(importer.report.failure == nil)
        // The schemas that are TrackMe's own.
        let own: Set<DataType> = [
            .stressLevel, .restingEnergy, .standHours, .nutritionEnergy, .motion, .wellBeing, .shakingFrequency,
            .shakingAmplitude,
        ]
        #expect(
            Set(importer.report.skipped.map(\.reason)) == Set(own.map { "not-collected-\($0.name)" }))

        var read: Set<Domain.Measurement> = []
        var positions: Set<PositionFix> = []
        for group in batch.groups {
            read.formUnion(group.measurements)
            positions.formUnion(group.positions)
        }
        var written: Set<Domain.Measurement> = []
        for series in zoned where series.type != .position && !own.contains(series.type) {
            for index in 0..<series.count where series.hasContact(index) {
                let value = try #require(series.values)[index]
                let duration = Duration.milliseconds(series.durations?[index] ?? 0)
                // The importer takes no places of activities, and makes an activity of a distance's.
                let kept = series.type == .activity ? Activity(value: value).map { Activity($0.kind).value } : value
                written.insert(
                    .init(
                        type: series.type, time: series.time(index), duration: duration,
                        value: try #require(kept), zoneOffset: series.zoneOffset))
                guard series.type == .distance else { continue }
                written.insert(
                    .init(
                        type: .activity, time: series.time(index), duration: duration,
                        value: Activity(.running).value, zoneOffset: series.zoneOffset))
            }
        }
        #expect(!written.isEmpty && read.symmetricDifference(written).isEmpty)
        let places = zoned.filter { $0.type == .position }
        #expect(positions.count == places.reduce(0) { $0 + $1.count })
        for series in places {
            for index in 0..<series.count {
                let fix = try #require(positions.first { $0.time == series.time(index) })
                #expect(fix.zoneOffset == series.zoneOffset)
                #expect(abs(fix.coordinate.latitude - (series.latitudes?[index] ?? 0)) < 1e-7)
                #expect(abs(fix.coordinate.longitude - (series.longitudes?[index] ?? 0)) < 1e-7)
                #expect(abs((fix.altitude ?? 0) - (series.altitudes?[index] ?? 0)) <= 0.051)
            }
        }
    }

    @Test("REQ-12b ING-04e: the importer reads every activity as what it was, without its place")
    func activities() throws {
        let all = Activity.Kind.allCases.flatMap { kind in Activity.Place.allCases.map { Activity(kind, $0) } }
        let series = SampleSeries(
            type: .activity, start: Samples.start, offsets: all.indices.map { Int64($0) }, values: all.map(\.value))
        let importer = OpenMHealthImporter(clock: SampleClock(now: Samples.start + .seconds(3600)))
        let batch = importer.consume(Array(try Samples.openMHealth([series]).utf8))
        #expect(batch.groups.flatMap(\.measurements).map(\.value) == all.map { Activity($0.kind).value })
    }

    @Test("REQ-12b: pressures of one time are one point; one without the other, or without contact, is none")
    func pressures() throws {
        var points = OpenMHealthPoints(of: Samples.request, subject: Samples.subject)
        let systolic = Samples.pressures(.bloodPressureSystolic, [120, 121, 122])
        var diastolic = Samples.pressures(.bloodPressureDiastolic, [80, 81])
        diastolic.contact = [true, false]
        let first = try points.lines(of: [systolic])
        #expect(first.isEmpty)
        let lines = try Samples.parsed(String(decoding: try points.lines(of: [diastolic]), as: UTF8.self))
        #expect(lines.map { $0["body"]?["systolic_blood_pressure"]?["value"]?.double } == [120])
        #expect(lines.map { $0["body"]?["diastolic_blood_pressure"]?["value"]?.double } == [80])
        #expect(points.finish().isEmpty)
        #expect(try parsed([Samples.heartRates([0, 61])]).map { $0["body"]?["heart_rate"]?["value"]?.double } == [61])
    }

    @Test("REQ-12b: an amount is of an interval, even if that is empty; a value that stands for its samples says how")
    func intervals() throws {
        let steps = SampleSeries(
            type: .steps, start: Samples.start, offsets: [0, 0], durations: [0, 1500], values: [1, 2])
        let frames = try parsed([steps]).map { $0["body"]?["effective_time_frame"]?["time_interval"] }
        #expect(frames.map { $0?["start_date_time"]?.text } == ["2026-03-28T23:30:00Z", "2026-03-28T23:30:00Z"])
        #expect(frames.map { $0?["end_date_time"]?.text } == ["2026-03-28T23:30:00Z", "2026-03-28T23:30:01.500Z"])
        let means = try Samples.parsed(try Samples.openMHealth([Samples.heartRates([61])], as: .mean))
        #expect(means.map { $0["body"]?["descriptive_statistic"]?.text } == ["average"])
    }
}
