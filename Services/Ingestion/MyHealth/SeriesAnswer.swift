import Contracts
import Domain
import Primitives

/// `GET /me/series`.
struct SeriesAnswer: Encodable, Sendable {
    struct Bucket: Encodable, Sendable {
        let start: Timestamp
        /// The first local day, of buckets of days, weeks and months.
        var date: CalendarDate?
        /// Samples that begin in it (of sleep: that end in it).
        let count: Int
        /// Of rates: weighs readings by how long they held.
        var mean: Double?
        /// Of counters.
        var sum: Double?
        var min: Double?
        var max: Double?
        /// Of states: seconds by value.
        var states: [String: Double]?
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
    init(_ bucket: Buckets.Bucket, of type: DataType) {
        let values = bucket.values
        (start, date, count) = (bucket.start, bucket.day, values.count)
        switch type.kind {
        case .rate: mean = values.mean.map { $0 / Double(type.scaled(1)) }
        case .counter: sum = type.value(scaled: values.sum)
        case .state: states = values.stateSeconds
        case .position: break
        }
        if type.kind != .state, count > 0 {
            (min, max) = (type.value(scaled: values.min), type.value(scaled: values.max))
        }
    }
}

extension SummaryValues {
    /// How long each state lasted, by its number in words of JSON.
    var stateSeconds: [String: Double] {
        Dictionary(uniqueKeysWithValues: states.map { (String($0.key), Double($0.value) / 1000) })
    }
}
