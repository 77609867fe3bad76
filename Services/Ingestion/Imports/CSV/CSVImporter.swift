import Domain
import Primitives

/// Tables of samples: one line each, with the columns of this service's own exports. The first line names them, in any order:
///
/// - `type` and `time` are needed: a data type (`heart-rate`), a time (`2026-01-31T12:00:00+01:00`).
/// - `value` with `unit` (empty: the canonical one); or `latitude` and `longitude` with `altitude` and `accuracy` for positions.
/// - `duration_ms` or `end` (a time) for intervals; `zone_offset` (`+01:00`) where `time` does not tell it: a time without an
///   offset is local there, or in UTC without a zone.
/// - `source` names the device; a line whose `contact` is `false` is a reading of a sensor that touched nobody, and is not taken.
///
/// Fields are separated by commas, or by semicolons or tabs: then numbers may have a decimal comma. Other columns are passed over.
final class CSVImporter: FileImporter {
    /// Where the columns stand in each line.
    private struct Columns {
        let type: Int
        let time: Int
        let value: Int?
        let unit: Int?
        let latitude: Int?
        let longitude: Int?
        let altitude: Int?
        let accuracy: Int?
        let duration: Int?
        let end: Int?
        let zone: Int?
        let source: Int?
        let contact: Int?

        init?(_ names: [String]) {
            guard let type = names.firstIndex(of: "type"), let time = names.firstIndex(of: "time") else { return nil }
            (self.type, self.time) = (type, time)
            value = names.firstIndex(of: "value")
            unit = names.firstIndex(of: "unit")
            latitude = names.firstIndex(of: "latitude")
            longitude = names.firstIndex(of: "longitude")
            altitude = names.firstIndex(of: "altitude")
            accuracy = names.firstIndex(of: "accuracy")
            duration = names.firstIndex(of: "duration_ms")
            end = names.firstIndex(of: "end")
            zone = names.firstIndex(of: "zone_offset")
            source = names.firstIndex(of: "source")
            contact = names.firstIndex(of: "contact")
            guard value != nil || latitude != nil && longitude != nil else { return nil }
        }
    }

    private var collector: ImportCollector
    private var records = CSVRecords()
    /// Where the columns are; `nil` until the first line is read.
    private var columns: Columns?
    private var types: [[UInt8]: DataType] = [:]

    init(clock: SampleClock) {
        collector = ImportCollector(clock: clock)
        for type in DataType.allCases { types[Array(type.name.utf8)] = type }
    }

    var report: ImportReport { collector.report }

    func consume(_ chunk: UnsafeRawBufferPointer, _ give: (ImportBatch) -> Void) {
        guard report.failure == nil else { return }
        records.read(chunk) { read($0, $1) }
        give(collector.takeBatch())
    }

    func finish(_ give: (ImportBatch) -> Void) {
        guard report.failure == nil else { return }
        records.finish { read($0, $1) }
        if columns == nil { collector.report.fail(at: .line(1), .noColumns, Self.noHeader) }
        give(collector.takeBatch())
    }

    private static let noHeader =
        "The first line does not name the columns: `type` and `time`, and `value` or `latitude` and `longitude`."

    private func read(_ record: CSVRecords.Record?, _ line: Int) {
        guard report.failure == nil else { return }
        guard let record else {
            return collector.report.skip(
                nil, reason: "malformed-line",
                explanation: "A field in quotes has no end, or the line has more than "
                    + "\(CSVRecords.recordBytesMax) bytes or \(CSVRecords.fieldsMax) fields.",
                at: .line(line))
        }
        guard !record.isEmpty else { return }
        if let columns { return read(record, columns, line) }
        let names = (0..<record.count).map { index in
            String(decoding: ImportText.trimmed(record[index]), as: UTF8.self).lowercased()
        }
        guard let columns = Columns(names) else {
            return collector.report.fail(at: .line(line), .noColumns, Self.noHeader)
        }
        self.columns = columns
    }

    private func read(_ record: CSVRecords.Record, _ columns: Columns, _ line: Int) {
        let name = ImportText.trimmed(record[columns.type < record.count ? columns.type : 0])
        guard columns.type < record.count, let type = types[Array(name.prefix(Self.typeBytesMax))] else {
            return collector.report.skip(
                nil, reason: "no-data-type", explanation: "A line's type is none of the data types.", at: .line(line))
        }
        if let contact = field(columns.contact, record), contact.matches("false") {
            return collector.report.skip(
                type, reason: "no-contact", explanation: "The sensor touched nobody.", at: .line(line))
        }
        collector.use(source: field(columns.source, record).map { String(decoding: $0, as: UTF8.self) })
        guard let span = span(of: record, columns) else {
            return collector.report.skip(
                type, reason: "time-form",
                explanation: "The time, its end, the duration or the zone is not of its form.", at: .line(line))
        }
        if type == .position {
            collector.addPosition(
                number(columns.latitude, record), number(columns.longitude, record),
                altitude: number(columns.altitude, record), accuracy: number(columns.accuracy, record), span,
                at: .line(line))
        } else if let unit = field(columns.unit, record) {
            collector.add(
                type, number(columns.value, record), unit: String(decoding: unit, as: UTF8.self), span, at: .line(line))
        } else {
            collector.add(type, number(columns.value, record), span, at: .line(line))
        }
    }

    private static let typeBytesMax = 60

    /// `nil` for a field that is missing or empty.
    private func field(_ index: Int?, _ record: CSVRecords.Record) -> UnsafeBufferPointer<UInt8>? {
        guard let index, index < record.count else { return nil }
        let text = ImportText.trimmed(record[index])
        return text.isEmpty ? nil : text
    }

    private func number(_ index: Int?, _ record: CSVRecords.Record) -> Double? {
        guard let text = field(index, record) else { return nil }
        guard record.separator != UInt8(ascii: ","), text.contains(UInt8(ascii: ",")) else {
            return ImportText.number(text)
        }
        return text.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
            .withUnsafeBufferPointer(ImportText.number)
    }

    /// `nil` when something of it is not of its form.
    private func span(of record: CSVRecords.Record, _ columns: Columns) -> ImportCollector.Span? {
        guard let text = field(columns.time, record) else { return .init(isGiven: false) }
        guard let start = ImportText.time(text) else { return nil }
        var zone = start.zone
        if let text = field(columns.zone, record) {
            guard let given = ZoneOffset(String(decoding: text, as: UTF8.self)) else { return nil }
            zone = zone ?? given
        }
        let time = start.utc(in: zone)
        var duration = Duration.zero
        if field(columns.duration, record) != nil {
            guard let milliseconds = number(columns.duration, record), (-1e12...1e12).contains(milliseconds) else {
                return nil
            }
            duration = .milliseconds(Int64(milliseconds.rounded()))
        } else if let text = field(columns.end, record) {
            guard let end = ImportText.time(text) else { return nil }
            duration = end.utc(in: zone) - time
        }
        return .init(time, duration: duration, zone: zone)
    }
}

extension ImportText.Time {
    /// The time, of one that is local by the clock of that zone.
    func utc(in zone: ZoneOffset?) -> Timestamp {
        isLocal && zone != nil ? time - .milliseconds(zone?.milliseconds ?? 0) : time
    }
}
