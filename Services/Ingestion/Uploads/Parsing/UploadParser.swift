import Contracts
import Domain
import JSON
import Primitives

/// Reads uploads straight into columns. It is as strict about JSON as the codec, since it stands on the same scanner, and
/// takes only what the codec takes; whatever it does not take it leaves to the codec, which reads it or says what is wrong.
enum UploadParser {
    /// The members of a series, in the order in which senders mostly write them.
    private enum SeriesMember: Int {
        case type, unit, start, zoneOffset, offsets, durations, values, contact, latitudes, longitudes, altitudes,
            accuracies
    }

    private static let seriesNames: [StaticString] = [
        "type", "unit", "start", "zone_offset", "offsets_ms", "durations_ms", "values", "contact", "latitudes",
        "longitudes", "altitudes", "accuracies",
    ]
    private static let uploadNames: [StaticString] = ["upload", "sent_at", "series"]
    private static let entryNames: [StaticString] = ["series"]

    /// The upload, and how many members it has that this version does not know; `nil`: the codec has to look at it.
    static func upload(_ bytes: [UInt8], limits: JSONLimits) -> (upload: UploadRequest, unknown: Int)? {
        guard let scanner = try? JSONScanner(bytes, limits: limits), !scanner.hasEscapes,
            let (found, others) = scanner.members(of: scanner.root, named: uploadNames),
            let number = found[0].flatMap(scanner.integer),
            let sentAt = found[1].flatMap(scanner.text).flatMap({ Timestamp($0) }),
            let (series, unknown) = found[2].flatMap({ Self.series($0, in: scanner) })
        else { return nil }
        return (UploadRequest(upload: number, sentAt: sentAt, series: series), others + unknown)
    }

    /// A manual entry, which has no unknown members; `nil`: the codec has to look at it.
    static func entry(_ bytes: [UInt8], limits: JSONLimits) -> ManualEntry? {
        guard let scanner = try? JSONScanner(bytes, limits: limits), !scanner.hasEscapes,
            let (found, others) = scanner.members(of: scanner.root, named: entryNames), others == 0,
            let (series, unknown) = found[0].flatMap({ Self.series($0, in: scanner) }), unknown == 0
        else { return nil }
        return ManualEntry(series: series)
    }

    private static func series(
        _ list: JSONScanner.Value, in scanner: JSONScanner
    ) -> (series: [UploadedSeries], unknown: Int)? {
        guard scanner.isArray(list) else { return nil }
        let elements = scanner.elements(of: list)
        var series: [UploadedSeries] = []
        series.reserveCapacity(elements.count)
        var unknown = 0
        for element in elements {
            guard let (found, others) = scanner.members(of: element, named: seriesNames),
                let one = one(found, scanner)
            else { return nil }
            series.append(.readable(one))
            unknown += others
        }
        return (series, unknown)
    }

    private static func one(_ found: [JSONScanner.Value?], _ scanner: JSONScanner) -> SampleSeries? {
        /// `nil` inside: absent or null; outside: of another form.
        func optional<Value>(
            _ member: SeriesMember, _ read: (JSONScanner.Value) -> Value?
        ) -> Value?? {
            guard let value = found[member.rawValue], !scanner.isNull(value) else { return .some(nil) }
            return read(value).map { .some($0) }
        }
        func column(_ value: JSONScanner.Value) -> [Double]? {
            scanner.numbers(value, null: UploadedSeries.noNumber)
        }
        func sparse(_ value: JSONScanner.Value) -> [Double?]? { column(value)?.map { $0.isNaN ? nil : $0 } }

        guard let type = found[SeriesMember.type.rawValue].flatMap(scanner.text).flatMap({ DataType(name: $0) }),
            let start = found[SeriesMember.start.rawValue].flatMap(scanner.text).flatMap({ Timestamp($0) }),
            let offsets = found[SeriesMember.offsets.rawValue].flatMap(scanner.integers),
            let unit = optional(.unit, scanner.text),
            let zoneOffset = optional(.zoneOffset, { scanner.text($0).flatMap { ZoneOffset($0) } }),
            let durations = optional(.durations, scanner.integers), let values = optional(.values, column),
            let contact = optional(.contact, scanner.flags), let latitudes = optional(.latitudes, column),
            let longitudes = optional(.longitudes, column), let altitudes = optional(.altitudes, sparse),
            let accuracies = optional(.accuracies, sparse)
        else { return nil }
        return SampleSeries(
            type: type, unit: unit, start: start, offsets: offsets, durations: durations, zoneOffset: zoneOffset,
            values: values, contact: contact, latitudes: latitudes, longitudes: longitudes, altitudes: altitudes,
            accuracies: accuracies)
    }
}
