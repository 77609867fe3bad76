import Contracts
import HTTP
import JSON
import Reactor

extension SeriesAnswer {
    /// Samples of one series, and of an answer that is written in one piece.
    static let pieceSamplesMax = 10_000
    /// So many samples or buckets are written on the loop: handing them to a thread and back costs more.
    private static let onLoopMax = 500

    /// As JSON. A long answer is made series by series on worker threads, while the client reads: its first byte does not wait
    /// for the last one, and it holds up nobody else's requests.
    func response(on threads: BlockingPool) async throws -> HTTPResponse {
        let count = (buckets?.count ?? 0) + (series ?? []).reduce(0) { $0 + $1.count }
        guard count > Self.onLoopMax else { return try .json(self) }
        guard let series, count > Self.pieceSamplesMax else { return try await threads.computing { try .json(self) } }
        var frame = self
        frame.series = []
        let text = try JSONEncoder().encode(frame)
        let member = Array("\"series\":[".utf8)
        guard let start = text.indices.first(where: { text[$0...].starts(with: member) }).map({ $0 + member.count })
        else { preconditionFailure("an answer without series") }
        return .stream(.json) { writer in
            try await writer.write(Array(text[..<start]))
            for (number, one) in series.enumerated() {
                let piece = try await threads.computing {
                    (number > 0 ? [UInt8(ascii: ",")] : []) + (try JSONEncoder().encode(one))
                }
                try await writer.write(piece)
                try await writer.flush()
            }
            try await writer.write(Array(text[start...]))
        }
    }
}
