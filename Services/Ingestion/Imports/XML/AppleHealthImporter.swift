import Domain
import Primitives

/// The file `export.xml` of Apple Health: records, what belongs together in a correlation, workouts, and sleep.
///
/// Records of a correlation stand in the file a second time, as records of their own, and are taken once. Saturations in "%" are
/// fractions in these files (HealthKit's percent is 0 to 1).
final class AppleHealthImporter: XMLImporter {
    private(set) lazy var scanner = XMLScanner(handler: self)
    var collector: ImportCollector
    private var isStarted = false
    private var workout: Workout?
    private var cache = AppleHealthCache()
    /// Hashes of records of the kinds that correlations hold, as far as memory for them lasts.
    private var correlated: Set<Int> = []

    static let correlatedMax = 200_000

    private struct Workout {
        let line: Int
        let kind: Activity.Kind
        var place = Activity.Place.unknown
        let span: ImportCollector.Span
        let source: String?
    }

    init(clock: SampleClock) {
        collector = ImportCollector(clock: clock)
    }

    func began(_ element: XMLName, attributes: XMLAttributes, line: Int) throws(XMLError) -> Bool {
        guard isStarted else {
            guard "HealthData" ~= element else { throw .otherFormat(line: line, expected: "Apple Health") }
            isStarted = true
            return false
        }
        switch element {
        case "Record": read(AppleHealthRecord(attributes), line)
        case "Workout":
            let record = AppleHealthRecord(attributes)
            workout = Workout(
                line: line, kind: record.workout.map(AppleHealthType.activity) ?? .other, span: Self.span(of: record),
                source: record.source.flatMap { cache.source($0) })
        case "MetadataEntry": readWorkoutPlace(attributes)
        case "ClinicalRecord", "Audiogram", "VisionPrescription", "ActivitySummary":
            let name = AppleHealthType.kebab(element.string)
            collector.report.skip(
                nil, reason: "not-collected-\(name)", explanation: "\(element.string) is not collected.",
                at: .line(line))
        default: break
        }
        return false
    }

    func ended(_ element: XMLName, text: UnsafeBufferPointer<UInt8>) {
        guard "Workout" ~= element, let workout else { return }
        self.workout = nil
        collector.use(source: workout.source)
        collector.add(.activity, Activity(workout.kind, workout.place).value, workout.span, at: .line(workout.line))
    }

    func neverNests(_ element: XMLName) -> Bool {
        switch element {
        case "Record", "Correlation", "Workout", "WorkoutActivity", "WorkoutEvent", "WorkoutStatistics",
            "WorkoutRoute", "MetadataEntry":
            true
        default: false
        }
    }

    private func readWorkoutPlace(_ attributes: XMLAttributes) {
        guard workout != nil, let key = attributes["key"], key.matches("HKIndoorWorkout"),
            let value = attributes["value"]
        else { return }
        workout?.place = value.matches("1") ? .indoor : .outdoor
    }

    // MARK: Records

    private func read(_ record: AppleHealthRecord, _ line: Int) {
        guard let name = record.type else {
            return collector.report.skip(
                nil, reason: "no-type", explanation: "A record has no type.", at: .line(line))
        }
        let type = cache.type(name)
        guard let data = type.data else {
            // A name may be as long as a tag.
            return collector.report.skip(
                nil, reason: type.reason,
                explanation: "\(TextLimits.quoted(type.name) ?? "A type with an unusual name") is not collected.",
                at: .line(line))
        }
        let span = Self.span(of: record)
        if type.isCorrelated, isRepeated(record, data) { return collector.report.double(data) }
        collector.use(source: record.source.flatMap { cache.source($0) })
        switch type.meaning {
        case .quantity: addQuantity(record, data, span, line)
        case .sleep:
            guard let value = record.value, value.starts(with: "HKCategoryValueSleepAnalysisAsleep") else {
                return collector.report.skip(
                    .sleep, reason: "not-asleep",
                    explanation: "Only time asleep is collected, not time in bed or awake.",
                    at: .line(line))
            }
            collector.add(.sleep, Double(span.duration.milliseconds) / 60_000, span, at: .line(line))
        case .standHour:
            collector.add(
                .standHours, record.value?.matches("HKCategoryValueAppleStandHourStood") == true ? 1 : 0, span,
                at: .line(line))
        }
    }

    private func addQuantity(
        _ record: AppleHealthRecord, _ type: DataType, _ span: ImportCollector.Span, _ line: Int
    ) {
        let value = record.value.flatMap(ImportText.number)
        do throws(UnitError) {
            guard let value else { return collector.add(type, nil, span, at: .line(line)) }
            collector.add(type, try cache.canonical(value, type, record.unit), span, at: .line(line))
        } catch {
            collector.report.skip(type, reason: "unit", explanation: error.description, at: .line(line))
        }
    }

    /// From `startDate` to `endDate`. An end before the beginning is a duration that no sample has.
    private static func span(of record: AppleHealthRecord) -> ImportCollector.Span {
        guard let startText = record.start else { return .init(isGiven: false) }
        guard let start = ImportText.time(startText) else { return .init(nil) }
        guard let endText = record.end, !endText.isEqual(to: startText) else {
            return .init(start.time, zone: start.zone)
        }
        guard let end = ImportText.time(endText) else { return .init(nil) }
        return .init(start.time, duration: end.time - start.time, zone: start.zone)
    }

    private func isRepeated(_ record: AppleHealthRecord, _ type: DataType) -> Bool {
        var hasher = Hasher()
        hasher.combine(type)
        for part in [record.source, record.start, record.end, record.value] {
            if let part { hasher.combine(bytes: UnsafeRawBufferPointer(part)) }
            hasher.combine(0)
        }
        let hash = hasher.finalize()
        guard correlated.count < Self.correlatedMax else { return correlated.contains(hash) }
        return !correlated.insert(hash).inserted
    }
}
