import Domain
import Primitives

/// Collects samples and the reasons for those that are not taken.
struct ImportCollector {
    /// Sources that are told apart in one file; what comes from others is of no named source.
    static let sourcesMax = 32
    /// Bytes of a source's name that are kept.
    static let sourceBytesMax = 120

    let clock: SampleClock
    private var batch = ImportBatch()
    var report = ImportReport()
    private var sources: Set<String> = []
    /// The source of what is added.
    private var source: String?
    /// Its group in `batch`.
    private var group: Int?

    init(clock: SampleClock) {
        self.clock = clock
    }

    /// The samples collected since the last call.
    mutating func takeBatch() -> ImportBatch {
        let result = batch
        batch = ImportBatch()
        group = nil
        return result
    }

    /// What is added from now on was measured by this device or app, as the file names it.
    mutating func use(source name: String?) {
        guard name != source else { return }
        source = name.flatMap { admitted($0) }
        group = nil
    }

    private mutating func admitted(_ name: String) -> String? {
        // Blanks of any kind are one, so that lists of sources can be read.
        var text = ""
        for word in name.unicodeScalars.split(whereSeparator: { $0.properties.isWhitespace || $0.value < 0x20 }) {
            if !text.isEmpty { text += " " }
            text.unicodeScalars.append(contentsOf: word)
        }
        if text.utf8.count > Self.sourceBytesMax {
            // By scalars: by characters, a hostile name of combined ones would take the square of its length.
            var end = text.utf8.index(text.startIndex, offsetBy: Self.sourceBytesMax)
            while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
            text.removeSubrange(end...)
        }
        guard !text.isEmpty else { return nil }
        guard !sources.contains(text) else { return text }
        guard sources.count < Self.sourcesMax else { return nil }
        sources.insert(text)
        return text
    }

    private mutating func currentGroup() -> Int {
        if let group { return group }
        let index = batch.group(of: source)
        group = index
        return index
    }

    mutating func add(_ point: TrackPoint) {
        if point.hasPosition { addPosition(of: point) }
        if point.hasHeartRate { add(.heartRate, point.heartRate, point.span, at: .line(point.line)) }
    }

    /// When a sample was taken.
    struct Span {
        var time: Timestamp?
        /// There is something where the time should be.
        var isGiven = false
        var duration = Duration.zero
        var zone: ZoneOffset?

        init(_ time: Timestamp? = nil, duration: Duration = .zero, zone: ZoneOffset? = nil, isGiven: Bool = true) {
            self.time = time
            self.duration = duration
            self.zone = zone
            self.isGiven = isGiven
        }

        /// A time as a file of text has it.
        init(text: UnsafeBufferPointer<UInt8>) {
            let read = ImportText.time(text)
            self.init(read?.time, zone: read?.zone)
        }

        /// The interval from `start` to this instant; the instant itself when that is unknown, or not before it, or too long
        /// ago.
        func since(_ start: Timestamp?) -> Span {
            guard let time, let start, start < time, time - start <= Measurement.durationMax else { return self }
            return Span(start, duration: time - start, zone: zone)
        }
    }

    /// A value in the canonical unit with a time, either of which may be missing or unreadable (`nil`).
    mutating func add(_ type: DataType, _ value: Double?, _ span: Span, at place: @autoclosure () -> ImportReport.Place)
    {
        guard let time = checked(span, type, place()) else { return }
        guard let value else { return report.skip(type, reason: "no-number", explanation: Self.noNumber, at: place()) }
        do throws(SampleError) {
            let sample = try Measurement(
                type: type, time: time, duration: span.duration, value: value, unit: nil, zoneOffset: span.zone,
                clock: clock)
            batch.append(sample, to: currentGroup())
            report.take(type)
        } catch {
            report.skip(type, reason: error.reason, explanation: error.description, at: place())
        }
    }

    /// The same with a unit as it is spelled in the file.
    mutating func add(
        _ type: DataType, _ value: Double?, unit: String, _ span: Span, at place: @autoclosure () -> ImportReport.Place
    ) {
        guard let value else { return add(type, nil, span, at: place()) }
        do throws(UnitError) {
            add(type, try type.canonical(value, unit: unit), span, at: place())
        } catch {
            report.skip(type, reason: "unit", explanation: error.description, at: place())
        }
    }

    private mutating func addPosition(of point: TrackPoint) {
        addPosition(
            point.latitude, point.longitude, altitude: point.altitude, accuracy: nil, point.span,
            at: .line(point.line))
    }

    mutating func addPosition(
        _ latitude: Double?, _ longitude: Double?, altitude: Double?, accuracy: Double?, _ span: Span,
        at place: @autoclosure () -> ImportReport.Place
    ) {
        guard let time = checked(span, .position, place()) else { return }
        guard let latitude, let longitude else {
            return report.skip(.position, reason: "no-number", explanation: Self.noNumber, at: place())
        }
        do throws(SampleError) {
            // A wrong altitude, which barometers are known for, does not make the position wrong; nor does an accuracy.
            let altitude = altitude.flatMap { (-500...12_000).contains($0) ? $0 : nil }
            let accuracy = accuracy.flatMap { (0...100_000).contains($0) ? $0 : nil }
            let fix = try PositionFix(
                time: time, latitude: latitude, longitude: longitude, altitude: altitude, accuracy: accuracy,
                zoneOffset: span.zone, clock: clock)
            batch.append(fix, to: currentGroup())
            report.take(.position)
        } catch {
            report.skip(.position, reason: error.reason, explanation: error.description, at: place())
        }
    }

    private mutating func checked(
        _ span: Span, _ type: DataType, _ place: @autoclosure () -> ImportReport.Place
    ) -> Timestamp? {
        if span.time == nil {
            report.skip(
                type, reason: span.isGiven ? "time-form" : "no-time",
                explanation: span.isGiven ? "The time is not of the form 2026-01-31T12:00:00Z." : "There is no time.",
                at: place())
        }
        return span.time
    }

    private static let noNumber = "The value is missing, or is not a number."
}
