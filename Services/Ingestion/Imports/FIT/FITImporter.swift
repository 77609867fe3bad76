import Domain
import Primitives

/// FIT files of watches, bicycle computers, scales and cuffs: recorded points, sessions and laps, monitoring of whole days, sleep,
/// stress, saturation, respiration, weight, blood pressure. Courses and workouts are plans, and are passed over.
final class FITImporter: FileImporter, FITHandler {
    private(set) lazy var reader = FITReader(handler: self)
    var collector: ImportCollector
    /// Samples that wait for the message that tells the zone, which comes last in the file of an activity.
    static let heldMax = 200_000

    /// What may be given out.
    private var released = ImportBatch()
    private var held = 0
    var file = FITFile()

    init(clock: SampleClock) {
        collector = ImportCollector(clock: clock)
    }

    var report: ImportReport { collector.report }

    func consume(_ chunk: UnsafeRawBufferPointer) -> ImportBatch {
        reader.read(chunk)
        return take()
    }

    func finish() -> ImportBatch {
        reader.finish()
        release(zone: nil)
        return take()
    }

    private func take() -> ImportBatch {
        defer { released = ImportBatch() }
        return released
    }

    /// Gives out what was held, where no zone is known of a sample with this one.
    func release(zone: ZoneOffset?) {
        let batch = collector.takeBatch()
        released.append(zone.map { batch.settingZone($0) } ?? batch)
        held = 0
    }

    func met(_ fault: FITFault, at byte: Int) {
        switch fault {
        case .truncated, .header: collector.report.fail(at: .byte(byte), fault.explanation)
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
        case 19: file.laps.append(FITFile.Section(message))
        case 18: readSession(message)
        case 34: readActivity(message)
        default: readHealth(message)
        }
        held += 1
        if held >= Self.heldMax { release(zone: file.zone) }
        if file.laps.count > Self.heldMax { addLaps() }
        if file.distances.count > Self.heldMax { addDistances(of: nil) }
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
        1: "Garmin", 2: "Garmin", 15: "Garmin", 19: "Beurer", 23: "Suunto", 32: "Wahoo", 40: "Concept2", 41: "Nike",
        51: "Omron", 63: "Withings", 70: "Sigma Sport", 71: "TomTom", 107: "Magene", 123: "Polar", 255: "Development",
        260: "Zwift", 265: "Strava", 267: "Bryton", 289: "Hammerhead", 294: "Coros", 309: "Mywhoosh",
    ]

    private func readActivity(_ message: FITMessage) {
        finishActivity()
        if let zone = FITFile.zone(local: message.time(5), at: message.time) { file.zone = zone }
        release(zone: file.zone)
    }

    /// A time of the file as a span. Below 0x1000_0000 it counts from when the device was switched on, which is none.
    func span(_ time: UInt32?) -> ImportCollector.Span {
        let time = time.flatMap(FITFile.timestamp)
        return .init(time, zone: file.zone, isGiven: time != nil)
    }
}

/// What is known of the file that is being read.
struct FITFile {
    /// A session or lap.
    struct Section {
        let place: Int
        let start: Timestamp?
        /// The time of the message, which is written at the end.
        let end: Timestamp?
        let duration: Duration?
        let sport: Int64?
        let subSport: Int64?
        let calories: Double?

        init(_ message: FITMessage) {
            place = message.place
            start = message.time(2).flatMap(FITFile.timestamp)
            end = message.time(253).flatMap(FITFile.timestamp)
            duration = message.integer(7).map { .milliseconds($0) }
            (sport, subSport) =
                message.global == 18
                ? (message.integer(5), message.integer(6)) : (message.integer(25), message.integer(39))
            calories = message.number(11)
        }

        var activity: Activity {
            let kind: Activity.Kind =
                switch sport {
                case 1: .running
                case 2, 21: .cycling
                case 5: .swimming
                case 10 where subSport == 20: .strengthTraining
                case 11: .walking
                case 12, 13, 14: .skiing
                case 15: .rowing
                case 17, 16: .hiking
                case 24: .driving
                case 83: .dancing
                default: .other
                }
            let place: Activity.Place =
                switch subSport {
                case 1, 5, 6, 14, 15, 16, 17, 25, 27, 45, 58, 68, 71, 86, 87, 88: .indoor
                case 2, 3, 4, 7, 8, 9, 11, 18, 37, 38, 46: .outdoor
                default: .unknown
                }
            return Activity(kind, place)
        }
    }

    /// A distance from one point to the next, until its session tells whether it was on foot.
    struct Distance {
        let place: Int
        let span: ImportCollector.Span
        let metres: Double
    }

    var isPlan = false
    var zone: ZoneOffset?
    var laps: [Section] = []
    var distances: [Distance] = []
    /// The last point's distance, in the steps of the data type, and time.
    var covered: (distance: Int64, time: Timestamp?)?
    /// Totals of the day by kind of activity.
    var totals: [Int64: FITTotals] = [:]
    /// The time of the last monitoring message that gave it in full.
    var monitoringTime: UInt32?
    var asleepSince: (time: Timestamp, place: Int)?

    /// Seconds from 1970 to 1989-12-31.
    private static let epoch: Int64 = 631_065_600

    static func timestamp(_ time: UInt32) -> Timestamp? {
        time < 0x1000_0000 ? nil : Timestamp(milliseconds: (Int64(time) + epoch) * 1000)
    }

    static func zone(local: UInt32?, at time: UInt32?) -> ZoneOffset? {
        guard let local, let time else { return nil }
        let seconds = Int64(local) - Int64(time)
        // Clocks of watches are set by the minute.
        return ZoneOffset(minutes: Int((Double(seconds) / 900).rounded()) * 15)
    }
}

/// What monitoring has counted since midnight of one kind of activity.
struct FITTotals {
    var time: Timestamp?
    var steps: Int64?
    var distance: Int64?
    var calories: Int64?
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
