import LoadGenerator
import Primitives
import SeededRandom

/// Uploads of heart rates that were measured at equal intervals. What does not change from upload to upload is written once.
struct HeartRates: Sendable {
    private static let patterns = 16

    let count: Int
    private let offsets: String
    private let values: [String]

    /// `count` in each upload, one `every` so many milliseconds.
    init(count: Int, every: Int) {
        self.count = count
        offsets = (0..<count).map { "\($0 * every)" }.joined(separator: ",")
        values = (0..<Self.patterns).map { pattern in
            var generator = SeededGenerator(seed: 31, stream: pattern)
            var rate = 60 + 2 * pattern
            return (0..<count).map { _ in
                rate = min(150, max(48, rate + generator.index(below: 7) - 3))
                return "\(rate)"
            }.joined(separator: ",")
        }
    }

    /// The upload with this number of the device whose token it is.
    func upload(_ number: Int64, from start: Timestamp, sentAt: Timestamp, token: String) -> [UInt8] {
        let values = values[Int(number % Int64(Self.patterns))]
        // Samples are counted in milliseconds.
        let start = Timestamp(milliseconds: start.milliseconds)
        return RequestText.make(
            "POST", "/ingestion/v1/uploads", token: token,
            body: #"{"upload":\#(number),"sent_at":"\#(sentAt)","series":[{"type":"heart-rate","start":"\#(start)","#
                + #""offsets_ms":[\#(offsets)],"values":[\#(values)]}]}"#)
    }

    /// What a good answer says.
    var stored: String { #""stored":\#(count),"# }
}
