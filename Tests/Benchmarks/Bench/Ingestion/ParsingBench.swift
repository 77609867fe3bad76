import FoundationEssentials
import JSON
import LoadGenerator
import Primitives
import ProcessTesting

/// Reading and checking the text of uploads, with the subcommand that tells what would be taken of one, against Foundation's
/// reading of the same texts, which checks nothing.
enum ParsingBench {
    /// Different texts of each size.
    private static let textCount = 8
    /// How often each text is read: so many samples, and so often as their number allows at most.
    private static let (samplesMax, timesMax) = (1_000_000, 20_000)

    static func run(_ report: inout Report) async throws {
        let rates = try await IngestionBed.with { bed in
            var rates: [Rates] = []
            for turns in [1, 200] { rates.append(try await measured(turns: turns, bed)) }
            return rates
        }
        // What devices send every 30 s is mostly what stands around five values; that Foundation reads, too.
        let (few, many) = (rates[0], rates[1])
        report.note(
            "samples a second of processor time, uploads of \(few.samples): \(rounded(few.own)); Foundation's reading: "
                + "\(rounded(few.foundation)); ratio \(rounded(few.own / few.foundation))")
        report.add(
            "samples read and checked a second of processor time, uploads of \(many.samples)", many.own,
            against: "Foundation's reading", many.foundation, "/s", .atLeast(5))
    }

    private struct Rates: Sendable {
        let samples: Int
        let own: Double
        let foundation: Double
    }

    /// What `check-upload` answers.
    private struct Answer: Decodable {
        let taken: Int
        let microseconds: Double
    }

    private static func measured(turns: Int, _ bed: IngestionBed) async throws -> Rates {
        let (samples, texts) = try await bed.load { (bed) -> (Int, [String]) in
            let source = UploadSource(
                .history(turns: turns, from: .now() - .seconds(86_400)), of: 0..<textCount,
                tokens: try bed.tokens(.device, count: textCount), host: bed.authority)
            return (source.samplesEach, try (0..<textCount).map { _ in try body(of: source) })
        }
        let repeats = min(samplesMax / samples, timesMax)
        var seconds = 0.0
        for text in texts {
            let file = try bed.write("upload.json", text)
            let said = try await bed.ingestion.run("check-upload", file, "--repeat", "\(repeats)")
            let line = said.split(separator: "\n").last ?? ""
            let answer = try JSON.JSONDecoder().decode(Answer.self, from: Array(line.utf8))
            guard answer.taken == samples else { throw BenchError.failed("\(answer.taken) of \(samples) are taken") }
            seconds += answer.microseconds / 1e6 * Double(repeats)
        }
        let all = Double(texts.count * repeats * samples)
        return Rates(samples: samples, own: all / seconds, foundation: all / (try plainSeconds(texts, repeats)))
    }

    private static func body(of source: UploadSource) throws -> String {
        let request = try [UInt8](unsafeUninitializedCapacity: source.requestBytesMax) { target, count in
            guard let base = target.baseAddress else { return }
            count = try source.next(into: base, at: .now())
        }
        guard let end = request.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else {
            throw BenchError.failed("a request without a body")
        }
        return String(decoding: request[end...], as: UTF8.self)
    }

    // MARK: Foundation

    private struct PlainUpload: Decodable {
        let upload: Int64
        let sent_at: String
        let series: [PlainSeries]
    }

    private struct PlainSeries: Decodable {
        let type: String
        let start: String
        let offsets_ms: [Int64]
        let values: [Double]
        let contact: [Bool]?
    }

    private static func plainSeconds(_ texts: [String], _ repeats: Int) throws -> Double {
        let began = ProcessorTime.own()
        var samples = 0
        for text in texts.map({ Data($0.utf8) }) {
            for _ in 0..<repeats {
                let upload = try FoundationEssentials.JSONDecoder().decode(PlainUpload.self, from: text)
                samples += upload.series.reduce(0) { $0 + $1.offsets_ms.count }
            }
        }
        guard samples > 0 else { throw BenchError.failed("nothing was read") }
        return ProcessorTime.own() - began
    }
}
