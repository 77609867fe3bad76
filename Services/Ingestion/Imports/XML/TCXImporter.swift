import Domain
import Primitives

/// Garmin's Training Center Database, version 2: the track points of all activities with position, altitude and heart rate; of
/// runs and walks the distance from point to point; of laps the activity and the energy.
final class TCXImporter: XMLImporter {
    private(set) lazy var scanner = XMLScanner(handler: self)
    var collector: ImportCollector
    private var isStarted = false
    private var point: TrackPoint?
    private var isInHeartRate = false
    private var lap: Lap?
    private var distance: Double?
    /// What the track points of this activity say was covered so far, in the steps of the data type, and when.
    private var covered: (distance: Int64, time: Timestamp?) = (0, nil)
    private var kind = Activity.Kind.other

    private struct Lap {
        let line: Int
        var start: ImportText.Time?
        var seconds: Double?
        var calories: Double?
        var hasCalories = false
    }

    init(clock: SampleClock) {
        collector = ImportCollector(clock: clock)
    }

    func began(_ element: XMLName, attributes: XMLAttributes, line: Int) throws(XMLError) -> Bool {
        guard isStarted else {
            guard "TrainingCenterDatabase" ~= element else { throw .otherFormat(line: line, expected: "TCX") }
            isStarted = true
            return false
        }
        switch element {
        case "Activity":
            finishPoint()
            finishLap()
            kind = attributes["Sport"].map(Self.kind) ?? .other
            covered = (0, nil)
            return false
        case "Lap":
            finishPoint()
            finishLap()
            lap = Lap(line: line, start: attributes["StartTime"].flatMap(ImportText.time))
            return false
        case "Track":
            finishPoint()
            return false
        case "Trackpoint":
            finishPoint()
            point = TrackPoint(line: line)
            distance = nil
            return false
        case "Position":
            point?.hasPosition = true
            return false
        case "HeartRateBpm":
            isInHeartRate = point != nil
            point?.hasHeartRate = true
            return false
        case "Time", "LatitudeDegrees", "LongitudeDegrees", "AltitudeMeters", "DistanceMeters": return point != nil
        case "Value": return isInHeartRate
        case "TotalTimeSeconds", "Calories": return lap != nil
        default: return false
        }
    }

    private static func kind(_ sport: UnsafeBufferPointer<UInt8>) -> Activity.Kind {
        switch String(decoding: sport, as: UTF8.self) {
        case "Running": .running
        case "Walking": .walking
        case "Biking": .cycling
        default: .other
        }
    }

    func neverNests(_ element: XMLName) -> Bool {
        switch element {
        case "Activity", "Lap", "Track", "Trackpoint", "Position", "HeartRateBpm", "Time", "LatitudeDegrees",
            "LongitudeDegrees", "AltitudeMeters", "DistanceMeters", "Value", "TotalTimeSeconds", "Calories":
            true
        default: false
        }
    }

    func ended(_ element: XMLName, text: UnsafeBufferPointer<UInt8>) {
        switch element {
        case "Track", "Lap", "Activity": finishPoint()
        default: break
        }
        if point != nil {
            endedInPoint(element, text)
        } else if lap != nil {
            endedInLap(element, text)
        }
    }

    private func endedInPoint(_ element: XMLName, _ text: UnsafeBufferPointer<UInt8>) {
        switch element {
        case "Time": point?.span = .init(text: text)
        case "LatitudeDegrees": point?.latitude = ImportText.number(text)
        case "LongitudeDegrees": point?.longitude = ImportText.number(text)
        case "AltitudeMeters": point?.altitude = ImportText.number(text)
        case "DistanceMeters": distance = ImportText.number(text)
        case "Value" where isInHeartRate: point?.heartRate = ImportText.number(text)
        case "HeartRateBpm": isInHeartRate = false
        case "Trackpoint": finishPoint()
        default: break
        }
    }

    /// At the end of a point; or, where that is missing, where what holds points begins or ends.
    private func finishPoint() {
        guard let point else { return }
        self.point = nil
        isInHeartRate = false
        collector.add(point)
        addDistance(at: point)
    }

    /// The file gives the distance since the start; each sample is the increase since the point before, so that they add up to
    /// the whole. What a point without a time has covered is in the increase of the next.
    private func addDistance(at point: TrackPoint) {
        guard let distance, DataType.distance.plausible.contains(distance), point.span.time != nil else { return }
        guard kind == .running || kind == .walking else {
            return collector.report.skip(
                .distance, reason: "not-on-foot", explanation: "Only distances walked or run are collected.",
                at: .line(point.line))
        }
        let sum = DataType.distance.scaled(distance)
        let before = covered
        covered = (sum, point.span.time)
        guard sum > before.distance else { return }
        collector.add(
            .distance, DataType.distance.value(scaled: sum - before.distance), point.span.since(before.time),
            at: .line(point.line))
    }

    private func endedInLap(_ element: XMLName, _ text: UnsafeBufferPointer<UInt8>) {
        switch element {
        case "TotalTimeSeconds": lap?.seconds = ImportText.number(text)
        case "Calories":
            lap?.hasCalories = true
            lap?.calories = ImportText.number(text)
        case "Lap", "Activity": finishLap()
        default: break
        }
    }

    private func finishLap() {
        if let lap { add(lap) }
        lap = nil
    }

    private func add(_ lap: Lap) {
        let duration = lap.seconds.flatMap { (0...1e6).contains($0) ? Duration.milliseconds(Int64($0 * 1000)) : nil }
        guard let duration else {
            if lap.hasCalories {
                collector.add(.activeEnergy, lap.calories, .init(isGiven: false), at: .line(lap.line))
            }
            return
        }
        let span = ImportCollector.Span(
            lap.start?.time, duration: duration, zone: lap.start?.zone, isGiven: lap.start != nil)
        collector.add(.activity, Activity(kind).value, span, at: .line(lap.line))
        if lap.hasCalories { collector.add(.activeEnergy, lap.calories, span, at: .line(lap.line)) }
    }
}
