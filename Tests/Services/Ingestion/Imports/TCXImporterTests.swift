import Domain
import Testing

@testable import Ingestion

@Suite struct TCXImporterTests {
    static let document = """
        <?xml version="1.0" encoding="UTF-8" ?>
        <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
        <Activities><Activity Sport="Running"><Id>2021-03-21T09:11:19Z</Id>
        <Lap StartTime="2021-03-21T09:11:19Z"><TotalTimeSeconds>423.5</TotalTimeSeconds>
        <DistanceMeters>1000.0979</DistanceMeters><Calories>76</Calories>
        <AverageHeartRateBpm><Value>125</Value></AverageHeartRateBpm>
        <Track>
        <Trackpoint><Time>2021-03-21T09:11:21Z</Time>
        <Position><LatitudeDegrees>-8.364486</LatitudeDegrees><LongitudeDegrees>-36.577568</LongitudeDegrees></Position>
        <AltitudeMeters>668.801819</AltitudeMeters><DistanceMeters>0.0</DistanceMeters></Trackpoint>
        <Trackpoint><Time>2021-03-21T09:11:28Z</Time><DistanceMeters>5.749573</DistanceMeters>
        <HeartRateBpm><Value>120</Value></HeartRateBpm>
        <Extensions><TPX xmlns="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Speed>1.5</Speed></TPX></Extensions>
        </Trackpoint>
        <Trackpoint><Time>2021-03-21T09:11:31Z</Time><DistanceMeters>11.615299</DistanceMeters>
        <HeartRateBpm><Value>x</Value></HeartRateBpm></Trackpoint>
        <Trackpoint><HeartRateBpm><Value>121</Value></HeartRateBpm></Trackpoint>
        </Track></Lap>
        <Lap><Calories>80</Calories><Track/></Lap>
        </Activity>
        <Activity Sport="Biking"><Lap StartTime="2021-03-21T10:00:00Z"><Track>
        <Trackpoint><Time>2021-03-21T10:00:01Z</Time><DistanceMeters>15</DistanceMeters></Trackpoint>
        </Track></Lap></Activity></Activities>
        </TrainingCenterDatabase>
        """

    @Test("ING-04ch: positions, heart rates, distances between points and energy of laps, and a report")
    func reads() {
        let (batch, report) = imported(Self.document, by: TCXImporter(clock: testClock))
        #expect(report.failure == nil)
        #expect(batch.positions.map(\.coordinate.latitude) == [-8.364486])
        #expect(batch.positions.map(\.altitude) == [668.801819])
        let measured = batch.measurements.map {
            "\($0.type) \($0.time) \($0.value)\($0.duration > .zero ? " \($0.duration)" : "")"
        }
        #expect(
            measured == [
                "heart-rate 2021-03-21T09:11:28Z 120.0", "distance 2021-03-21T09:11:21Z 5.7 7.0 seconds",
                "distance 2021-03-21T09:11:28Z 5.9 3.0 seconds", "activity 2021-03-21T09:11:19Z 6.0 423.5 seconds",
                "active-energy 2021-03-21T09:11:19Z 76.0 423.5 seconds",
            ])
        #expect(
            report.skips == [
                "heart-rate no-number 1 [\"15\"]", "heart-rate no-time 1 [\"17\"]", "active-energy no-time 1 [\"19\"]",
                "distance not-on-foot 1 [\"22\"]",
            ])
        #expect(report.taken == [.position: 1, .heartRate: 1, .distance: 2, .activity: 1, .activeEnergy: 1])
    }

    @Test("ING-04ch: a point without an end costs neither its own lap nor the next")
    func missingEnd() {
        let whole = imported(Self.document, by: TCXImporter(clock: testClock))
        let text = Self.document.replacing(
            "<Value>121</Value></HeartRateBpm></Trackpoint>", with: "<Value>121</Value></HeartRateBpm>")
        let (batch, report) = imported(text, by: TCXImporter(clock: testClock))
        #expect(batch == whole.batch && report.failure == nil)
        #expect(report.skips.contains("- malformed-end 1 [\"18\"]"))
    }

    @Test("ING-04ch: what was covered up to a point without a readable time is in the distance of the next")
    func unreadableTime() {
        let text = Self.document.replacing("<Time>2021-03-21T09:11:28Z</Time>", with: "<Time>then</Time>")
        let (batch, report) = imported(text, by: TCXImporter(clock: testClock))
        #expect(batch.measurements.filter { $0.type == .distance }.map(\.value) == [11.6])
        #expect(report.skips.contains("heart-rate time-form 1 [\"11\"]"))
    }

    @Test("ING-04: a document split anywhere gives the same result")
    func splits() {
        let bytes = Array(Self.document.utf8)
        let whole = imported(bytes, by: TCXImporter(clock: testClock))
        for position in 1..<bytes.count {
            let importer = TCXImporter(clock: testClock)
            var batch = importer.consume(Array(bytes[..<position]))
            batch.append(importer.consume(Array(bytes[position...])))
            batch.append(importer.finish())
            #expect(batch == whole.batch && importer.report == whole.report)
        }
    }

    @Test("ING-04: another kind of document is refused")
    func otherFormat() {
        #expect(imported("<gpx/>", by: TCXImporter(clock: testClock)).report.failure?.place == .line(1))
    }
}
