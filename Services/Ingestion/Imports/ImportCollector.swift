import Domain
import Primitives

/// Collects samples and the reasons for those that are not taken.
struct ImportCollector {
    let clock: SampleClock
    private(set) var batch = ImportBatch()
    var report = ImportReport()

    init(clock: SampleClock) {
        self.clock = clock
    }

    /// The samples collected since the last call.
    mutating func takeBatch() -> ImportBatch {
        let result = batch
        batch = ImportBatch()
        return result
    }

    mutating func add(_ point: TrackPoint) {
        if point.hasPosition { addPosition(of: point) }
        if point.hasHeartRate {
            add(.heartRate, point.heartRate, at: point.time, hasTime: point.hasTime, line: point.line)
        }
    }

    /// A value with a time, either of which may be missing or unreadable (`nil`).
    mutating func add(_ type: DataType, _ value: Double?, at time: Timestamp?, hasTime: Bool, line: Int) {
        guard let time = checked(time, hasTime, type, line) else { return }
        guard let value else { return report.skip(type, reason: "no-number", explanation: Self.noNumber, line: line) }
        do {
            let sample = try Measurement(type: type, time: time, value: value, unit: nil, clock: clock)
            batch.measurements.append(sample)
            report.take(type)
        } catch {
            report.skip(type, reason: error.reason, explanation: error.description, line: line)
        }
    }

    private mutating func addPosition(of point: TrackPoint) {
        guard let time = checked(point.time, point.hasTime, .position, point.line) else { return }
        guard let latitude = point.latitude, let longitude = point.longitude else {
            return report.skip(.position, reason: "no-number", explanation: Self.noNumber, line: point.line)
        }
        do {
            // A wrong altitude, which barometers are known for, does not make the position wrong.
            let altitude = point.altitude.flatMap { (-500...12_000).contains($0) ? $0 : nil }
            let fix = try PositionFix(
                time: time, latitude: latitude, longitude: longitude, altitude: altitude, clock: clock)
            batch.positions.append(fix)
            report.take(.position)
        } catch {
            report.skip(.position, reason: error.reason, explanation: error.description, line: point.line)
        }
    }

    private mutating func checked(_ time: Timestamp?, _ hasTime: Bool, _ type: DataType, _ line: Int) -> Timestamp? {
        if time == nil {
            report.skip(
                type, reason: hasTime ? "time-form" : "no-time",
                explanation: hasTime ? "The time is not of the form 2026-01-31T12:00:00Z." : "There is no time.",
                line: line)
        }
        return time
    }

    private static let noNumber = "The value is missing, or is not a number."
}
