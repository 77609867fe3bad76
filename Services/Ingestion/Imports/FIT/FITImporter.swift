import Domain
import Primitives

/// FIT files of watches, bicycle computers, scales and cuffs: recorded points, sessions and laps, monitoring of whole days, sleep,
/// stress, saturation, respiration, weight, blood pressure. Courses and workouts are plans, and are passed over.
final class FITImporter: FileImporter, FITHandler {
    private(set) lazy var reader = FITReader(handler: self)
    var collector: ImportCollector
    /// Samples that wait for the message that tells the zone, which may come last in the file of an activity. So many sessions,
    /// laps and distances wait for each other, too.
    static let heldMax = 200_000
    /// Sessions that are kept for distances when there are more of those than may wait.
    private static let sessionsMax = 1000

    /// What may be given out.
    private var released = ImportBatch()
    private var held = 0
    var file = FITFile()

    init(clock: SampleClock) {
        collector = ImportCollector(clock: clock)
    }

    var report: ImportReport { collector.report }

    func consume(_ chunk: UnsafeRawBufferPointer, _ give: (ImportBatch) -> Void) {
        reader.read(chunk)
        giveReleased(give)
    }

    func finish(_ give: (ImportBatch) -> Void) {
        reader.finish()
        release(zone: nil)
        giveReleased(give)
    }

    private func giveReleased(_ give: (ImportBatch) -> Void) {
        give(released)
        released = ImportBatch()
    }

    /// Gives out what was held, where no zone is known of a sample with this one.
    func release(zone: ZoneOffset?) {
        let batch = collector.takeBatch()
        released.append(zone.map { batch.settingZone($0) } ?? batch)
        held = 0
    }

    func met(_ fault: FITFault, at byte: Int) {
        switch fault {
        case .truncated: collector.report.fail(at: .byte(byte), .truncated, fault.explanation)
        case .header: collector.report.fail(at: .byte(byte), .damaged, fault.explanation)
        case .checksum, .undefined:
            collector.report.skip(
                nil, reason: "malformed-\(fault.rawValue)", explanation: fault.explanation, at: .byte(byte))
        }
    }

    func endedFile() {
        finishActivity()
        release(zone: file.zone)
        file = FITFile()
        collector.use(source: nil)
    }

    func read(_ message: FITMessage) {
        switch message.global {
        case 0: readFileID(message)
        case 20: readRecord(message)
        case 18, 19: readSection(message)
        case 34: readActivity(message)
        default: readHealth(message)
        }
        held += 1
        if held >= Self.heldMax { release(zone: file.zone) }
        if file.sessions.count + file.laps.count + file.distances.count > Self.heldMax {
            finishActivity()
            if file.sessions.count > Self.sessionsMax { file.forgetSessions() }
        }
    }

    // MARK: Parts of a file

    private func readFileID(_ message: FITMessage) {
        let type = message.integer(0)
        // Workouts and courses.
        file.isPlan = type == 5 || type == 6
        let maker = message.integer(1).flatMap { Self.makers[$0] }
        let product = message.text(8) ?? message.integer(2).map { "\($0)" }
        collector.use(source: maker.map { maker in product.map { "\(maker) \($0)" } ?? maker } ?? message.text(8))
    }

    /// Those of the profile's list that make what people wear.
    private static let makers: [Int64: String] = [
        1: "Garmin", 2: "Garmin", 15: "Garmin", 19: "Beurer", 23: "Suunto", 32: "Wahoo", 40: "Concept2", 41: "Shimano",
        51: "4iiii", 63: "Specialized", 70: "Sigma Sport", 71: "TomTom", 107: "Magene", 123: "Polar",
        255: "Development", 260: "Zwift", 265: "Strava", 267: "Bryton", 289: "Hammerhead", 294: "Coros", 309: "FORM",
        326: "Nike", 331: "MyWhoosh",
    ]

    private func readActivity(_ message: FITMessage) {
        if let zone = FITFile.zone(local: message.time(5), at: message.time) { file.zone = zone }
        release(zone: file.zone)
    }

    /// A time of the file as a span. Below 0x1000_0000 it counts from when the device was switched on, which is none.
    func span(_ time: UInt32?) -> ImportCollector.Span {
        let time = time.flatMap(FITFile.timestamp)
        return .init(time, zone: file.zone, isGiven: time != nil)
    }
}

extension ImportBatch {
    /// With this zone where none is known.
    func settingZone(_ zone: ZoneOffset) -> ImportBatch {
        var result = ImportBatch()
        for group in groups {
            let index = result.group(of: group.source)
            for sample in group.measurements {
                result.append(
                    sample.zoneOffset != nil
                        ? sample
                        : Measurement(
                            type: sample.type, time: sample.time, duration: sample.duration, value: sample.value,
                            zoneOffset: zone), to: index)
            }
            for fix in group.positions {
                result.append(
                    fix.zoneOffset != nil
                        ? fix
                        : PositionFix(
                            time: fix.time, coordinate: fix.coordinate, altitude: fix.altitude, accuracy: fix.accuracy,
                            zoneOffset: zone), to: index)
            }
        }
        return result
    }
}
