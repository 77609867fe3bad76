import Contracts
import Domain
import HTTP
import Primitives
import Reactor

/// `GET /me/series` as a table (ING-06): CSV (RFC 4180), a line for each sample as `SampleCSV` has it, source after
/// source, or one for each bucket, of states one for each state. Times are in RFC 3339, in UTC; dates are the person's.
enum SeriesTable {
    /// Lines that are written together.
    private static let pieceMax = 5000
    private static let header = "start,date,type,unit,count,mean,sum,min,max,state,seconds\r\n"

    static func response(
        _ sources: [(source: Int16, series: [SampleSeries])], _ names: SourceNames, by threads: BlockingPool
    ) -> HTTPResponse {
        .stream(.csv) { writer in
            try await writer.write(SampleCSV.headerWithSource)
            for (source, series) in sources {
                let name = names.name(of: source)
                for one in series {
                    try await writer.write(threads.computing { SampleCSV.lines(one, source: name) })
                }
            }
        }
    }

    static func response(
        _ answer: SeriesAnswer, _ buckets: [SeriesAnswer.Bucket], by threads: BlockingPool
    ) -> HTTPResponse {
        .stream(.csv) { writer in
            try await writer.write(Array(header.utf8))
            for start in stride(from: 0, to: buckets.count, by: pieceMax) {
                let piece = buckets[start..<min(start + pieceMax, buckets.count)]
                try await writer.write(
                    threads.computing { Array(piece.map { lines($0, answer) }.joined().utf8) })
            }
        }
    }

    /// The same as a whole.
    static func table(
        _ answer: SeriesAnswer, _ buckets: [SeriesAnswer.Bucket], withHeader: Bool
    ) -> [UInt8] {
        Array(((withHeader ? header : "") + buckets.map { lines($0, answer) }.joined()).utf8)
    }

    private static func lines(_ bucket: SeriesAnswer.Bucket, _ answer: SeriesAnswer) -> String {
        let begin =
            "\(bucket.start),\(bucket.date?.description ?? ""),\(answer.type.name),\(answer.unit),\(bucket.count),"
        guard let states = bucket.states else {
            let numbers = [bucket.mean, bucket.sum, bucket.min, bucket.max].map(text).joined(separator: ",")
            return "\(begin)\(numbers),,\r\n"
        }
        return states.sorted { $0.key < $1.key }.map { "\(begin),,,,\($0.key),\(text($0.value))\r\n" }.joined()
    }

    /// Nothing for what there is not.
    private static func text(_ value: Double?) -> String {
        guard let value else { return "" }
        return Int64(exactly: value)?.description ?? value.description
    }
}
