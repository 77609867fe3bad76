import Contracts
import Domain
import Primitives

/// `GET /me/series`.
struct SeriesAnswer: Encodable, Sendable {
    struct Bucket: Encodable, Sendable {
        let start: Timestamp
        let count: Int
        /// Of rates.
        var mean: Double?
        /// Of counters.
        var sum: Double?
        var min: Double?
        var max: Double?
        /// Of states: samples by value.
        var states: [String: Int]?
    }

    /// Present when fewer samples are shown than there are (ING-06).
    struct Thinned: Encodable, Sendable {
        let samples: Int
        let shown: Int
        let method: String
    }

    let type: DataType
    let unit: String
    let from: Timestamp
    let to: Timestamp
    let granularity: String
    /// With the granularity `raw`.
    var series: [SampleSeries]?
    /// With any other.
    var buckets: [Bucket]?
    var thinned: Thinned?

    init(type: DataType, from: Timestamp, to: Timestamp, granularity: Granularity) {
        self.type = type
        unit = type.unit.description
        self.from = from
        self.to = to
        self.granularity = granularity.rawValue
    }
}

extension SeriesAnswer.Bucket {
    init(_ start: Int64, _ bucket: Buckets.Bucket, _ kind: DataType.Kind) {
        self.start = Timestamp(milliseconds: start)
        count = bucket.count
        switch kind {
        case .rate: mean = bucket.sum / Double(bucket.count)
        case .counter: sum = bucket.sum
        case .state: states = Dictionary(uniqueKeysWithValues: bucket.states.map { (String($0.key), $0.value) })
        case .position: break
        }
        if kind != .state { (min, max) = (bucket.min, bucket.max) }
    }
}
