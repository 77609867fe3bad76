import Contracts
import Domain
import JSON
import Primitives
import ServiceTesting
import Testing

@testable import Query

@Suite struct FHIRObservationsTests {
    private typealias Samples = FormSamples

    @Test("REQ-12b: a heart rate is an Observation of HL7's profile, in the local time of its device")
    func heartRate() throws {
        let lines = try Samples.fhir([Samples.heartRates([61, 62.5], zone: "-03:30")])
        let head = """
            ","meta":{"profile":["http://hl7.org/fhir/StructureDefinition/heartrate"]},"status":"final",\
            "category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/observation-category",\
            "code":"vital-signs"}]}],"code":{"coding":[{"system":"http://loinc.org","code":"8867-4",\
            "display":"Heart rate"}]},"subject":{"type":"Patient","identifier":{"system":"urn:ietf:rfc:3986",\
            "value":"\(Samples.subject)"}},
            """
        let unit = #""unit":"beats/minute","system":"http://unitsofmeasure.org","code":"/min"}}"#
        let ids = try Samples.parsed(lines).map { try #require($0["id"]?.text) }
        #expect(
            lines == """
                {"resourceType":"Observation","id":"\(ids[0])\(head)"effectiveDateTime":"2026-03-28T20:00:00-03:30",\
                "valueQuantity":{"value":61,\(unit)
                {"resourceType":"Observation","id":"\(ids[1])\(head)"effectiveDateTime":"2026-03-28T20:00:01.500-03:30",\
                "valueQuantity":{"value":62.5,\(unit)

                """)
    }

    @Test(
        "REQ-12b: fhir.resources reads the Observations of all data types, and they conform to HL7's vital signs profiles"
    )
    func read() async throws {
        let single = Samples.pressures(.bloodPressureSystolic, [120], at: Samples.start + .seconds(86_400))
        let other = Samples.pressures(.bloodPressureDiastolic, [80], at: Samples.start + .seconds(2 * 86_400))
        let samples = Samples.all()
        var file = try Samples.fhir(samples + [single, other])
        for statistic in ReadingStatistic.allCases { file += try Samples.fhir(samples, as: statistic) }
        #expect(try await Samples.check("fhir", [file]) == ["good"])
        let observations = try Samples.parsed(file)
        // Of 20 data types 10 values, and 10 pairs of pressures; 2 are alone.
        let lines = 6 * (20 * 10 + 10)
        #expect(observations.count == 3 * lines + 2)
    }

