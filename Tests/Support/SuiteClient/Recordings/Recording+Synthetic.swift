public import Domain
public import Primitives

extension Recording {
    /// A run along gentle curves, one point every two seconds, with a heart rate that rises.
    public static func synthetic(
        from origin: Coordinate, start: Timestamp, count: Int = 600, seed: UInt64 = 1
    ) throws(SuiteError) -> Recording {
        var generator = SeededGenerator(seed: seed)
        var bearing = generator.value(in: 0...360)
        var coordinate = origin
        var points: [RecordedPoint] = []
        for index in 0..<count {
            let effort = min(1, Double(index) / 120)
            points.append(
                RecordedPoint(
                    time: start + .seconds(2 * index), coordinate: coordinate,
                    heartRate: (95 + 60 * effort + 3 * generator.deviation()).rounded()))
            bearing += 2 * generator.deviation()
            coordinate = coordinate.moved(metres: generator.value(in: 5...6.5), bearing: bearing)
        }
        return try Recording(points)
    }

    /// GPX 1.1 with the heart rate in Garmin's extension.
    public var gpx: [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1" version="1.1" creator="TrackMe">
            <trk><trkseg>

            """
        for point in points {
            text += "<trkpt lat=\"\(point.coordinate.latitude)\" lon=\"\(point.coordinate.longitude)\">"
            text += "<time>\(point.time)</time>"
            if let rate = point.heartRate {
                text += "<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>\(Int(rate))</gpxtpx:hr>"
                text += "</gpxtpx:TrackPointExtension></extensions>"
            }
            text += "</trkpt>\n"
        }
        return Array((text + "</trkseg></trk></gpx>\n").utf8)
    }

    /// Training Center XML, version 2.
    public var tcx: [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
            <Activities><Activity Sport="Running"><Id>\(start)</Id><Lap StartTime="\(start)"><Track>

            """
        for point in points {
            text += "<Trackpoint><Time>\(point.time)</Time><Position>"
            text += "<LatitudeDegrees>\(point.coordinate.latitude)</LatitudeDegrees>"
            text += "<LongitudeDegrees>\(point.coordinate.longitude)</LongitudeDegrees></Position>"
            if let rate = point.heartRate { text += "<HeartRateBpm><Value>\(Int(rate))</Value></HeartRateBpm>" }
            text += "</Trackpoint>\n"
        }
        return Array((text + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>\n").utf8)
    }
}
