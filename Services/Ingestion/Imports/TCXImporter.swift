import Domain
import Primitives

/// Garmin's Training Center Database, version 2: the track points of all activities with position, altitude and heart rate;
/// of runs and walks the distance between them; of laps the energy.
final class TCXImporter: XMLImporter {
    private(set) lazy var parser = XMLPushParser(handler: self)
    var collector: ImportCollector
    private var isStarted = false
    private var point: TrackPoint?
    private var isInHeartRate = false
    private var lap: Lap?
    private var distance: Double?
    /// What the track points of this activity say was covered so far, in the steps of the data type.
    private var distanceCovered: Int64 = 0
    private var isOnFoot = false

    private struct Lap {
        let line: Int
        var start: Timestamp?
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
            let sport = attributes["Sport"].map { String(decoding: $0, as: UTF8.self) }
            isOnFoot = sport == "Running" || sport == "Walking"
            distanceCovered = 0
            return false
        case "Lap":
            lap = Lap(line: line, start: attributes["StartTime"].flatMap(XMLText.time))
            return false
        case "Trackpoint":
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

    func ended(_ element: XMLName, text: UnsafeBufferPointer<UInt8>) {
        if point != nil {
            endedInPoint(element, text)
        } else if lap != nil {
            endedInLap(element, text)
        }
    }

    private func endedInPoint(_ element: XMLName, _ text: UnsafeBufferPointer<UInt8>) {
        switch element {
        case "Time":
            point?.hasTime = true
            point?.time = XMLText.time(text)
        case "LatitudeDegrees": point?.latitude = XMLText.number(text)
        case "LongitudeDegrees": point?.longitude = XMLText.number(text)
        case "AltitudeMeters": point?.altitude = XMLText.number(text)
        case "DistanceMeters": distance = XMLText.number(text)
        case "Value" where isInHeartRate: point?.heartRate = XMLText.number(text)
        case "HeartRateBpm": isInHeartRate = false
        case "Trackpoint":
            if let point {
                collector.add(point)
                addDistance(at: point)
            }
            point = nil
        default: break
        }
    }

    /// The file gives the distance since the start; each sample is the increase, so that they add up to the whole.
    private func addDistance(at point: TrackPoint) {
        guard let distance, DataType.distance.plausible.contains(distance) else { return }
        guard isOnFoot else {
            return collector.report.skip(
                .distance, reason: "not-on-foot", explanation: "Only distances walked or run are collected.",
                line: point.line)
        }
        let covered = DataType.distance.scaled(distance)
        let change = covered - distanceCovered
        distanceCovered = covered
        guard change > 0 else { return }
        collector.add(
            .distance, DataType.distance.value(scaled: change), at: point.time, hasTime: point.hasTime, line: point.line
        )
    }

    private func endedInLap(_ element: XMLName, _ text: UnsafeBufferPointer<UInt8>) {
        switch element {
        case "TotalTimeSeconds": lap?.seconds = XMLText.number(text)
        case "Calories":
            lap?.hasCalories = true
            lap?.calories = XMLText.number(text)
        case "Lap":
            if let lap, lap.hasCalories {
                let duration = lap.seconds.flatMap {
                    (0...1e6).contains($0) ? Duration.milliseconds(Int64($0 * 1000)) : nil
                }
                let end = lap.start.flatMap { start in duration.map { start + $0 } }
                collector.add(
                    .activeEnergy, lap.calories, at: end, hasTime: lap.start != nil && lap.seconds != nil,
                    line: lap.line)
            }
            lap = nil
        default: break
        }
    }
}
