import Contracts
import HTTP
import JSON

/// The forms of a file with all samples of a request's data (REQ-12).
enum SampleFile: String, CaseIterable, Sendable {
    /// A line for each sample (`SampleCSV`).
    case csv
    /// A `SampleSeries` as JSON on each line.
    case ndjson

    /// What `Accept` chooses among; JSON is a page, not a file.
    static let offers: [MediaType] = [.json] + allCases.map(\.type)

    /// `nil` for a page.
    init?(_ type: MediaType) {
        guard let file = Self.allCases.first(where: { $0.type == type }) else { return nil }
        self = file
    }

    var type: MediaType { self == .csv ? .csv : .ndjson }

    var header: [UInt8] { self == .csv ? SampleCSV.header : [] }

    func lines(of series: [SampleSeries]) throws(JSONError) -> [UInt8] {
        guard self == .ndjson else { return series.flatMap(SampleCSV.lines) }
        var lines: [UInt8] = []
        for one in series {
            lines += try JSONEncoder().encode(one)
            lines.append(UInt8(ascii: "\n"))
        }
        return lines
    }
}
