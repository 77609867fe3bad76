import Contracts
import Domain
import HTTP
import JSON
import Primitives

/// The forms of a file with all samples of a request's data (REQ-12).
enum SampleFile: String, CaseIterable, Sendable {
    /// A line for each sample (`SampleCSV`).
    case csv
    /// A `SampleSeries` as JSON on each line.
    case ndjson
    /// An Observation of FHIR R4 on each line.
    case fhir
    /// An Open mHealth data point on each line.
    case openMHealth = "open-mhealth"

    /// What `Accept` chooses among; JSON is a page, not a file.
    static let offers: [MediaType] = [.json] + allCases.map(\.type)

    /// `nil` for a page.
    init?(_ type: MediaType) {
        guard let file = Self.allCases.first(where: { $0.type == type }) else { return nil }
        self = file
    }

    var type: MediaType {
        switch self {
        case .csv: .csv
        case .ndjson: .ndjson
        case .fhir: FHIRObservations.type
        case .openMHealth: OpenMHealthPoints.type
        }
    }

    /// How the file's name ends.
    var suffix: String { self == .csv ? "csv" : "ndjson" }
}

/// A form with observations of its own, which may wait for their other half.
protocol ObservationForm {
    mutating func lines(of series: [SampleSeries], as statistic: ReadingStatistic?) throws(UnitError) -> [UInt8]
    mutating func finish() -> [UInt8]
}

extension FHIRObservations: ObservationForm {}
extension OpenMHealthPoints: ObservationForm {}

/// Writes such a file piece by piece.
struct SampleFileWriter {
    private let file: SampleFile
    private let isOfSums: Bool
    /// `nil` of CSV and NDJSON.
    private var observations: (any ObservationForm)?

    /// The person is named by the request alone.
    init(_ file: SampleFile, of request: UUID, isOfSums: Bool) {
        let subject = "urn:uuid:\(request)"
        (self.file, self.isOfSums) = (file, isOfSums)
        observations =
            switch file {
            case .csv, .ndjson: nil
            case .fhir: FHIRObservations(of: request, subject: subject)
            case .openMHealth: OpenMHealthPoints(of: request, subject: subject)
            }
    }

    var header: [UInt8] {
        guard file == .csv else { return [] }
        return isOfSums ? SumCSV.header : SampleCSV.header
    }

    /// The lines of an event's data.
    mutating func lines(of data: Event.Content) throws -> [UInt8] {
        if file == .ndjson { return try data.parts().flatMap { $0.bytes + [UInt8(ascii: "\n")] } }
        guard isOfSums else {
            let series = try JSONDecoder().decode([SampleSeries].self, from: data.series.bytes)
            return try observations?.lines(of: series, as: nil) ?? series.flatMap(SampleCSV.lines)
        }
        let sums = try JSONDecoder().decode([Sums].self, from: data.series.bytes)
        guard observations != nil else { return sums.flatMap(SumCSV.lines) }
        return try sums.compactMap(\.asSeries).flatMap {
            try observations?.lines(of: [$0.series], as: $0.statistic) ?? []
        }
    }

    /// The lines of what still waited for its other half.
    mutating func finish() -> [UInt8] { observations?.finish() ?? [] }
}

extension Sums {
    /// As values that stand for the samples of their times. `nil` of states, of which there is no single value.
    var asSeries: (series: SampleSeries, statistic: ReadingStatistic)? {
        guard let first = buckets.first, first.states == nil else { return nil }
        let kept = buckets.filter { ($0.mean ?? $0.sum) != nil }
        let series = SampleSeries(
            type: type, unit: unit, start: first.start,
            offsets: kept.map { ($0.start - first.start).milliseconds },
            durations: kept.map { ($0.end - $0.start).milliseconds }, values: kept.compactMap { $0.mean ?? $0.sum })
        return (series, kept.contains { $0.mean != nil } ? .mean : .sum)
    }
}