    @Test("REQ-12b: what fhir.resources or the profiles refuse is told from what they take")
    func refused() async throws {
        try await Samples.checkSpoiled(
            "fhir", try Samples.fhir([Samples.heartRates([61], zone: "-03:30")]),
            [
                (#""status":"final""#, #""status":"done""#), (#""status":"final","#, ""),
                (#""code":"/min""#, #""code":"/s""#), (#""code":"vital-signs""#, #""code":"exam""#),
                (#""code":"8867-4""#, #""code":"8310-5""#), (#""subject":"#, #""person":"#),
                (#""value":61,"#, #""value":"61 bpm","#), (#""value":61,"#, ""), ("-03:30", ""),
                ("StructureDefinition/heartrate", "StructureDefinition/bp"), (#""id":""#, #""id":"_"#),
            ])
        let panel = try Samples.fhir([
            Samples.pressures(.bloodPressureSystolic, [120]), Samples.pressures(.bloodPressureDiastolic, [80]),
        ])
        try await Samples.checkSpoiled(
            "fhir", panel,
            [
                (#""code":"mm[Hg]""#, #""code":"mmHg""#), (#""code":"8480-6""#, #""code":"8462-4""#),
                (#""component":"#, #""hasMember":"#),
            ])
    }

    @Test("REQ-12b: a reading without contact is an Observation without value, and so is an implausible one")
    func noContact() throws {
        var series = Samples.heartRates([61, 0, 0, 400, .nan])
        series.contact = [false, true, false, true, true]
        let observations = try Samples.parsed(try Samples.fhir([series, Samples.heartRates([0])]))
        #expect(
            observations.map { $0["valueQuantity"]?["value"]?.double } == [nil, 0, nil, nil, nil, nil])
        let reasons = observations.map { $0["dataAbsentReason"]?["coding"]?.items.first?["code"]?.text }
        #expect(reasons == ["error", nil, "error", "error", "error", "error"])
    }

    // MARK: Blood pressure

    /// The pressures of each panel, with the reason where there is none.
    private func panels(_ lines: [UInt8]) throws -> [String] {
        try Samples.parsed(String(decoding: lines, as: UTF8.self)).map { panel in
            #expect(panel["code"]?["coding"]?.items.first?["code"]?.text == "85354-9")
            let parts = try #require(panel["component"]).items.map { part in
                part["valueQuantity"]?["value"]?.double?.description
                    ?? part["dataAbsentReason"]?["coding"]?.items.first?["code"]?.text ?? "nothing"
            }
            return parts.joined(separator: "/")
        }
    }

    @Test("REQ-12b: pressures of one time are one panel, whichever comes first, now or in a later piece of the file")
    func pairs() throws {
        var observations = FHIRObservations(of: Samples.request, subject: Samples.subject)
        let systolic = Samples.pressures(.bloodPressureSystolic, [120, 121, 122])
        let diastolic = Samples.pressures(.bloodPressureDiastolic, [80, 81])
        #expect(try panels(observations.lines(of: [systolic, diastolic])) == ["120.0/80.0", "121.0/81.0"])
        let later = Samples.pressures(.bloodPressureDiastolic, [82, 83], at: Samples.start + .seconds(120))
        #expect(try panels(observations.lines(of: [later])) == ["122.0/82.0"])
        #expect(try panels(observations.finish()) == ["unknown/83.0"])
        #expect(observations.finish().isEmpty)
    }

    @Test("REQ-12b: pressures of several sources at one time pair in their order; other periods are other pressures")
    func sources() throws {
        var observations = FHIRObservations(of: Samples.request, subject: Samples.subject)
        let same = (
            Samples.pressures(.bloodPressureSystolic, [120, 130], every: 0),
            Samples.pressures(.bloodPressureDiastolic, [80, 90], every: 0)
        )
        var hourly = Samples.pressures(.bloodPressureDiastolic, [70])
        hourly.durations = [3_600_000]
        #expect(try panels(observations.lines(of: [same.0, hourly, same.1])) == ["120.0/80.0", "130.0/90.0"])
        var contact = Samples.pressures(.bloodPressureSystolic, [120])
        contact.contact = [false]
        #expect(try panels(observations.lines(of: [contact, same.1])) == ["error/80.0"])
        #expect(try panels(observations.finish()) == ["unknown/90.0", "unknown/70.0"])
    }

    @Test("REQ-12b: the pressures that wait for their other half are bounded; those beyond are written alone")
    func waiting() throws {
        var observations = FHIRObservations(of: Samples.request, subject: Samples.subject, waitingMax: 3)
        let many = Samples.pressures(.bloodPressureSystolic, [120, 121, 122])
        #expect(try observations.lines(of: [many]).isEmpty)
        let one = Samples.pressures(.bloodPressureDiastolic, [80])
        #expect(try panels(observations.lines(of: [one])) == ["120.0/80.0"])
        let more = Samples.pressures(.bloodPressureSystolic, [130, 131, 132], at: Samples.start - .seconds(120))
        #expect(
            try panels(observations.lines(of: [more])) == [
                "130.0/unknown", "131.0/unknown", "121.0/unknown", "122.0/unknown",
            ])
        #expect(try panels(observations.finish()) == ["132.0/unknown"])
    }

    // MARK: Times, units and identifiers

    @Test(
        "REQ-12b: an interval is a period, a value that stands for its samples says how, and no zone or a strange one is UTC"
    )
    func times() throws {
        var steps = SampleSeries(
            type: .steps, start: Samples.start, offsets: [0, 60_000], durations: [60_000, 0],
            zoneOffset: ZoneOffset("+01:00"), values: [100, 12])
        let local = try Samples.parsed(try Samples.fhir([steps], as: .sum))
        #expect(local[0]["effectivePeriod"]?["start"]?.text == "2026-03-29T00:30:00+01:00")
        #expect(local[0]["effectivePeriod"]?["end"]?.text == "2026-03-29T00:31:00+01:00")
        #expect(local[1]["effectiveDateTime"]?.text == "2026-03-29T00:31:00+01:00")
        #expect(local.allSatisfy { $0["method"]?["coding"]?.items.first?["code"]?.text == "sum" })
        for zone in [nil, ZoneOffset("Z"), ZoneOffset("+14:01")] {
            steps.zoneOffset = zone
            let utc = try Samples.parsed(try Samples.fhir([steps]))
            #expect(utc[1]["effectiveDateTime"]?.text == "2026-03-28T23:31:00Z")
            #expect(utc[1]["method"] == nil)
        }
    }

    @Test("REQ-12b: values come in the unit of their profile, whatever the unit of the series")
    func units() throws {
        var series = SampleSeries(
            type: .bodyTemperature, unit: "[degF]", start: Samples.start, offsets: [0], values: [98.6])
        let quantity = try Samples.parsed(try Samples.fhir([series]))[0]["valueQuantity"]
        #expect(quantity?["value"]?.double == 37 && quantity?["code"]?.text == "Cel")
        series.unit = "kg"
        #expect(throws: UnitError.unknown(.bodyTemperature, "kg")) { try Samples.fhir([series]) }
        #expect(throws: UnitError.unknown(.bodyTemperature, "kg")) { try Samples.openMHealth([series]) }
    }

    @Test("REQ-12b: an activity is a code and its place a component; positions are left out")
    func activities() throws {
        let activities = [Activity(.strengthTraining, .indoor), Activity(.cycling)]
        let series = SampleSeries(
            type: .activity, start: Samples.start, offsets: [0, 1], values: activities.map(\.value))
        let position = SampleSeries(
            type: .position, start: Samples.start, offsets: [0], latitudes: [45], longitudes: [9])
        let observations = try Samples.parsed(try Samples.fhir([series, position]))
        #expect(
            observations.map { $0["valueCodeableConcept"]?["coding"]?.items.first?["code"]?.text } == [
                "strength-training", "cycling",
            ])
        let places = observations.map {
            $0["component"]?.items.first?["valueCodeableConcept"]?["coding"]?.items.first?["code"]?.text
        }
        #expect(places == ["indoor", nil])
    }

    @Test("REQ-12b: the same samples have the same identifiers in every file, others have others")
    func identifiers() throws {
        func ids(_ series: [SampleSeries], of request: UUID = Samples.request) throws -> [String] {
            try Samples.parsed(try Samples.fhir(series, of: request)).map { try #require($0["id"]?.text) }
        }
        let series = Samples.heartRates([61, 62, 63])
        let all = try ids([series])
        #expect(Set(all).count == 3)
        // However they are cut into pieces.
        let part = Samples.heartRates([62, 63], at: series.time(1), zone: "+02:00")
        #expect(try ids([part]) == Array(all.dropFirst()))
        #expect(Set(try ids([series], of: UUID(high: 1, low: 2))).isDisjoint(with: all))
        #expect(Set(try ids([Samples.heartRates([60, 60, 60])])).isDisjoint(with: all))
        let systolic = Samples.pressures(.bloodPressureSystolic, [120])
        let diastolic = Samples.pressures(.bloodPressureDiastolic, [120])
        let pressures = try ids([systolic]) + ids([diastolic]) + ids([systolic, diastolic])
        #expect(Set(pressures).count == 3)
        #expect(try ids([systolic, diastolic]) == ids([diastolic, systolic]))
    }
}
