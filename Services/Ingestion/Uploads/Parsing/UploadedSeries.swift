import Contracts
import Domain
import JSON
import Primitives

/// A series as it was sent. One that cannot be read does not affect the others.
enum UploadedSeries: Sendable {
    case read(SentSeries)
    case unreadable(JSONValue, explanation: String)

    static func readable(_ series: SampleSeries) -> UploadedSeries { .read(SentSeries(series)) }

    /// No number of JSON. A sample that has it is not taken; the others of its series are.
    static let noNumber = Double.nan
}

/// In `values`, `latitudes` and `longitudes`, `UploadedSeries.noNumber` stands for `null`. An object, since a copy of a series
/// counts references to nine columns.
final class SentSeries: Sendable {
    let series: SampleSeries

    init(_ series: SampleSeries) {
        self.series = series
    }
}

extension UploadedSeries: Decodable {
    init(from decoder: any Decoder) throws {
        do {
            self = .readable(try decoder.singleValueContainer().decode(SeriesForm.self).series)
        } catch {
            self = .unreadable(try JSONValue(from: decoder), explanation: Self.explanation(error))
        }
    }

    private static func explanation(_ error: any Error) -> String {
        switch error {
        case let error as JSONError: "\(error)."
        case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.debugDescription)."
        default: "The series cannot be read."
        }
    }
}

/// `SampleSeries` with `null` for samples that have no number.
private struct SeriesForm: Decodable {
    let type: DataType
    let unit: String?
    let start: Timestamp
    let offsets: [Int64]
    let durations: [Int64]?
    let zoneOffset: ZoneOffset?
    let values: [Double?]?
    let contact: [Bool]?
    let latitudes: [Double?]?
    let longitudes: [Double?]?
    let altitudes: [Double?]?
    let accuracies: [Double?]?

    enum CodingKeys: String, CodingKey {
        case type, unit, start, zoneOffset, values, contact, latitudes, longitudes, altitudes, accuracies
        case offsets = "offsets_ms"
        case durations = "durations_ms"
    }

    var series: SampleSeries {
        SampleSeries(
            type: type, unit: unit, start: start, offsets: offsets, durations: durations, zoneOffset: zoneOffset,
            values: Self.column(values), contact: contact, latitudes: Self.column(latitudes),
            longitudes: Self.column(longitudes), altitudes: altitudes, accuracies: accuracies)
    }

    private static func column(_ numbers: [Double?]?) -> [Double]? {
        numbers?.map { $0 ?? UploadedSeries.noNumber }
    }
}
