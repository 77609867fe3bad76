import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite struct AppleHealthImporterTests {
    static let document = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 13 -->
        <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
        ]>
        <HealthData locale="it_IT">
         <ExportDate value="2026-11-19 20:00:00 +0100"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1960-01-01"/>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Anna&apos;s Apple&#xA0;Watch" sourceVersion="10.1" device="&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch&gt;" unit="count/min" creationDate="2026-07-01 08:00:05 +0200" startDate="2026-07-01 08:00:00 +0200" endDate="2026-07-01 08:00:00 +0200" value="61.5">
          <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
         </Record>
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="iPhone" unit="count" startDate="2026-07-01 08:00:00 +0200" endDate="2026-07-01 08:05:00 +0200" value="412"/>
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Anna&apos;s Apple&#xA0;Watch" unit="count" startDate="2026-07-01 08:01:00 +0200" endDate="2026-07-01 08:04:00 +0200" value="398"/>
         <Record type="HKQuantityTypeIdentifierDistanceWalkingRunning" sourceName="iPhone" unit="km" startDate="2026-07-01 08:00:00 +0200" endDate="2026-07-01 08:05:00 +0200" value="0.31245"/>
         <Record type="HKQuantityTypeIdentifierOxygenSaturation" sourceName="iPhone" unit="%" startDate="2026-07-01 03:00:00 +0200" endDate="2026-07-01 03:00:00 +0200" value="0.97"/>
         <Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" unit="lb" startDate="2026-07-01 07:00:00 +0200" endDate="2026-07-01 07:00:00 +0200" value="150"/>
         <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="iPhone" unit="mmol&lt;180.1558800000541&gt;/L" startDate="2026-07-01 07:00:00 +0200" endDate="2026-07-01 07:00:00 +0200" value="5"/>
         <Record type="HKQuantityTypeIdentifierActiveEnergyBurned" sourceName="iPhone" unit="kJ" startDate="2026-07-01 07:00:00 -0330" endDate="2026-07-01 07:10:00 -0330" value="41.84"/>
         <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" startDate="2026-07-01 09:00:00 +0200" endDate="2026-07-01 09:00:00 +0200" value="120"/>
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="iPhone" startDate="2026-06-30 23:00:00 +0200" endDate="2026-07-01 06:30:00 +0200" value="HKCategoryValueSleepAnalysisAsleepCore"/>
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="iPhone" startDate="2026-06-30 22:30:00 +0200" endDate="2026-07-01 06:40:00 +0200" value="HKCategoryValueSleepAnalysisInBed"/>
         <Record type="HKCategoryTypeIdentifierAppleStandHour" sourceName="iPhone" startDate="2026-07-01 09:00:00 +0200" endDate="2026-07-01 10:00:00 +0200" value="HKCategoryValueAppleStandHourStood"/>
         <Record type="HKCategoryTypeIdentifierAppleStandHour" sourceName="iPhone" startDate="2026-07-01 10:00:00 +0200" endDate="2026-07-01 11:00:00 +0200" value="HKCategoryValueAppleStandHourIdle"/>
         <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Cuff" startDate="2026-07-01 09:00:00 +0200" endDate="2026-07-01 09:00:00 +0200">
          <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Cuff" unit="mmHg" startDate="2026-07-01 09:00:00 +0200" endDate="2026-07-01 09:00:00 +0200" value="120"/>
          <Record type="HKQuantityTypeIdentifierBloodPressureDiastolic" sourceName="Cuff" unit="mmHg" startDate="2026-07-01 09:00:00 +0200" endDate="2026-07-01 09:00:00 +0200" value="80"/>
         </Correlation>
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" sourceName="iPhone" startDate="2026-07-01 18:00:00 +0200" endDate="2026-07-01 18:30:00 +0200">
          <MetadataEntry key="HKIndoorWorkout" value="0"/>
          <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" startDate="2026-07-01 18:00:00 +0200" endDate="2026-07-01 18:30:00 +0200" average="150" unit="count/min"/>
         </Workout>
         <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="iPhone" unit="ms" startDate="2026-07-01 08:00:00 +0200" endDate="2026-07-01 08:00:00 +0200" value="50"/>
         <Record type="HKQuantityTypeIdentifierHeight" sourceName="iPhone" unit="furlong" startDate="2026-07-01 08:00:00 +0200" endDate="2026-07-01 08:00:00 +0200" value="1"/>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="iPhone" unit="count/min" startDate="2026-07-01 08:00:00 +0200" endDate="2026-07-01 07:00:00 +0200" value="60"/>
         <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="iPhone" unit="count/min" startDate="1.7.2026" value="60"/>
         <ActivitySummary dateComponents="2026-07-01" activeEnergyBurned="300"/>
        </HealthData>
        """

    private func read(_ text: String) -> (batch: ImportBatch, report: ImportReport) {
        imported(text, by: AppleHealthImporter(clock: testClock))
    }

    private func lines(_ group: ImportBatch.Group?) -> [String] {
        (group?.measurements ?? []).map {
            "\($0.type) \($0.time) \($0.duration.components.seconds) \($0.zoneOffset?.description ?? "-") \($0.value)"
        }
    }

    @Test("ING-04a: records with units, intervals and zones; sleep, stand hours, workouts; each source by its name")
    func reads() {
        let (batch, report) = read(Self.document)
        #expect(report.failure == nil)
        #expect(batch.groups.map(\.source) == ["Anna's Apple Watch", "iPhone", "Scale", "Cuff"])
        #expect(
            lines(batch.groups.first) == [
                "heart-rate 2026-07-01T06:00:00Z 0 +02:00 61.5", "steps 2026-07-01T06:01:00Z 180 +02:00 398.0",
            ])
        #expect(
            lines(batch.groups.dropFirst().first) == [
                "steps 2026-07-01T06:00:00Z 300 +02:00 412.0", "distance 2026-07-01T06:00:00Z 300 +02:00 312.45",
                "oxygen-saturation 2026-07-01T01:00:00Z 0 +02:00 97.0",
                "glucose 2026-07-01T05:00:00Z 0 +02:00 90.078",
                "active-energy 2026-07-01T10:30:00Z 600 -03:30 10.0",
                "sleep 2026-06-30T21:00:00Z 27000 +02:00 450.0", "stand-hours 2026-07-01T07:00:00Z 3600 +02:00 1.0",
                "stand-hours 2026-07-01T08:00:00Z 3600 +02:00 0.0",
                "activity 2026-07-01T16:00:00Z 1800 +02:00 \(Activity(.running, .outdoor).value)",
            ])
        #expect(batch.groups[2].measurements.map { DataType.weight.scaled($0.value) } == [6804])
        #expect(
            lines(batch.groups.last) == [
                "blood-pressure-systolic 2026-07-01T07:00:00Z 0 +02:00 120.0",
                "blood-pressure-diastolic 2026-07-01T07:00:00Z 0 +02:00 80.0",
            ])
    }

    @Test("ING-04ah: the report tells what was doubled and what was skipped, why and where")
    func report() {
        let report = read(Self.document).report
        #expect(report.doubled == [.bloodPressureSystolic: 1])
        #expect(
            report.skips == [
                "sleep not-asleep 1 [\"21\"]", "- not-collected-heart-rate-variability-sdnn 1 [\"32\"]",
                "height unit 1 [\"33\"]", "heart-rate duration 1 [\"34\"]", "heart-rate time-form 1 [\"35\"]",
                "- not-collected-activity-summary 1 [\"36\"]",
            ])
    }

    @Test("ING-04ah: of an export that is broken in places all that is good is taken")
    func broken() {
        let good = read(Self.document).batch
        let text = Self.document
            .replacing("<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>", with: "<!ATTLIST HealthData (>>")
            .replacing(" <Me ", with: " <Record type=\"HKQuantityTypeIdentifierHeartRate\" unit=\"count/mi\n <Me ")
            .replacing(" <ActivitySummary", with: " \u{B}&\u{0} </Workout>\n <ActivitySummary")
        let (batch, report) = read(text)
        #expect(batch == good && report.failure == nil)
        #expect(
            report.skips.contains("- malformed-tag 1 [\"8\"]") && report.skips.contains("- malformed-end 1 [\"37\"]"))
        let cut = read(String(Self.document.prefix(upTo: Self.document.firstRange(of: "<Correlation")!.lowerBound)))
        #expect(cut.batch.groups.count == 4 && cut.report.failure?.place == .line(24))
    }

    @Test("ING-04ah: a name of any length or kind makes a report that can be kept and shown")
    func unusualNames() {
        let name = String(repeating: "\u{1}", count: 200_000)
        let report = read("<HealthData><Record type=\"\(name)\" value=\"1\"/></HealthData>").report
        #expect(report.skips == ["- not-collected-unknown 1 [\"1\"]"])
        #expect(report.skipped.map(\.explanation) == ["A type with an unusual name is not collected."])
    }

    @Test("ING-04a: a document split anywhere gives the same result")
    func splits() {
        let bytes = Array(Self.document.utf8)
        let whole = imported(bytes, by: AppleHealthImporter(clock: testClock))
        for length in [1, 7, 64, 1000] {
            let pieces = imported(bytes, by: AppleHealthImporter(clock: testClock), pieceBytes: length)
            #expect(pieces.batch == whole.batch && pieces.report == whole.report)
        }
    }
}
