import Domain

/// GPX 1.0 and 1.1 (topografix.com/GPX): the points of all tracks and segments with position, altitude and, from Garmin's
/// TrackPointExtension and its like, heart rate. Waypoints and routes are plans, not measurements, and are passed over.
final class GPXImporter: XMLImporter {
    private(set) lazy var scanner = XMLScanner(handler: self)
    var collector: ImportCollector
    private var point: TrackPoint?
    private var isStarted = false

    init(clock: SampleClock) {
        collector = ImportCollector(clock: clock)
    }

    func began(_ element: XMLName, attributes: XMLAttributes, line: Int) throws(XMLError) -> Bool {
        guard isStarted else {
            guard "gpx" ~= element else { throw .otherFormat(line: line, expected: "GPX") }
            isStarted = true
            return false
        }
        switch element {
        case "trkpt":
            finishPoint()
            var point = TrackPoint(line: line)
            point.hasPosition = true
            point.latitude = attributes["lat"].flatMap(ImportText.number)
            point.longitude = attributes["lon"].flatMap(ImportText.number)
            self.point = point
            return false
        case "time", "ele", "hr", "heartrate": return point != nil
        case "cad", "atemp":
            if point != nil {
                let name = element.string
                collector.report.skip(
                    nil, reason: "not-collected-\(name)",
                    explanation: name == "cad" ? "Cadence is not collected." : "Air temperature is not collected.",
                    at: .line(line))
            }
            return false
        default: return false
        }
    }

    func ended(_ element: XMLName, text: UnsafeBufferPointer<UInt8>) {
        guard point != nil else { return }
        switch element {
        case "time" where point?.span.isGiven == false: point?.span = .init(text: text)
        case "ele": point?.altitude = ImportText.number(text)
        case "hr", "heartrate":
            point?.hasHeartRate = true
            point?.heartRate = ImportText.number(text)
        // The end of a segment or track is that of a point without an end, too.
        case "trkpt", "trkseg", "trk": finishPoint()
        default: break
        }
    }

    private func finishPoint() {
        if let point { collector.add(point) }
        point = nil
    }

    func neverNests(_ element: XMLName) -> Bool {
        switch element {
        case "trk", "trkseg", "trkpt", "time", "ele", "hr", "heartrate": true
        default: false
        }
    }
}
