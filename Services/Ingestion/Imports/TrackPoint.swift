/// The common part of GPX and TCX: a point of a track with a time, perhaps a position, perhaps a heart rate.
struct TrackPoint {
    /// Where it begins in the file, from 1.
    let line: Int
    var span = ImportCollector.Span(isGiven: false)
    var latitude: Double?
    var longitude: Double?
    var hasPosition = false
    var altitude: Double?
    var heartRate: Double?
    var hasHeartRate = false

    init(line: Int) {
        self.line = line
    }
}
