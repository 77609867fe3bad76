import Domain
import Primitives

/// Samples as CSV (RFC 4180): one line per sample, times in RFC 3339, units in UCUM. `contact` is `true` or `false`, or empty
/// when it is not known whether the sensor touched the person: a rate of 0 without contact is no stopped heart. `duration_ms`
/// is empty for an instant; `zone_offset` is that of the local time, as `+02:00`, and empty when the device did not tell it. In a
/// person's own table `source` is what measured it, so that sources stay apart when the table is imported again.
public enum SampleCSV {
    private static let columns =
        "type,time,value,unit,latitude,longitude,altitude,accuracy,contact,duration_ms,zone_offset"
    public static let header = Array("\(columns)\r\n".utf8)
    public static let headerWithSource = Array("\(columns),source\r\n".utf8)

    public static func lines(_ series: SampleSeries) -> [UInt8] { lines(series, end: [13, 10]) }

    /// With the column `source`.
    public static func lines(_ series: SampleSeries, source: String) -> [UInt8] {
        lines(series, end: [comma] + text(source) + [13, 10])
    }

    private static func lines(_ series: SampleSeries, end: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(series.count * 64)
        let type = Array("\(series.type.name),".utf8)
        let unit = series.type == .position ? "" : series.unit ?? series.type.unit.description
        let contact = series.tellingContact.contact
        let zone = Array((series.zoneOffset?.description ?? "").utf8)
        let places: [[Double?]?] = [
            series.latitudes, series.longitudes, series.altitudes, series.accuracies,
        ]
        for index in 0..<series.count {
            bytes += type
            series.time(index).write(to: &bytes)
            bytes.append(comma)
            if let values = series.values { number(values[index], into: &bytes) }
            bytes.append(comma)
            bytes += unit.utf8
            for column in places {
                bytes.append(comma)
                if let column, let value = column[index] { number(value, into: &bytes) }
            }
            bytes.append(comma)
            if let contact { bytes += (contact[index] ? "true" : "false").utf8 }
            bytes.append(comma)
            if let duration = series.durations?[index], duration > 0 { bytes += duration.description.utf8 }
            bytes.append(comma)
            bytes += zone
            bytes += end
        }
        return bytes
    }

    private static let comma = UInt8(ascii: ",")

    /// In quotes where it could be taken for something else.
    private static func text(_ text: String) -> [UInt8] {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != quote && $0 != comma && $0 != UInt8(ascii: ";") }
        guard !isPlain else { return Array(text.utf8) }
        return [quote] + text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    private static let quote = UInt8(ascii: "\"")

    /// The shortest text that reads back as the same number; whole numbers without a fraction.
    static func number(_ value: Double, into bytes: inout [UInt8]) {
        if let whole = Int64(exactly: value) {
            bytes += whole.description.utf8
        } else {
            bytes += value.description.utf8
        }
    }
}
