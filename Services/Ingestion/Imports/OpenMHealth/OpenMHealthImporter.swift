import Domain
import JSON
import Primitives

/// Data points of Open mHealth and of IEEE 1752.1, which came of it: one, many in an array, or one after the other (NDJSON). A
/// point is a `header` that names the schema and a `body`, or an array of bodies.
final class OpenMHealthImporter: FileImporter {
    // Parts of an object have two brackets more.
    private static let limits = JSONLimits(
        depthMax: 16, bytesMax: JSONValues.objectBytesMax + 2, valuesMax: 200_000)

    private var collector: ImportCollector
    private var values = JSONValues()
    private var hasPoint = false

    init(clock: SampleClock) {
        collector = ImportCollector(clock: clock)
    }

    var report: ImportReport { collector.report }

    func consume(_ chunk: UnsafeRawBufferPointer, _ give: (ImportBatch) -> Void) {
        values.read(chunk) { read($0, $1) }
        give(collector.takeBatch())
    }

    func finish(_ give: (ImportBatch) -> Void) {
        var last = 1
        let isOpen = values.finish { last = $1 }
        if isOpen {
            collector.report.fail(
                at: .line(last), .truncated, "The file ends in the middle of the object that begins at this line.")
        } else if !hasPoint {
            collector.report.fail(at: .line(1), .noData, "The file holds no data point of Open mHealth or IEEE 1752.1.")
        }
        give(collector.takeBatch())
    }

    private func read(_ object: [UInt8]?, _ line: Int) {
        guard let object else {
            return skipMalformed("An object has no end, or more than \(JSONValues.objectBytesMax) bytes.", line)
        }
        do throws(JSONError) {
            let scanner = try JSONScanner(object, limits: Self.limits)
            read(OpenMHealthValue(scanner: scanner, value: scanner.root), line)
        } catch {
            skipMalformed("An object is not well-formed: \(error).", line)
        }
    }

    private func skipMalformed(_ explanation: String, _ line: Int) {
        collector.report.skip(nil, reason: "malformed-object", explanation: explanation, at: .line(line))
    }

    private func read(_ point: OpenMHealthValue, _ line: Int) {
        guard let header = point["header"], let schema = header["schema_id"]?["name"]?.text else {
            // Servers hand out their points in an object of their own.
            if let points = point["body"]?.elements, !points.isEmpty {
                for inner in points { read(inner, line) }
                return
            }
            return collector.report.skip(
                nil, reason: "no-header", explanation: "An object has no header that names its schema.",
                at: .line(line))
        }
        hasPoint = true
        collector.use(source: header["acquisition_provenance"]?["source_name"]?.text)
        guard let body = point["body"] else { return }
        for body in body.isArray ? body.elements : [body] { read(body, schema, line) }
    }

    // MARK: Bodies

    private func read(_ body: OpenMHealthValue, _ schema: String, _ line: Int) {
        guard let parts = OpenMHealthSchema.parts(of: schema) else {
            let name = OpenMHealthSchema.kebab(schema)
            return collector.report.skip(
                nil, reason: "not-collected-\(name)", explanation: "Data of the schema \(name) is not collected.",
                at: .line(line))
        }
        if let statistic = body["descriptive_statistic"]?.text, !OpenMHealthSchema.isTaken(statistic: statistic) {
            return collector.report.skip(
                parts.first?.type, reason: "statistic",
                explanation: "This is a statistic, such as a maximum, and no measurement.", at: .line(line))
        }
        let span = span(of: body)
        var isTaken = false
        for part in parts {
            guard let value = body[part.member] else { continue }
            isTaken = true
            if part.type == .distance, !OpenMHealthSchema.isOnFoot(body["activity_name"]?.text) {
                collector.report.skip(
                    .distance, reason: "not-on-foot", explanation: "Only distances walked or run are collected.",
                    at: .line(line))
            } else {
                read(value, part, span, line)
            }
        }
        if parts.isEmpty {
            readPosition(body, span, line)
        } else if !isTaken {
            collector.report.skip(
                parts.first?.type, reason: "no-number", explanation: "The value is missing, or is not a number.",
                at: .line(line))
        }
    }

    private func readPosition(_ body: OpenMHealthValue, _ span: ImportCollector.Span, _ line: Int) {
        do throws(UnitError) {
            let latitude = try OpenMHealthSchema.degrees(body["latitude"]?.quantity)
            let longitude = try OpenMHealthSchema.degrees(body["longitude"]?.quantity)
            collector.addPosition(
                latitude, longitude, altitude: OpenMHealthSchema.metres(body["elevation"]?.quantity), accuracy: nil,
                span, at: .line(line))
        } catch {
            collector.report.skip(.position, reason: "unit", explanation: error.description, at: .line(line))
        }
    }

    private func read(
        _ value: OpenMHealthValue, _ part: OpenMHealthSchema.Part, _ span: ImportCollector.Span, _ line: Int
    ) {
        if part.type == .activity {
            let activity = Activity(OpenMHealthSchema.activity(value.text ?? ""))
            return collector.add(.activity, activity.value, span, at: .line(line))
        }
        guard let quantity = value.quantity else { return collector.add(part.type, nil, span, at: .line(line)) }
        if let unit = quantity.unit {
            collector.add(part.type, quantity.value, unit: unit, span, at: .line(line))
        } else {
            collector.add(part.type, quantity.value, span, at: .line(line))
        }
    }

    /// `effective_time_frame`: a time, or an interval with two of beginning, end and duration.
    private func span(of body: OpenMHealthValue) -> ImportCollector.Span {
        guard let frame = body["effective_time_frame"] else { return .init(isGiven: false) }
        if let text = frame["date_time"]?.text { return .init(OpenMHealthValue.time(text)) }
        guard let interval = frame["time_interval"] else { return .init(isGiven: false) }
        let start = interval["start_date_time"]?.text.map { OpenMHealthValue.time($0) }
        let end = interval["end_date_time"]?.text.map { OpenMHealthValue.time($0) }
        let duration = interval["duration"]?.quantity.flatMap(OpenMHealthSchema.duration)
        switch (start, end, duration) {
        case (let start??, let end??, _):
            return .init(start.time, duration: end.time - start.time, zone: start.zone)
        case (let start??, nil, let duration?): return .init(start.time, duration: duration, zone: start.zone)
        case (nil, let end??, let duration?): return .init(end.time - duration, duration: duration, zone: end.zone)
        case (nil, nil, _): return .init(isGiven: false)
        default: return .init(nil)
        }
    }
}

extension ImportCollector.Span {
    init(_ time: ImportText.Time?) { self.init(time?.time, zone: time?.zone) }
}
